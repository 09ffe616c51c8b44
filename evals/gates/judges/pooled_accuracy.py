"""Pooled accuracy: the mean loss over all suites, so that many small losses do not pass as none.

Each suite counts alike, by its worst path. One whose baseline is not clearly above chance has
nothing to lose and would only thin the loss out, so it does not count. The suites' own bounds u(i)
and d(i) combine:
mean +- sqrt(sum (u(i) - d(i))^2) / k. Source: Zou and Donner, "Construction of confidence limits
about effect measures", Statistics in Medicine 27:1693 (2008), variance estimates recovered.

Example: ten suites each .9 points worse [.8, 1.0] pass a margin of 1 point one by one; together
.9 + sqrt(10 * .1^2) / 10 = .93, lower .87: a margin of .5 points fails.
"""

import math

from evals.gates.judges.paired_accuracy import damage_interval, is_at_floor
from evals.gates.judges.suite_pairs import arm_of, is_floored, pair_answers, paths_to_judge
from evals.gates.kinds import PairedAccuracyGate, PooledAccuracyGate
from evals.gates.policy import Policy, is_blocking
from evals.gates.verdict import Measure, Verdict, bounded_row, compare_damage, verdict_of
from evals.gates.wording import points
from evals.results import Evidence
from evals.statistics import Interval
from evals.study import Study
from variants.errors import MeasurementError


def judge(gate: PooledAccuracyGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the mean damage over the suites that gates of the policy need, not those only shown.

    Raises:
        MeasurementError: a suite cannot be paired, or there are too few.
    """
    asked = [
        one
        for one in policy.gates
        if isinstance(one, PairedAccuracyGate)
        and is_blocking(one)
        and evidence.change_class in one.applies_to
    ]
    damages: dict[str, Interval] = {}
    for one in asked:
        found = _worst(one, evidence, study, policy)
        if found is not None:
            damages[one.suite] = max(found, damages.get(one.suite, found), key=_upper)
    if len(damages) < gate.min_suites:
        raise MeasurementError(
            f"{len(damages)} suites are asked for in which the baseline is clearly above chance, "
            f"{gate.min_suites} are needed"
        )
    pooled = pool(list(damages.values()))
    margin = gate.margin_for(evidence.change_class, evidence.model_class)
    rows = [
        bounded_row(suite, damage, None, "NOT_APPLICABLE", "judged by its own gate")
        for suite, damage in damages.items()
    ]
    deciding = bounded_row("mean of all suites", pooled, margin, compare_damage(pooled, margin))
    reason = (
        f"over {len(damages)} suites {points(pooled.estimate)} are lost on average "
        f"[{points(pooled.lower)}, {points(pooled.upper)}], margin {points(margin)}"
    )
    measure = Measure("mean accuracy", "share of items", "higher")
    return verdict_of(gate, measure, deciding, reason, [deciding, *rows])


def pool(damages: list[Interval]) -> Interval:
    """Bound the mean of independent damages."""
    num = len(damages)
    mean = math.fsum(damage.estimate for damage in damages) / num
    up = math.hypot(*(damage.upper - damage.estimate for damage in damages)) / num
    down = math.hypot(*(damage.estimate - damage.lower for damage in damages)) / num
    return Interval(mean, mean - down, mean + up, sum(damage.n for damage in damages))


def _worst(
    gate: PairedAccuracyGate, evidence: Evidence, study: Study, policy: Policy
) -> Interval | None:
    """Bound the damage on the worst path; None where the baseline has nothing to lose on any."""
    paired = [
        pair_answers(gate, evidence, path)
        for path in paths_to_judge(gate, evidence)
        if not is_floored(arm_of(gate, evidence, path, "baseline"))
    ]
    damages = [
        damage_interval(gate, answers, policy, study.seed)
        for answers in paired
        if not is_at_floor(gate, answers, policy)
    ]
    return max(damages, key=_upper, default=None)


def _upper(damage: Interval) -> float:
    return damage.upper
