"""Attainment: the share of requests inside the SLO reaches the study's, in every open cell.

Two lower bounds must reach the target: Student's t over repeats, and, as a necessary minimum, the
exact bound of all requests pooled (repeats that agree by luck have no spread). It fails when both
upper bounds are below. A cell whose baseline is itself shown to miss the target, by the same two
upper bounds, is not held against the variant.

Example: five repeats of 20 requests, all good: t gives [1, 1], exact 100 of 100 gives .05^(1/100)
= .970 >= .90 -> PASS. With 5 requests each: .05^(1/25) = .887 < .90 -> INCONCLUSIVE.
"""

import math

from evals.gates.cells import Pairs, cells_of, check_enough, chosen_cells, pair_cells
from evals.gates.kinds import AttainmentGate
from evals.gates.metrics import cell_key
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Row, Verdict, compare_gain, verdict_of, worst_of
from evals.gates.wording import relative
from evals.results import Arm, Evidence
from evals.statistics import Interval, exact_interval, mean_interval
from evals.study import Study
from variants.errors import MeasurementError

KEY = cell_key("attainment")
ROUNDING = 1e-9  # share x requests is a whole number but for the last bits


def judge(gate: AttainmentGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the variant's attainment in every open cell, and decide by the worst."""
    cells = chosen_cells(gate.cells, study, "attainment")
    rows = [_row(gate, evidence, cell, policy, study.slo.attainment) for cell in cells]
    held = [row for row in rows if row.outcome != "NOT_APPLICABLE"]
    outcome = worst_of(held or rows).outcome
    worst = min((row for row in rows if row.outcome == outcome), key=lambda row: row.lower or 0.0)
    measure = Measure("attainment", "share", "higher")
    return verdict_of(gate, measure, worst, _reason(worst, len(held), len(rows)), rows)


def _row(gate: AttainmentGate, evidence: Evidence, cell: str, policy: Policy, target: float) -> Row:
    try:
        pairs = pair_cells(cells_of(evidence), cell, KEY)
        check_enough(cell, pairs, gate.min_repeats)
        baseline = attainment_interval(pairs, "baseline", policy.confidence)
        variant = attainment_interval(pairs, "variant", policy.confidence)
    except MeasurementError as error:
        return Row(label=cell, margin=target, outcome="INCONCLUSIVE", note=str(error))
    is_excused = baseline.upper < target
    note = "; ".join(pairs.refused)
    if is_excused:
        note = f"the baseline itself attains {relative(baseline.estimate)}, so it is not held"
    return Row(
        label=cell,
        estimate=variant.estimate,
        lower=variant.lower,
        upper=variant.upper,
        margin=target,
        n=variant.n,
        outcome="NOT_APPLICABLE" if is_excused else compare_gain(variant, target),
        note=note,
    )


def attainment_interval(pairs: Pairs, arm: Arm, confidence: float) -> Interval:
    """Bound one arm's attainment by t over repeats and exactly over requests, the wider of both.

    Raises:
        MeasurementError: a share outside [0, 1].
    """
    shares = pairs.figures(arm, KEY)
    if not all(0 <= share <= 1 for share in shares):
        raise MeasurementError(f"attainment {shares} is no share of requests")
    cells = [pair.baseline if arm == "baseline" else pair.variant for pair in pairs.valid]
    offered = [cell.num_offered for cell in cells]
    good = sum(
        math.floor(share * num + ROUNDING) for share, num in zip(shares, offered, strict=True)
    )
    over_repeats = mean_interval(shares, confidence)
    pooled = exact_interval(good, sum(offered), confidence)
    return Interval(
        over_repeats.estimate,
        max(0.0, min(over_repeats.lower, pooled.lower)),
        min(1.0, max(over_repeats.upper, pooled.upper)),
        over_repeats.n,
    )


def _reason(worst: Row, num_held: int, num_cells: int) -> str:
    if worst.outcome == "NOT_APPLICABLE":
        return (
            f"the baseline misses the SLO in all {num_cells} cells; ask less load or a looser SLO"
        )
    if worst.estimate is None:
        return worst.note
    return (
        f"attainment in {worst.label} is {relative(worst.estimate)} [{relative(worst.lower)}, "
        f"{relative(worst.upper)}] over {worst.n} repeats, {relative(worst.margin)} is asked; "
        f"worst of {num_held} cells, {num_cells - num_held} not held (the baseline misses them)"
    )
