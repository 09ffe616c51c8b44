"""Paired accuracy: how much of a suite the variant loses, item by item, on each path measured.

The larger of Tango's score bound, on as many items as their clusters are worth, and the clustered
bootstrap's decides. A missing answer counts as
wrong in the variant and as right in the baseline, so that a failing baseline hides nothing. At an
early look a PASS needs the wider bound of `evals.statistics.sequential`; a FAIL does not.

Example: 1,000 items, 60 right in the baseline only, 40 in the variant only: damage 2 points
[.4, 3.7], margin 5 points -> PASS.
"""

import math
from collections.abc import Sequence

from evals.gates.judges.suite_pairs import (
    Answers,
    arm_of,
    is_floored,
    null_flips,
    pair_answers,
    paths_to_judge,
)
from evals.gates.kinds import PairedAccuracyGate, SuiteGate
from evals.gates.policy import Policy
from evals.gates.verdict import (
    Measure,
    Outcome,
    Row,
    Verdict,
    bounded_row,
    closest_to_harm,
    compare_damage,
    verdict_of,
)
from evals.gates.wording import points, relative
from evals.results import Evidence, Path, SuiteResult
from evals.statistics import (
    Interval,
    clustered_interval,
    clustered_tango_interval,
    confidence_at,
    design_effect,
    detectable_damage,
    exact_interval,
    mcnemar_harm,
    required_items,
)
from evals.study import Study
from variants.errors import MeasurementError

MIN_CLUSTERS = 5  # with fewer, resampling whole clusters says next to nothing


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


def damage_interval(
    gate: PairedAccuracyGate, answers: Answers, policy: Policy, seed: int
) -> Interval:
    """Bound the damage: the wider of the two intervals on either side, at the look's confidence.

    Raises:
        MeasurementError: too few clusters, or a look that the policy does not have.
    """
    to_pass = _confidence_to_pass(gate, answers, policy)
    upper, lower = (wider_interval(answers, level, seed) for level in (to_pass, policy.confidence))
    return Interval(upper.estimate, lower.lower, upper.upper, upper.n)


def baseline_share(answers: Answers, policy: Policy) -> Interval:
    """Bound the share of items that the baseline has right (Clopper-Pearson)."""
    return exact_interval(answers.num_baseline_right, answers.num_items, policy.confidence)


def share_right(result: SuiteResult, policy: Policy) -> Interval:
    """Bound the share of items that one arm has right (Clopper-Pearson)."""
    right = sum(
        sample.is_correct is True and not (result.rewards_silence and sample.is_degenerate)
        for sample in result.samples
    )
    return exact_interval(right, max(1, len(result.samples)), policy.confidence)


def is_at_floor(gate: SuiteGate, answers: Answers, policy: Policy) -> bool:
    """Whether the baseline is not clearly above chance: then there is nothing to lose."""
    return baseline_share(answers, policy).lower <= answers.chance + gate.min_above_chance


def wider_interval(answers: Answers, confidence: float, seed: int) -> Interval:
    """Bound the damage by Tango's score and by the clustered bootstrap, and take the wider.

    Raises:
        MeasurementError: fewer than five clusters.
    """
    check_clusters(answers.clusters)
    tango = clustered_tango_interval(
        answers.counts, answers.differences, answers.clusters, confidence
    )
    clustered = clustered_interval(answers.differences, answers.clusters, confidence, seed)
    lower, upper = min(tango.lower, clustered.lower), max(tango.upper, clustered.upper)
    return Interval(tango.estimate, lower, upper, tango.n)


def _confidence_to_pass(gate: PairedAccuracyGate, answers: Answers, policy: Policy) -> float:
    looks = planned_looks(gate, answers)
    if answers.is_given_up and not looks:
        return policy.confidence  # for the eye: `_outcome` lets nothing pass there
    if not looks:
        raise MeasurementError(
            f"{relative(answers.look)} of the planned items are in, the policy judges at "
            f"{', '.join(relative(share) for share in gate.looks)}"
        )
    return confidence_at(looks[0], gate.looks, policy.alpha)


