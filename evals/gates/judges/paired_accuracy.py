"""Paired accuracy: how much of a suite the variant loses, item by item, on each path measured.

The larger of Tango's score bound and the clustered bootstrap's decides. A missing answer counts as
wrong in the variant and as right in the baseline, so that a failing baseline hides nothing.

Example: 1,000 items, 60 right in the baseline only, 40 in the variant only: damage 2 points
[.4, 3.7], margin 5 points -> PASS.
"""

import math

from evals.gates.judges.suite_pairs import Answers, pair_answers, paths_to_judge, suite_results
from evals.gates.kinds import PairedAccuracyGate
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Row, Verdict, closest_to_harm, compare_damage, verdict_of
from evals.gates.wording import points, relative
from evals.results import Evidence, Path
from evals.statistics import (
    Interval,
    clustered_interval,
    exact_interval,
    mcnemar_harm,
    required_items,
    tango_interval,
)
from evals.study import Study
from variants.errors import MeasurementError

MIN_CLUSTERS = 5  # with fewer, resampling whole clusters says next to nothing


def is_measured(gate: PairedAccuracyGate, evidence: Evidence) -> bool:
    """Whether the variant answered the suite."""
    return any(result.arm == "variant" for result in suite_results(gate, evidence))


def judge(gate: PairedAccuracyGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the damage on every path measured, and decide by the worst.

    Raises:
        MeasurementError: the suite was not measured on any path.
    """
    rows = [
        _row(gate, evidence, path, policy, study.seed) for path in paths_to_judge(gate, evidence)
    ]
    worst = closest_to_harm(rows)
    measure = Measure(f"accuracy of {gate.suite}", "share of items", "higher")
    return verdict_of(gate, measure, worst, _reason(gate, worst), rows)


def _row(
    gate: PairedAccuracyGate, evidence: Evidence, path: Path, policy: Policy, seed: int
) -> Row:
    try:
        answers = pair_answers(gate, evidence, path)
        floor = exact_interval(answers.num_baseline_right, answers.num_items, policy.confidence)
        if floor.lower <= answers.chance + gate.min_above_chance:
            return _below_floor(gate, path, floor, answers.chance)
        return _compared(gate, path, answers, _damage(answers, policy.confidence, seed), policy)
    except MeasurementError as error:
        return Row(label=path, margin=gate.margin, outcome="INCONCLUSIVE", note=str(error))


def _damage(answers: Answers, confidence: float, seed: int) -> Interval:
    """Take the wider of the two intervals on either side."""
    num_clusters = len(set(answers.clusters))
    if num_clusters < MIN_CLUSTERS:
        raise MeasurementError(f"{num_clusters} clusters of items, {MIN_CLUSTERS} are needed")
    tango = tango_interval(answers.counts, confidence)
    clustered = clustered_interval(answers.differences, answers.clusters, confidence, seed)
    lower, upper = min(tango.lower, clustered.lower), max(tango.upper, clustered.upper)
    return Interval(tango.estimate, lower, upper, tango.n)


def _compared(
    gate: PairedAccuracyGate, path: Path, answers: Answers, damage: Interval, policy: Policy
) -> Row:
    outcome = compare_damage(damage, gate.margin)
    needed = items_needed(answers, damage, gate.margin, policy.confidence)
    counts = answers.counts
    return Row(
        label=path,
        estimate=damage.estimate,
        lower=damage.lower,
        upper=damage.upper,
        margin=gate.margin,
        n=damage.n,
        n_needed=needed if outcome == "INCONCLUSIVE" else None,
        outcome=outcome,
        note=(
            f"{counts.baseline_only} items lost, {counts.variant_only} won, McNemar p of harm "
            f"{mcnemar_harm(counts):.3g}, {answers.num_missing} answers missing"
        ),
    )


def items_needed(
    answers: Answers, damage: Interval, margin: float, confidence: float
) -> int | None:
    """Return the items that would settle it at the observed damage, widened for clusters.

    The design effect is the square of the widest bound over Tango's (Kish, Survey Sampling, 1965).
    """
    counts = answers.counts
    needed = required_items(margin, counts.discordance, confidence, counts.damage)
    if needed is None:
        return None
    tango = tango_interval(counts, confidence)
    widening = (damage.upper - damage.lower) / (tango.upper - tango.lower)
    return math.ceil(needed * widening**2)


def _below_floor(gate: PairedAccuracyGate, path: Path, floor: Interval, chance: float) -> Row:
    return Row(
        label=path,
        margin=gate.margin,
        n=floor.n,
        outcome="NOT_APPLICABLE",
        note=(
            f"the baseline is right in {relative(floor.estimate)} of {floor.n} items (at least "
            f"{relative(floor.lower)}); chance is {relative(chance)} and more than "
            f"{relative(chance + gate.min_above_chance)} is asked"
        ),
    )


def _reason(gate: PairedAccuracyGate, worst: Row) -> str:
    if worst.upper is None:
        return f"{gate.suite}, {worst.label}: {worst.note}"
    return (
        f"{gate.suite} loses {points(worst.estimate)} [{points(worst.lower)}, "
        f"{points(worst.upper)}] on {worst.n} items ({worst.label}), margin {points(gate.margin)}"
    )
