"""Cliff: at no level of a suite's axis may the variant lose more than the margin.

Each level is bounded by itself, as `paired_accuracy` bounds a suite. It FAILs where one level's
lower bound lies beyond the margin; that bound is taken at 1 - alpha / levels, since one unlucky
level among six would else fail a good variant six times as often (Bonferroni: Dunn, "Multiple
comparisons among means", JASA 56:52, 1961). It PASSes where every level's upper bound lies inside;
all must, so that bound needs no correction (Berger, Technometrics 24:295, 1982). Levels at which
the baseline is at the floor have nothing to lose and are only listed.

Example: alpha .05, 6 levels: lower bounds at .9917, upper ones at .95. At 16 tools 40 of 60 items
are lost and none is won: 67 points, at least 51; margin 10 points -> FAIL, whatever the other five
levels say: their mean is 11.
"""

from dataclasses import dataclass

from evals.gates.judges.paired_accuracy import baseline_share, is_at_floor, wider_interval
from evals.gates.judges.suite_pairs import Answers, arm_of, pair_levels, paths_to_judge
from evals.gates.kinds import CliffGate
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
from evals.gates.wording import points, relative
from evals.results import Evidence, Path
from evals.statistics import Interval
from evals.study import Study
from evals.suites.cliffs.comparing import compare
from variants.errors import MeasurementError


def judge(gate: CliffGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the damage at every level of every path measured, and decide by the worst.

    Raises:
        MeasurementError: the suite was not measured on any path.
    """
    paths = paths_to_judge(gate, evidence)
    rows = [row for path in paths for row in _rows(gate, evidence, path, policy, study.seed)]
    deciding = [row for row in rows if row.outcome != "NOT_APPLICABLE"] or rows
    worst = closest_to_harm(deciding)
    measure = Measure(f"accuracy of {gate.suite}", "share of items", "higher")
    return verdict_of(gate, measure, worst, _reason(gate, evidence, worst), rows)


def _rows(gate: CliffGate, evidence: Evidence, path: Path, policy: Policy, seed: int) -> list[Row]:
    """Judge every level of a path; one row where the arms cannot be paired."""
    margin = gate.margin_for(evidence.change_class, evidence.model_class)
    try:
        levels = pair_levels(gate, evidence, path)
    except MeasurementError as error:
        return [Row(label=path, margin=margin, outcome="INCONCLUSIVE", note=str(error))]
    level_of = _Level(gate, policy, margin, 1 - policy.alpha / len(levels), seed)
    return [level_of.row(label(path, level), answers) for level, answers in levels.items()]


def label(path: Path, level: float) -> str:
    """Name a row: `engine@16`."""
    return f"{path}@{level:g}"


@dataclass(frozen=True, slots=True)
class _Level:
    """What every level of a path is judged by."""

    gate: CliffGate
    policy: Policy
    margin: float
    confidence_to_fail: float
    seed: int

    def row(self, name: str, answers: Answers) -> Row:
        try:
            return self._judged(name, answers)
        except MeasurementError as error:
            return Row(label=name, margin=self.margin, outcome="INCONCLUSIVE", note=str(error))

    def _judged(self, name: str, answers: Answers) -> Row:
        num, least = answers.num_items, self.gate.min_per_level
        if num < least:
            raise MeasurementError(f"{num} items at this level, {least} are needed")
        floor = baseline_share(answers, self.policy)
        if is_at_floor(self.gate, answers, self.policy):
            note = f"the baseline is right in {relative(floor.estimate)}, nothing to lose"
            return Row(label=name, margin=self.margin, n=num, outcome="NOT_APPLICABLE", note=note)
        damage = self._damage(answers)
        counts = answers.counts
        note = (
            f"{counts.baseline_only} items lost, {counts.variant_only} won, the baseline right in "
            f"{relative(floor.estimate)}"
        )
        outcome = compare_damage(damage, self.margin)
        return bounded_row(name, damage, self.margin, outcome, note).model_copy(
            update={"baseline_only": counts.baseline_only, "variant_only": counts.variant_only}
        )

    def _damage(self, answers: Answers) -> Interval:
        """Bound from above at the policy's confidence, from below for all levels together."""
        above = wider_interval(answers, self.policy.confidence, self.seed)
        below = wider_interval(answers, self.confidence_to_fail, self.seed)
        return Interval(above.estimate, below.lower, above.upper, above.n)


def _reason(gate: CliffGate, evidence: Evidence, worst: Row) -> str:
    name, _, level = worst.label.partition("@")
    if not level:
        return f"{gate.suite}, {worst.label}: {worst.note}"
    path = next(one for one in paths_to_judge(gate, evidence) if one == name)
    baseline, variant = (arm_of(gate, evidence, path, arm) for arm in ("baseline", "variant"))
    found = compare(baseline, variant).finding
    where = f"{gate.suite} at {level} {baseline.axis} ({path})"
    if worst.upper is None:
        return f"{where}: {worst.note}; {found}"
    return (
        f"{where} loses {points(worst.estimate)} [{points(worst.lower)}, {points(worst.upper)}] on "
        f"{worst.n} items, margin {points(worst.margin)}; {found}"
    )