def check_clusters(clusters: Sequence[str]) -> None:
    """Refuse too few clusters to resample.

    Raises:
        MeasurementError: fewer than five.
    """
    num_clusters = len(set(clusters))
    if num_clusters < MIN_CLUSTERS:
        raise MeasurementError(f"{num_clusters} clusters of items, {MIN_CLUSTERS} are needed")


def planned_looks(gate: PairedAccuracyGate, answers: Answers) -> list[int]:
    """Return which of the policy's looks this is, from 0; [] is none of them."""
    slack = 1 / answers.num_items  # a share of items is rounded to whole items
    return [at for at, share in enumerate(gate.looks) if abs(share - answers.look) <= slack]


def outcome_of(
    gate: PairedAccuracyGate, answers: Answers, damage: Interval, margin: float
) -> Outcome:
    """Compare damage with the margin; only at a look that was planned can it pass."""
    found = compare_damage(damage, margin)
    return "INCONCLUSIVE" if found == "PASS" and not planned_looks(gate, answers) else found


def _row(
    gate: PairedAccuracyGate, evidence: Evidence, path: Path, policy: Policy, seed: int
) -> Row:
    margin = gate.margin_for(evidence.change_class, evidence.model_class)
    try:
        baseline = arm_of(gate, evidence, path, "baseline")
        if is_floored(baseline):
            return _given_up(gate, path, margin, baseline, policy)
        answers = pair_answers(gate, evidence, path)
        floor = baseline_share(answers, policy)
        if is_at_floor(gate, answers, policy):
            return _below_floor(gate, path, margin, floor, answers.chance)
        flips = _checked_flips(gate, evidence, path)
        damage = damage_interval(gate, answers, policy, seed)
        outcome = outcome_of(gate, answers, damage, margin)
        return _compared(path, answers, damage, margin, policy.confidence).model_copy(
            update={"null_flips": flips, "outcome": outcome}
        )
    except MeasurementError as error:
        return Row(label=path, margin=margin, outcome="INCONCLUSIVE", note=str(error))


def _checked_flips(gate: PairedAccuracyGate, evidence: Evidence, path: Path) -> float | None:
    flips, most = null_flips(gate, evidence, path), gate.max_null_flips
    if most is None:
        return flips
    if flips is None:
        raise MeasurementError("the null arm (baseline against itself) was not measured")
    if flips > most:
        raise MeasurementError(
            f"{relative(flips)} of items flip in the null arm, at most {relative(most)} may: the "
            "suite cannot tell damage from noise here"
        )
    return flips


def _compared(
    path: Path, answers: Answers, damage: Interval, margin: float, confidence: float
) -> Row:
    outcome, counts = compare_damage(damage, margin), answers.counts
    effect = design_effect(answers.differences, answers.clusters, confidence)
    needed = required_items(margin, counts.discordance, confidence, counts.damage)
    worth = max(1, int(damage.n / effect))
    is_open = outcome == "INCONCLUSIVE" and needed is not None
    harm = mcnemar_harm(counts)
    note = (
        f"{counts.baseline_only} items lost, {counts.variant_only} won, McNemar p of harm "
        f"{harm:.3g}, {answers.num_missing} answers missing"
    )
    return bounded_row(path, damage, margin, outcome, note).model_copy(
        update={
            "baseline_only": counts.baseline_only,
            "variant_only": counts.variant_only,
            "n_effective": worth,
            "detectable": detectable_damage(worth, counts.discordance, confidence),
            "n_needed": math.ceil(needed * effect) if is_open and needed else None,
            "mcnemar_p": harm,
        }
    )


def _given_up(
    gate: PairedAccuracyGate, path: Path, margin: float, baseline: SuiteResult, policy: Policy
) -> Row:
    share = share_right(baseline, policy)
    if share.lower > baseline.chance + gate.min_above_chance:
        raise MeasurementError(
            f"the baseline was given up as if at the floor, with at least {relative(share.lower)} "
            "right; ask the suite to its end"
        )
    return _below_floor(gate, path, margin, share, baseline.chance)


def _below_floor(
    gate: PairedAccuracyGate, path: Path, margin: float, floor: Interval, chance: float
) -> Row:
    return Row(
        label=path,
        margin=margin,
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
        f"{points(worst.upper)}] on {worst.n} items ({worst.label}), margin {points(worst.margin)}"
    )
