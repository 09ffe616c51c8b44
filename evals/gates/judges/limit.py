"""An absolute limit on the variant alone: SLO, memory, start-up, cost, energy.

A figure of cells is bounded over repeats, in the worst cell. Memory and start-up are single
measurements of one run: their figure stands without an interval, and the verdict says so.

Example: warm start 21 s, limit 30 s, measured once: 21 <= 30 -> PASS, "n = 1, no interval".
"""

from collections.abc import Sequence

from evals.gates.cells import cells_of, check_enough, chosen_cells, pair_cells
from evals.gates.kinds import LimitGate
from evals.gates.metrics import Metric, check_direction, declared
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Outcome, Row, Verdict, bounded_row, verdict_of, worst_of
from evals.results import Evidence, Memory, StartUp
from evals.statistics import Interval, mean_interval
from evals.study import Study
from variants.errors import MeasurementError

TOKENS_PER_PRICE = 1e6
SECONDS_PER_HOUR = 3600


def judge(gate: LimitGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Compare the variant's figure with the limit, in every place it is measured.

    Raises:
        MeasurementError: an undeclared metric, a contradicted direction or unit, or no figure.
    """
    metric = declared(gate.metric)
    check_direction(gate.metric, gate.direction)
    if gate.unit != metric.unit:
        raise MeasurementError(f"{gate.metric} is in {metric.unit}, the policy says {gate.unit}")
    if metric.source in ("cells", "price"):
        rows = _cell_rows(gate, metric, evidence, study, policy)
    else:
        rows = [_row(gate, "this run", _single(metric, evidence, policy.confidence))]
    worst = worst_of(rows)
    measure = Measure(gate.metric, gate.unit, gate.direction)
    return verdict_of(gate, measure, worst, _reason(gate, worst), rows)


def _cell_rows(
    gate: LimitGate, metric: Metric, evidence: Evidence, study: Study, policy: Policy
) -> list[Row]:
    rows: list[Row] = []
    for cell in chosen_cells(gate.cells, study, gate.metric):
        try:
            pairs = pair_cells(cells_of(evidence), cell, metric.key)
            check_enough(cell, pairs, gate.min_repeats)
            figures = pairs.figures("variant", metric.key)
            if metric.source == "price":
                figures = [_cost(figure, study) for figure in figures]
            rows.append(_row(gate, cell, mean_interval(figures, policy.confidence)))
        except MeasurementError as error:
            note = str(error)
            rows.append(Row(label=cell, margin=gate.limit, outcome="INCONCLUSIVE", note=note))
    return rows


def _cost(tokens_per_s: float, study: Study) -> float:
    """USD per million output tokens: price per hour / tokens per hour x 1e6."""
    if study.price_per_device_hour is None:
        raise MeasurementError("the study gives no price_per_device_hour, so there is no cost")
    if tokens_per_s <= 0:
        raise MeasurementError(f"{tokens_per_s} output tokens/s have no price")
    return study.price_per_device_hour / (tokens_per_s * SECONDS_PER_HOUR) * TOKENS_PER_PRICE


def _single(metric: Metric, evidence: Evidence, confidence: float) -> Interval:
    payloads = [record.payload for record in evidence.records]
    if metric.source == "memory":
        kept = [item for item in payloads if isinstance(item, Memory) and item.arm == "variant"]
        found: Sequence[float | None] = [getattr(item, metric.key) for item in kept]
    else:
        found = [
            item.ready_s
            for item in payloads
            if isinstance(item, StartUp) and (item.arm, item.temperature) == ("variant", metric.key)
        ]
    figures = [figure for figure in found if figure is not None]
    if not figures or len(figures) < len(found):
        raise MeasurementError(f"{len(figures)} of {len(found)} measurements of {metric.key}")
    if len(figures) > 1:
        return mean_interval(figures, confidence)
    return Interval(figures[0], figures[0], figures[0], 1)


def _row(gate: LimitGate, label: str, figure: Interval) -> Row:
    is_inside, is_beyond = figure.upper <= gate.limit, figure.lower > gate.limit
    if gate.direction == "higher":
        is_inside, is_beyond = figure.lower >= gate.limit, figure.upper < gate.limit
    outcome: Outcome = "PASS" if is_inside else "FAIL" if is_beyond else "INCONCLUSIVE"
    note = "one measurement, no interval" if figure.n == 1 else ""
    return bounded_row(label, figure, gate.limit, outcome, note)


def _reason(gate: LimitGate, worst: Row) -> str:
    if worst.estimate is None:
        return worst.note
    word = "at most" if gate.direction == "lower" else "at least"
    bounds = f"[{worst.lower:.4g}, {worst.upper:.4g}] over {worst.n}"
    return (
        f"{gate.metric} in {worst.label} is {worst.estimate:.4g} {gate.unit} "
        f"({worst.note or bounds}), {word} {gate.limit:g} is asked"
    )
