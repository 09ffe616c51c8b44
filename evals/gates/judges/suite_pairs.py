"""The answers of both arms to one suite on one path, paired item by item, or refused.

A refusal or a non-call is only right if it is language: where a suite rewards silence, garbage is
wrong in the variant (a broken model would otherwise score 100 % on irrelevance: research 0.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.gates.kinds import SuiteGate
from evals.gates.wording import relative
from evals.results import REFUSED, Evidence, Path, Sample, SuiteArm, SuiteResult
from evals.statistics import PairedCounts
from evals.suites.cliffs.break_point import by_level
from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class Answers:
    """Per item baseline right minus variant right (1 lost, -1 won, 0 the same), and cluster."""

    differences: tuple[float, ...]
    clusters: tuple[str, ...]
    counts: PairedCounts
    num_baseline_right: int
    num_missing: int
    chance: float
    look: float  # share of the planned items that is in

    @property
    def num_items(self) -> int:
        """Items issued to each arm."""
        return self.counts.num_items


def suite_results(gate: SuiteGate, evidence: Evidence) -> list[SuiteResult]:
    """Return both arms' answers to the gate's suite, on the gate's path if it names one."""
    payloads = [record.payload for record in evidence.records]
    found = [
        item for item in payloads if isinstance(item, SuiteResult) and item.suite == gate.suite
    ]
    return [item for item in found if gate.path in (None, item.path)]


def paths_to_judge(gate: SuiteGate, evidence: Evidence) -> tuple[Path, ...]:
    """Name the paths that either arm was measured on.

    The artifact path of a lossless change may be the baseline's alone: both arms have its weights.

    Raises:
        MeasurementError: none.
    """
    results = suite_results(gate, evidence)
    measured = {result.path for result in results if result.arm == "variant"}
    if not measured:
        raise MeasurementError(f"the variant did not answer {gate.suite}")
    paths = measured | {result.path for result in results}
    if evidence.change_class == "lossless" and "artifact" not in measured:
        paths -= {"artifact"}
    return tuple(sorted(paths))


def pair_answers(gate: SuiteGate, evidence: Evidence, path: Path) -> Answers:
    """Pair the two arms by item.

    Raises:
        MeasurementError: an arm is missing or there twice, items or prompts differ, too few items,
            or too many answers of the baseline are missing.
    """
    baseline, variant = both_arms(gate, evidence, path)
    return _answers(_by_item(baseline), _by_item(variant), baseline)


def pair_levels(gate: SuiteGate, evidence: Evidence, path: Path) -> dict[float, Answers]:
    """Pair the two arms by item, apart at each level of the suite's axis, lowest first.

    Raises:
        MeasurementError: as for `pair_answers`, or an item has no level.
    """
    baseline, variant = both_arms(gate, evidence, path)
    mine = _by_item(variant)
    return {
        level: _answers({s.item: s for s in found}, {s.item: mine[s.item] for s in found}, baseline)
        for level, found in by_level(baseline.samples).items()
    }


def both_arms(gate: SuiteGate, evidence: Evidence, path: Path) -> tuple[SuiteResult, SuiteResult]:
    """Return baseline and variant, asked the same.

    Raises:
        MeasurementError: they were not, or cannot be paired (see `pair_answers`).
    """
    baseline = _only(gate, evidence, path, "baseline")
    variant = _only(gate, evidence, path, "variant")
    _check_conditions(gate, baseline, variant)
    theirs, mine = _by_item(baseline), _by_item(variant)
    _check_same(theirs, mine)
    _check_numbers(gate, theirs)
    _check_cuts(gate, theirs, mine)
    return baseline, variant


def null_flips(gate: SuiteGate, evidence: Evidence, path: Path) -> float | None:
    """Return the share of items that flip when the baseline is harmlessly perturbed.

    Raises:
        MeasurementError: the null arm is there twice, or answered items the baseline was not asked.
    """
    arms = {item.arm for item in suite_results(gate, evidence) if item.path == path}
    if "null" not in arms:
        return None
    null, baseline = (_by_item(_only(gate, evidence, path, arm)) for arm in ("null", "baseline"))
    if not null.keys() <= baseline.keys():
        raise MeasurementError(f"{gate.suite} ({path}): the null arm had items of its own")
    flips = sum(sample.is_correct != baseline[item].is_correct for item, sample in null.items())
    return flips / len(null)


def _check_conditions(gate: SuiteGate, baseline: SuiteResult, variant: SuiteResult) -> None:
    """Refuse arms that were not asked the same, the same way."""
    where = f"{gate.suite} ({baseline.path})"
    if (baseline.items_sha256, baseline.chance) != (variant.items_sha256, variant.chance):
        raise MeasurementError(f"{where}: the arms had different item sets")
    if baseline.rule != variant.rule:
        raise MeasurementError(f"{where}: the arms were scored by different rules")
    if baseline.axis != variant.axis:
        raise MeasurementError(f"{where}: the arms were asked along different axes")
    if baseline.num_planned != variant.num_planned:
        raise MeasurementError(f"{where}: the arms were at different looks")
    keys = {baseline.cluster_key, variant.cluster_key, gate.cluster_key or baseline.cluster_key}
    if len(keys) > 1:
        raise MeasurementError(f"{where}: items are clustered by {' and by '.join(sorted(keys))}")
    names = sorted(baseline.conditions.keys() | variant.conditions.keys())
    differing = [n for n in names if baseline.conditions.get(n) != variant.conditions.get(n)]
    if differing:
        raise MeasurementError(f"{where}: the arms had another {', '.join(differing)}")


