"""The answers of both arms to one suite on one path, paired item by item, or refused.

A refusal or a non-call is only right if it is language: where a suite rewards silence, garbage is
wrong in the variant (a broken model would otherwise score 100 % on irrelevance: research 0.5).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evals.gates.asked import holds_same_weights
from evals.gates.judges.comparable import by_item, same_items
from evals.gates.kinds import SuiteGate
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
    is_given_up: bool = False  # the variant failed at a look nobody planned: it cannot pass there

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

    The artifact path may be the baseline's alone where both arms hold its weights.

    Raises:
        MeasurementError: none.
    """
    results = suite_results(gate, evidence)
    measured = {result.path for result in results if result.arm == "variant"}
    measured |= {result.path for result in results if is_floored(result)}
    if not measured:
        raise MeasurementError(f"the variant did not answer {gate.suite}")
    paths = measured | {result.path for result in results}
    if holds_same_weights(evidence) and "artifact" not in measured:
        paths -= {"artifact"}
    return tuple(sorted(paths))


def is_floored(result: SuiteResult) -> bool:
    """Whether the baseline was given up at the floor: no variant is asked what it cannot lose."""
    return result.arm == "baseline" and result.stopped == "floor"


def arm_of(gate: SuiteGate, evidence: Evidence, path: Path, arm: SuiteArm) -> SuiteResult:
    """Return the one result of an arm on a path.

    Raises:
        MeasurementError: it is missing, or there twice.
    """
    found = [item for item in suite_results(gate, evidence) if (item.path, item.arm) == (path, arm)]
    if len(found) != 1:
        raise MeasurementError(
            f"{len(found)} results of {gate.suite} ({path}, {arm}), exactly 1 is needed"
        )
    return found[0]


def pair_answers(gate: SuiteGate, evidence: Evidence, path: Path) -> Answers:
    """Pair the two arms of a path.

    Raises:
        MeasurementError: an arm is missing or there twice, or they cannot be paired.
    """
    baseline, variant = (arm_of(gate, evidence, path, arm) for arm in ("baseline", "variant"))
    return pair_results(gate, baseline, variant)


def pair_results(gate: SuiteGate, baseline: SuiteResult, variant: SuiteResult) -> Answers:
    """Pair two results item by item; a variant that was stopped, by the items it was asked.

    Raises:
        MeasurementError: items or prompts differ, too few items, or too many answers of the
            baseline are missing.
    """
    theirs, mine = same_items(gate, baseline, variant)
    answers = _answers(theirs, mine, baseline, len(theirs))
    return replace(answers, is_given_up=variant.stopped == "fail")


def pair_levels(gate: SuiteGate, evidence: Evidence, path: Path) -> dict[float, Answers]:
    """Pair the two arms by item, apart at each level of the suite's axis, lowest first.

    Raises:
        MeasurementError: as for `pair_answers`, or an item has no level.
    """
    baseline, variant = (arm_of(gate, evidence, path, arm) for arm in ("baseline", "variant"))
    theirs, mine = same_items(gate, baseline, variant)
    return {
        level: _answers(
            {s.item: s for s in found}, {s.item: mine[s.item] for s in found}, baseline, len(theirs)
        )
        for level, found in by_level(tuple(theirs.values())).items()
    }


def null_flips(gate: SuiteGate, evidence: Evidence, path: Path) -> float | None:
    """Return the share of items that flip when the baseline is harmlessly perturbed.

    Raises:
        MeasurementError: the null arm is there twice, or answered items the baseline was not asked.
    """
    arms = {item.arm for item in suite_results(gate, evidence) if item.path == path}
    if "null" not in arms:
        return None
    null, baseline = (by_item(arm_of(gate, evidence, path, arm)) for arm in ("null", "baseline"))
    if not null.keys() <= baseline.keys():
        raise MeasurementError(f"{gate.suite} ({path}): the null arm had items of its own")
    if not null:
        raise MeasurementError(f"{gate.suite} ({path}): the null arm was asked nothing")
    flips = sum(sample.is_correct != baseline[item].is_correct for item, sample in null.items())
    return flips / len(null)


def _answers(
    theirs: dict[str, Sample], mine: dict[str, Sample], baseline: SuiteResult, num_asked: int
) -> Answers:
    items, is_silence = sorted(theirs), baseline.rewards_silence
    right = [_may_be_right(theirs[item], mine[item]) for item in items]
    kept = [is_right(mine[item], is_silence) for item in items]  # missing counts as wrong
    differences = tuple(float(a) - float(b) for a, b in zip(right, kept, strict=True))
    samples = [*theirs.values(), *mine.values()]
    return Answers(
        differences=differences,
        clusters=tuple(theirs[item].cluster for item in items),
        counts=_counts(differences),
        num_baseline_right=sum(is_right(theirs[item], is_silence) for item in items),
        num_missing=sum(sample.is_correct is None for sample in samples),
        chance=baseline.chance,
        look=num_asked / (baseline.num_planned or num_asked),
    )


def _may_be_right(baseline: Sample, variant: Sample) -> bool:
    """Missing counts as right, and so does what the engine refused the baseline alone."""
    is_refused_alone = baseline.error == REFUSED and variant.error != REFUSED
    return baseline.is_correct is not False or is_refused_alone


def is_right(sample: Sample, rewards_silence: bool) -> bool:
    """Whether an answer counts: right, and language where anything but a call would be right.

    Raises:
        MeasurementError: nobody looked whether it is language.
    """
    if rewards_silence and sample.is_correct and sample.is_degenerate is None:
        raise MeasurementError(
            f"item {sample.item!r}: silence is right here, and nobody looked whether it is language"
        )
    return sample.is_correct is True and not (rewards_silence and sample.is_degenerate)


def _counts(differences: Sequence[float]) -> PairedCounts:
    lost = sum(difference > 0 for difference in differences)
    won = sum(difference < 0 for difference in differences)
    return PairedCounts(lost, won, len(differences))
