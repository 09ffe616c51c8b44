"""Attainment: the share of requests inside the SLO reaches the study's, in every open cell.

Two lower bounds must reach the target: Student's t over repeats, and, since repeats that agree by
luck have no spread, one over requests. Requests queue behind each other, so only as many count as
are independent (their number / their autocorrelation time); the bound is exact, or by how far
inside the SLO they lie (`evals.statistics.tolerance`), whichever says more. It fails when both
upper bounds are below. A cell whose baseline is itself shown to miss the target, by the same two
upper bounds, is not held against the variant. `make bench-gates` shows what that is worth.

Example: five repeats of 20 requests, all good, autocorrelation time 2: t gives [1, 1], 50 of 50
gives .05^(1/50) = .942 >= .90 -> PASS. With 5 requests each: .05^(1/12) = .779 -> INCONCLUSIVE,
unless their latencies lie far inside: at a tenth of the limit with a spread of 30 %, d = 7.7.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from evals.gates.cells import Pairs, cells_of, check_enough, chosen_cells, pair_cells
from evals.gates.kinds import AttainmentGate
from evals.gates.metrics import cell_key
from evals.gates.policy import Policy
from evals.gates.verdict import (
    Measure,
    Row,
    Verdict,
    bounded_row,
    compare_gain,
    verdict_of,
    worst_of,
)
from evals.gates.wording import relative
from evals.results import Arm, Cell, Evidence
from evals.statistics import Interval, exact_interval, mean_interval, share_inside
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
    outcome = "NOT_APPLICABLE" if is_excused else compare_gain(variant, target)
    return bounded_row(cell, variant, target, outcome, note)


def attainment_interval(pairs: Pairs, arm: Arm, confidence: float) -> Interval:
    """Bound one arm's attainment."""
    cells = [pair.baseline if arm == "baseline" else pair.variant for pair in pairs.valid]
    return bounded_attainment(cells, confidence)


def bounded_attainment(cells: Sequence[Cell], confidence: float) -> Interval:
    """Bound attainment over repeats, and over as many requests as are independent.

    Raises:
        MeasurementError: a share outside [0, 1], or a repeat without one.
    """
    found = [cell.metrics.get(KEY) for cell in cells]
    shares = [share for share in found if share is not None]
    if len(shares) < len(found) or not all(0 <= share <= 1 for share in shares):
        raise MeasurementError(f"attainment {found} is no share of requests")
    over_repeats = mean_interval(shares, confidence)
    over_requests = _over_requests(cells, shares, confidence)
    return Interval(
        over_repeats.estimate,
        max(0.0, min(over_repeats.lower, over_requests.lower)),
        min(1.0, max(over_repeats.upper, over_requests.upper)),
        over_repeats.n,
    )


def _over_requests(cells: Sequence[Cell], shares: Sequence[float], confidence: float) -> Interval:
    """Exact bounds over the independent requests; the lower by their distance where that is more.

    Where a request has no latency (it failed), a repeat counts as one request.
    """
    offered = sum(cell.num_offered for cell in cells)
    use = pooled_use(cells)
    num = round(offered / use.inflation) if use else len(cells)
    good = sum(share * cell.num_offered for share, cell in zip(shares, cells, strict=True))
    exact = exact_interval(math.floor(good / offered * num + ROUNDING), num, confidence)
    if use is None or use.log_sd == 0:
        return exact
    by_distance = share_inside(-use.log_mean / use.log_sd, num, confidence)
    return Interval(exact.estimate, max(exact.lower, by_distance), exact.upper, num)


@dataclass(frozen=True, slots=True)
class Use:
    """Of the SLO, in logarithms (0 is the limit), and requests per independent one."""

    log_mean: float
    log_sd: float
    inflation: float


def pooled_use(cells: Sequence[Cell]) -> Use | None:
    """Pool the repeats; None where one has a request without a latency.

    Inflation is the longest autocorrelation time of any repeat, or the variance of the repeats'
    means over that of independent requests, whichever is more. Repeats are independent of each
    other, so it never exceeds the requests of one.
    """
    keys = ("slo_use_log_mean", "slo_use_log_sd", "slo_use_correlation")
    rows = [[cell.metrics.get(key) for key in keys] for cell in cells]
    known = [[value for value in row if value is not None] for row in rows]
    if any(len(row) < len(keys) for row in known):
        return None
    means, deviations, times = (list(column) for column in zip(*known, strict=True))
    within = statistics.fmean(deviation**2 for deviation in deviations)
    between = statistics.variance(means)
    num_each = statistics.fmean(cell.num_offered for cell in cells)
    variance = within + between
    spread = num_each * between / variance if variance > 0 else num_each
    inflation = min(num_each, max(1.0, spread, *times))
    return Use(statistics.fmean(means), math.sqrt(variance), inflation)


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