def _check_cuts(gate: SuiteGate, theirs: dict[str, Sample], mine: dict[str, Sample]) -> None:
    """Refuse a length limit that decides: an answer that is cut is scored as it stands."""
    shares = [sum(s.is_cut is True for s in arm.values()) / len(arm) for arm in (theirs, mine)]
    if max(shares) > gate.max_cut or abs(shares[1] - shares[0]) > gate.max_cut_gap:
        raise MeasurementError(
            f"{relative(shares[0])} of the baseline's answers and {relative(shares[1])} of the "
            "variant's were cut by the length limit; give more tokens"
        )


def _only(gate: SuiteGate, evidence: Evidence, path: Path, arm: SuiteArm) -> SuiteResult:
    found = [item for item in suite_results(gate, evidence) if (item.path, item.arm) == (path, arm)]
    if len(found) != 1:
        raise MeasurementError(
            f"{len(found)} results of {gate.suite} ({path}, {arm}), exactly 1 is needed"
        )
    return found[0]


def _by_item(result: SuiteResult) -> dict[str, Sample]:
    samples = {sample.item: sample for sample in result.samples}
    if len(samples) != len(result.samples):
        raise MeasurementError(
            f"{len(result.samples) - len(samples)} items of {result.suite} ({result.arm}) are "
            "there twice"
        )
    if result.num_issued != len(samples):
        raise MeasurementError(
            f"{result.num_issued} items of {result.suite} were issued to the {result.arm}, "
            f"{len(samples)} came back"
        )
    return samples


def _check_same(theirs: dict[str, Sample], mine: dict[str, Sample]) -> None:
    if theirs.keys() != mine.keys():
        alone = sorted(theirs.keys() ^ mine.keys())
        raise MeasurementError(f"{len(alone)} items are in one arm only, such as {alone[0]!r}")
    for item, sample in theirs.items():
        if sample.prompt_sha256 != mine[item].prompt_sha256:
            raise MeasurementError(f"item {item!r} had another prompt in the other arm")
        if sample.cluster != mine[item].cluster:
            raise MeasurementError(f"item {item!r} is in another cluster in the other arm")
        if sample.level != mine[item].level:
            raise MeasurementError(f"item {item!r} is at another level in the other arm")


def _check_numbers(gate: SuiteGate, theirs: dict[str, Sample]) -> None:
    if len(theirs) < gate.min_items:
        raise MeasurementError(f"{len(theirs)} items, {gate.min_items} are needed")
    missing = sum(sample.is_correct is None for sample in theirs.values())
    if missing > gate.max_missing * len(theirs):
        raise MeasurementError(
            f"{missing} of {len(theirs)} baseline answers are missing, at most "
            f"{gate.max_missing:.0%} may be"
        )


def _answers(theirs: dict[str, Sample], mine: dict[str, Sample], baseline: SuiteResult) -> Answers:
    items, is_silence = sorted(theirs), baseline.rewards_silence
    right = [_may_be_right(theirs[item], mine[item]) for item in items]
    kept = [_is_right(mine[item], is_silence) for item in items]  # missing counts as wrong
    differences = tuple(float(a) - float(b) for a, b in zip(right, kept, strict=True))
    samples = [*theirs.values(), *mine.values()]
    return Answers(
        differences=differences,
        clusters=tuple(theirs[item].cluster for item in items),
        counts=_counts(differences),
        num_baseline_right=sum(_is_right(theirs[item], is_silence) for item in items),
        num_missing=sum(sample.is_correct is None for sample in samples),
        chance=baseline.chance,
        look=baseline.num_issued / (baseline.num_planned or baseline.num_issued),
    )


def _may_be_right(baseline: Sample, variant: Sample) -> bool:
    """Missing counts as right, and so does what the engine refused the baseline alone."""
    is_refused_alone = baseline.error == REFUSED and variant.error != REFUSED
    return baseline.is_correct is not False or is_refused_alone


def _is_right(sample: Sample, rewards_silence: bool) -> bool:
    """Whether an answer counts: right, and language where anything but a call would be right."""
    if rewards_silence and sample.is_correct and sample.is_degenerate is None:
        raise MeasurementError(
            f"item {sample.item!r}: silence is right here, and nobody looked whether it is language"
        )
    return sample.is_correct is True and not (rewards_silence and sample.is_degenerate)


def _counts(differences: Sequence[float]) -> PairedCounts:
    lost = sum(difference > 0 for difference in differences)
    won = sum(difference < 0 for difference in differences)
    return PairedCounts(lost, won, len(differences))
