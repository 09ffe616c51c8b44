"""The answers of both arms to one suite on one path, paired item by item, or refused."""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.gates.kinds import PairedAccuracyGate
from evals.results import Arm, Evidence, Path, Sample, SuiteResult
from evals.statistics import PairedCounts
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

    @property
    def num_items(self) -> int:
        """Items issued to each arm."""
        return self.counts.num_items


def suite_results(gate: PairedAccuracyGate, evidence: Evidence) -> list[SuiteResult]:
    """Return both arms' answers to the gate's suite, on the gate's path if it names one."""
    payloads = [record.payload for record in evidence.records]
    found = [
        item for item in payloads if isinstance(item, SuiteResult) and item.suite == gate.suite
    ]
    return [item for item in found if gate.path in (None, item.path)]


def paths_to_judge(gate: PairedAccuracyGate, evidence: Evidence) -> tuple[Path, ...]:
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


def pair_answers(gate: PairedAccuracyGate, evidence: Evidence, path: Path) -> Answers:
    """Pair the two arms by item.

    Raises:
        MeasurementError: an arm is missing or there twice, items or prompts differ, too few items,
            or too many answers of the baseline are missing.
    """
    baseline, variant = (
        _only(gate, evidence, path, "baseline"),
        _only(gate, evidence, path, "variant"),
    )
    if (baseline.items_sha256, baseline.chance) != (variant.items_sha256, variant.chance):
        raise MeasurementError(f"{gate.suite} ({path}): the arms had different item sets")
    if baseline.rule != variant.rule:
        raise MeasurementError(f"{gate.suite} ({path}): the arms were scored by different rules")
    theirs, mine = _by_item(baseline), _by_item(variant)
    _check_same(theirs, mine)
    _check_numbers(gate, theirs)
    return _answers(theirs, mine, baseline.chance)


def _only(gate: PairedAccuracyGate, evidence: Evidence, path: Path, arm: Arm) -> SuiteResult:
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


def _check_numbers(gate: PairedAccuracyGate, theirs: dict[str, Sample]) -> None:
    if len(theirs) < gate.min_items:
        raise MeasurementError(f"{len(theirs)} items, {gate.min_items} are needed")
    missing = sum(sample.is_correct is None for sample in theirs.values())
    if missing > gate.max_missing * len(theirs):
        raise MeasurementError(
            f"{missing} of {len(theirs)} baseline answers are missing, at most "
            f"{gate.max_missing:.0%} may be"
        )


def _answers(theirs: dict[str, Sample], mine: dict[str, Sample], chance: float) -> Answers:
    items = sorted(theirs)
    right = [theirs[item].is_correct is not False for item in items]  # missing counts as right
    kept = [mine[item].is_correct is True for item in items]  # missing counts as wrong
    differences = tuple(float(a) - float(b) for a, b in zip(right, kept, strict=True))
    samples = [*theirs.values(), *mine.values()]
    return Answers(
        differences=differences,
        clusters=tuple(theirs[item].cluster for item in items),
        counts=_counts(differences),
        num_baseline_right=sum(theirs[item].is_correct is True for item in items),
        num_missing=sum(sample.is_correct is None for sample in samples),
        chance=chance,
    )


def _counts(differences: Sequence[float]) -> PairedCounts:
    lost = sum(difference > 0 for difference in differences)
    won = sum(difference < 0 for difference in differences)
    return PairedCounts(lost, won, len(differences))
