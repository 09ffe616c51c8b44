"""Paired odds: how far the log-odds of the right option have moved, item by item.

A share of items moves only once an item tips over; odds move before. Each item's damage is the
baseline's margin (gold less the best wrong option, nats per token) less the variant's. Its mean is
bounded by resampling whole clusters. An item that either arm left unanswered has no odds, and what
has none cannot be bounded: then nothing passes.

Example: a refusal beats an answer by .50 nats per token in the baseline and by .20 in the variant,
over 500 prompts [.26, .34]: damage .30, and a limit of .10 -> FAIL.
"""

from evals.gates.judges.comparable import same_items
from evals.gates.judges.paired_accuracy import check_clusters
from evals.gates.judges.suite_pairs import arm_of, paths_to_judge
from evals.gates.kinds import PairedOddsGate
from evals.gates.policy import Policy
from evals.gates.verdict import (
    Measure,
    Row,
    Verdict,
    bounded_row,
    closest_to_harm,
    compare_damage,
    verdict_of,
)
from evals.results import Evidence, Path
from evals.statistics import clustered_interval
from evals.study import Study
from variants.errors import MeasurementError

UNIT = "nats per token"


def judge(gate: PairedOddsGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the mean loss of log-odds on every path measured, and decide by the worst.

    Raises:
        MeasurementError: the suite was not measured on any path.
    """
    paths = paths_to_judge(gate, evidence)
    rows = [_row(gate, evidence, path, policy, study.seed) for path in paths]
    worst = closest_to_harm(rows)
    measure = Measure(f"log-odds of {gate.suite}", UNIT, "higher")
    return verdict_of(gate, measure, worst, _reason(gate, worst), rows)


def _row(gate: PairedOddsGate, evidence: Evidence, path: Path, policy: Policy, seed: int) -> Row:
    limit = gate.max_loss_nats
    try:
        losses, clusters = _losses(gate, evidence, path)
        check_clusters(clusters)
        damage = clustered_interval(losses, clusters, policy.confidence, seed)
        return bounded_row(path, damage, limit, compare_damage(damage, limit))
    except MeasurementError as error:
        return Row(label=path, margin=limit, outcome="INCONCLUSIVE", note=str(error))


def _losses(gate: PairedOddsGate, evidence: Evidence, path: Path) -> tuple[list[float], list[str]]:
    """Return each item's loss of log-odds, and its cluster."""
    baseline, variant = (arm_of(gate, evidence, path, arm) for arm in ("baseline", "variant"))
    theirs, mine = same_items(gate, baseline, variant)
    losses: list[float] = []
    for item, sample in theirs.items():
        before, after = sample.margin, mine[item].margin
        if before is None or after is None:
            raise MeasurementError(f"item {item!r} has no odds in both arms; ask the suite again")
        losses.append(before - after)
    return losses, [sample.cluster for sample in theirs.values()]


def _reason(gate: PairedOddsGate, worst: Row) -> str:
    if worst.estimate is None or worst.lower is None or worst.upper is None:
        return f"{gate.suite}, {worst.label}: {worst.note}"
    return (
        f"the log-odds of {gate.suite} lose {worst.estimate:.3f} {UNIT} [{worst.lower:.3f}, "
        f"{worst.upper:.3f}] on {worst.n} items ({worst.label}), limit {gate.max_loss_nats:g}"
    )
