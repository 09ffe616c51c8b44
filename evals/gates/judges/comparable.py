"""What makes two arms comparable: the same items, asked the same way, and enough of them."""

from evals.gates.kinds import PairedAccuracyGate, SuiteGate
from evals.gates.wording import relative
from evals.results import Sample, SuiteResult
from variants.errors import MeasurementError


def same_items(
    gate: SuiteGate, baseline: SuiteResult, variant: SuiteResult
) -> tuple[dict[str, Sample], dict[str, Sample]]:
    """Return both arms' answers to the same items; of a variant that was stopped, to its own.

    Raises:
        MeasurementError: items or prompts differ, too few items, or too many answers of the
            baseline are missing.
    """
    if variant.stopped and not isinstance(gate, PairedAccuracyGate):
        raise MeasurementError(
            f"{gate.suite}: the variant was stopped after {variant.num_issued} items, and "
            f"{gate.id} judges the whole"
        )
    _check_conditions(gate, baseline, variant)
    theirs, mine = by_item(baseline), by_item(variant)
    if variant.stopped:
        theirs = {item: sample for item, sample in theirs.items() if item in mine}
    _check_same(theirs, mine)
    _check_numbers(gate, theirs, variant.num_spared if variant.stopped else 0)
    if not theirs or not mine:
        raise MeasurementError(f"{gate.suite} ({baseline.path}): an arm was asked nothing")
    _check_cuts(gate, theirs, mine)
    return theirs, mine


def by_item(result: SuiteResult) -> dict[str, Sample]:
    """Return the samples of one arm by item.

    Raises:
        MeasurementError: an item is there twice, or was issued and is not there.
    """
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


def _check_numbers(gate: SuiteGate, theirs: dict[str, Sample], num_spared: int) -> None:
    if len(theirs) + num_spared < gate.min_items:
        raise MeasurementError(f"{len(theirs)} items, {gate.min_items} are needed")
    missing = sum(sample.is_correct is None for sample in theirs.values())
    if missing > gate.max_missing * len(theirs):
        raise MeasurementError(
            f"{missing} of {len(theirs)} baseline answers are missing, at most "
            f"{gate.max_missing:.0%} may be"
        )
