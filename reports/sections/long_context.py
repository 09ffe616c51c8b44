"""Long context: the share of right answers at each length of the context."""

from collections.abc import Sequence

from evals.results import Sample, SuiteResult
from evals.statistics import exact_interval
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.figures.means import CONFIDENCE
from reports.view import Arm, View
from reports.words.numbers import NOT_MEASURED, reading

PREFIX = "long-context-"
Answered = tuple[Arm, SuiteResult]


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    groups: dict[tuple[str, str], list[Answered]] = {}
    for arm in view.arms:
        for one in arm.payloads(SuiteResult):
            if one.suite.startswith(PREFIX) and one.arm != "null" and one.samples:
                groups.setdefault((one.suite, one.path), []).append((arm, one))
    if not groups:
        return (
            Missing(
                "No suite of long context was asked. List long-context-needle, long-context-pairs "
                "or long-context-variables in the study's suites; cliff-context (Cliffs) asks the "
                "same questions in ever longer contexts."
            ),
        )
    return tuple(_table(*key, found) for key, found in sorted(groups.items()))


def _table(suite: str, path: str, found: Sequence[Answered]) -> Table:
    levels = sorted({level for _, one in found for level in map(level_of, one.samples) if level})
    first = found[0][1]
    return Table(
        caption=f"{suite} ({path}): share of right answers by length of the context, with exact "
        f"95 % bounds each side; chance is {100 * first.chance:g} %. An item without an answer "
        "counts as wrong. Losses against the baseline are judged under Quality.",
        columns=(Column("Context"), *(Column(arm.name, "number") for arm, _ in found)),
        rows=(
            *(
                (Value(f"{level:,.0f} tokens"), *(_share(one, level) for one in found))
                for level in levels
            ),
            (Value("all lengths"), *(_share(one, None) for one in found)),
        ),
    )


def level_of(sample: Sample) -> float | None:
    """Return an item's place on its suite's axis, or the length that its cluster names.

    Example: an item of cluster `1024@0.25` stands in a context of 1024 tokens.
    """
    if sample.level is not None:
        return sample.level
    length, at, _ = sample.cluster.partition("@")
    return float(length) if at and length.isdecimal() else None


def _share(one: Answered, level: float | None) -> Value:
    arm, result = one
    samples = [each for each in result.samples if level is None or level_of(each) == level]
    if not samples:
        return NOT_MEASURED
    right = sum(each.is_correct is True for each in samples)
    share = exact_interval(right, len(samples), CONFIDENCE)
    bounds = f"[{100 * share.lower:.1f}, {100 * share.upper:.1f}], {right:,} of {len(samples):,}"
    told = reading(100 * share.estimate, "%")
    return Value(told.text, exact=told.exact, note=bounds, colour=arm.colour)


SECTION = Section("long-context", "Long context", build)
