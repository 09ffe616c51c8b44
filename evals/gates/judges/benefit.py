"""Benefit: at least one of the listed metrics is better by the study's min_gain.

Any one suffices, so each interval is at alpha / number of intervals (Bonferroni); the bytes of the
weights are counted and not sampled, so their gain is exact, has no interval and costs no alpha.

Example: weights 270 MB -> 135 MB is a gain of 1 - 135 / 270 = 50 % -> PASS at min_gain 5 %.
"""

from dataclasses import dataclass

from evals.gates.cells import (
    cells_of,
    check_enough,
    chosen_cells,
    damage_interval,
    detectable_change,
    mirrored,
    pair_cells,
    repeats_needed,
)
from evals.gates.kinds import BenefitGate
from evals.gates.metrics import Direction, cell_key, check_direction
from evals.gates.policy import Policy
from evals.gates.verdict import (
    Measure,
    Outcome,
    Row,
    Verdict,
    bounded_row,
    compare_gain,
    verdict_of,
)
from evals.gates.wording import relative
from evals.results import Arm, Evidence, Memory
from evals.statistics import Interval
from evals.study import Study
from variants.errors import MeasurementError

WEIGHTS = "weight_bytes"
BEST_FIRST: tuple[Outcome, ...] = ("PASS", "INCONCLUSIVE", "NOT_APPLICABLE", "FAIL")


@dataclass(frozen=True, slots=True)
class Hope:
    """One metric in one cell (or the weights), and what its gain is bounded with."""

    metric: str
    direction: Direction
    cell: str
    confidence: float
    min_gain: float

    @property
    def label(self) -> str:
        """tpot_ms in closed-1, or weight_bytes."""
        return f"{self.metric} in {self.cell}" if self.cell else self.metric


def judge(gate: BenefitGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Pass on one shown gain; fail when every one is shown to be too small.

    Raises:
        MeasurementError: an undeclared metric, a contradicted direction, or a cell unknown.
    """
    rows = [_row(gate, evidence, hope) for hope in _hopes(gate, study, policy)]
    best = _best(rows)
    metric = best.label.split(" ", maxsplit=1)[0]
    direction = next(option.direction for option in gate.any_of if option.metric == metric)
    measure = Measure(metric, "relative to the baseline", direction)
    return verdict_of(gate, measure, best, _reason(best, rows, study.min_gain), rows)


def _hopes(gate: BenefitGate, study: Study, policy: Policy) -> list[Hope]:
    listed: list[tuple[str, Direction, str]] = []
    for option in gate.any_of:
        check_direction(option.metric, option.direction)
        is_weights = option.metric == WEIGHTS
        cells = ("",) if is_weights else chosen_cells(option.cells, study, option.metric)
        listed += [(option.metric, option.direction, cell) for cell in cells]
    num_intervals = max(1, sum(cell != "" for _, _, cell in listed))
    confidence = 1 - policy.alpha / num_intervals
    return [Hope(*entry, confidence, study.min_gain) for entry in dict.fromkeys(listed)]


def _row(gate: BenefitGate, evidence: Evidence, hope: Hope) -> Row:
    try:
        if hope.metric == WEIGHTS:
            return _weights_row(evidence, hope)
        return _cell_row(gate, evidence, hope)
    except MeasurementError as error:
        return Row(label=hope.label, margin=hope.min_gain, outcome="INCONCLUSIVE", note=str(error))


def _cell_row(gate: BenefitGate, evidence: Evidence, hope: Hope) -> Row:
    key = cell_key(hope.metric)
    pairs = pair_cells(cells_of(evidence), hope.cell, key)
    check_enough(hope.cell, pairs, gate.min_repeats)
    gain = mirrored(damage_interval(pairs, key, hope.direction, hope.confidence))
    limit = 1 - hope.min_gain if hope.direction == "lower" else 1 + hope.min_gain
    outcome = compare_gain(gain, hope.min_gain)
    needed = repeats_needed(pairs, key, limit, hope.confidence)
    note = f"bounds at {hope.confidence:.4f}"
    return bounded_row(hope.label, gain, hope.min_gain, outcome, note).model_copy(
        update={
            "detectable": detectable_change(pairs, key, hope.confidence),
            "n_needed": needed if outcome == "INCONCLUSIVE" else None,
        }
    )


def _weights_row(evidence: Evidence, hope: Hope) -> Row:
    baseline, variant = _weights(evidence, "baseline"), _weights(evidence, "variant")
    gain = 1 - variant / baseline
    return Row(
        label=hope.label,
        estimate=gain,
        lower=gain,
        upper=gain,
        margin=hope.min_gain,
        n=1,
        outcome=compare_gain(Interval(gain, gain, gain, 1), hope.min_gain),
        note=f"{baseline} -> {variant} bytes, counted and not sampled: no interval",
    )


def _weights(evidence: Evidence, arm: Arm) -> int:
    memories = [item.payload for item in evidence.records if isinstance(item.payload, Memory)]
    counts = {memory.weight_bytes for memory in memories if memory.arm == arm}
    if len(counts) != 1 or min(counts) < 1:
        raise MeasurementError(f"weight bytes of the {arm} are {sorted(counts)}, one is needed")
    return counts.pop()


def _best(rows: list[Row]) -> Row:
    """Return the row nearest to a pass; of those, the one with the highest lower bound."""
    nearest = min(BEST_FIRST.index(row.outcome) for row in rows)
    level = [row for row in rows if BEST_FIRST.index(row.outcome) == nearest]
    return max(level, key=lambda row: float("-inf") if row.lower is None else row.lower)


def _reason(best: Row, rows: list[Row], min_gain: float) -> str:
    if best.estimate is None:
        return f"{best.label}: {best.note}"
    if best.label == WEIGHTS:
        said = f"{best.label} is {relative(best.estimate)} better ({best.note})"
    else:
        said = (
            f"{best.label} is {relative(best.estimate)} better [{relative(best.lower)}, "
            f"{relative(best.upper)}] over {best.n} repeats"
        )
    return f"{said}, {relative(min_gain)} is asked; best of {len(rows)} listed"
