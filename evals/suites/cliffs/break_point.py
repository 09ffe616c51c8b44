"""Where a model breaks: the first level at which half of what it could do is surely gone.

At each level the share of right answers has exact bounds (Clopper-Pearson). The break point is the
first level whose upper bound lies below the halfway line, chance + (share at the lowest level -
chance) / 2: half of what lies above chance, as a half-maximal point is read off a dose-response
curve. Where chance is 0 it is half of the share itself, which NoLiMa (Modarressi et al., arXiv
2502.05167) counts models by. One level decides, not a fitted slope, for calls break rather than
fade; the bound decides, not the estimate, so that few items show no break that is none. A model
that is not clearly above chance at the lowest level has nothing to lose: no break point is defined.

Worked example, chance 0, 25 items a level: right are 20, 19, 18, 8, 2, 0 at 1, 2, 4, 8, 16 and 32
tools. The halfway line is 20 / 25 / 2 = .40. At 8 tools 8 of 25 are right, .32, at most .504: not
surely below. At 16, 2 of 25, at most .231: the break point is 16.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evals.results import Sample
from evals.statistics import Interval, PairedCounts, exact_interval, tango_interval
from evals.suites.cliffs.axis import base_of
from variants.errors import MeasurementError

CONFIDENCE = 0.95  # of each bound alone
MIN_ABOVE_CHANCE = 0.10  # as the gates ask of a baseline
LEFT = 0.5  # of what lies above chance


@dataclass(frozen=True, slots=True)
class Standing:
    """How one arm does at one level."""

    level: float
    share: Interval  # of items that are right
    lost: Interval | None  # share of base items lost since the lowest level; None: this is it


@dataclass(frozen=True, slots=True)
class Curve:
    """How one arm does along an axis, lowest level first."""

    standings: tuple[Standing, ...]
    is_at_floor: bool  # at the lowest level; then no break point is defined
    break_point: float | None  # None: no break was seen, or none is defined


def curve_of(samples: Iterable[Sample], chance: float, confidence: float = CONFIDENCE) -> Curve:
    """Follow one arm along its axis; an item without an answer is not right.

    Raises:
        MeasurementError: a sample has no level, or there is none.
    """
    levels = by_level(samples)
    first = next(iter(levels.values()))
    standings = tuple(
        Standing(level, _share(found, confidence), _lost(first, found, confidence))
        for level, found in levels.items()
    )
    lowest = standings[0].share
    is_at_floor = lowest.lower <= chance + MIN_ABOVE_CHANCE
    halfway = chance + LEFT * (lowest.estimate - chance)
    broken = (one.level for one in standings if one.share.upper < halfway)
    return Curve(standings, is_at_floor, None if is_at_floor else next(broken, None))


def by_level(samples: Iterable[Sample]) -> dict[float, list[Sample]]:
    """Group samples by level, lowest first.

    Raises:
        MeasurementError: a sample has no level, or there is none.
    """
    found: defaultdict[float, list[Sample]] = defaultdict(list)
    for sample in samples:
        if sample.level is None:
            raise MeasurementError(f"item {sample.item!r} has no level; give a suite with an axis")
        found[sample.level].append(sample)
    if not found:
        raise MeasurementError("no sample stands on the axis; a curve needs at least one level")
    return {level: found[level] for level in sorted(found)}


def _share(samples: Sequence[Sample], confidence: float) -> Interval:
    num_right = sum(sample.is_correct is True for sample in samples)
    return exact_interval(num_right, len(samples), confidence)


def _lost(first: Sequence[Sample], samples: Sequence[Sample], confidence: float) -> Interval | None:
    """Bound the share of base items that are right at the lowest level and not here, net."""
    if first is samples:
        return None
    before, after = (
        {base_of(s.item): s.is_correct is True for s in one} for one in (first, samples)
    )
    pairs = [(before[base], after[base]) for base in before if base in after]
    return tango_interval(counts_of(pairs), confidence) if pairs else None


def counts_of(pairs: Sequence[tuple[bool, bool]]) -> PairedCounts:
    """Count pairs of right or not, the first of each the reference."""
    lost = sum(before and not after for before, after in pairs)
    won = sum(after and not before for before, after in pairs)
    return PairedCounts(lost, won, len(pairs))
