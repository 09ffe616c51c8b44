"""How much accuracy an arm keeps against the baseline, over the suites that judge it.

The figure is the pooled gate's where it has one: the mean loss over the suites that block, on which
the baseline is clearly above chance, each by its worst path, bounded. Else it is the plain mean of
the suites' own losses, which has no bounds; a single suite keeps its own.

Example: losses of .6 and 2.8 points, pooled 1.7 [.5, 3.0]: -1.7 points [-3.0, -.5], of 2 suites.
"""

from dataclasses import dataclass
from statistics import fmean

from evals.gates.decision import Decision
from evals.gates.verdict import Figures, Verdict
from reports.blocks import Value
from reports.words.numbers import NOT_MEASURED, interval

POINTS = 100.0  # in a whole; `+ 0.0` below turns -0 into 0


@dataclass(frozen=True, slots=True)
class Kept:
    """Points of accuracy against the baseline (below 0: lost), bounds, and over which suites."""

    points: float
    lower: float | None
    upper: float | None
    suites: tuple[str, ...]
    n: int | None  # items


def kept_of(decision: Decision | None) -> Kept | None:
    """Return what a variant keeps; None: no suite was answered by both arms and judged."""
    told = [one for one in decision.verdicts if _is_told(one)] if decision else []
    suites = [one for one in told if one.kind == "paired_accuracy" and one.tier != "advisory"]
    pooled = next((one for one in told if one.kind == "pooled_accuracy"), None)
    if pooled is not None:
        names = tuple(row.label for row in pooled.details[1:])
        return _kept(pooled, names)
    if len(suites) == 1:
        return _kept(suites[0], (suites[0].gate,))
    losses = [one.estimate for one in suites if one.estimate is not None]
    if not losses:
        return None
    items = sum(one.n or 0 for one in suites)
    return Kept(-POINTS * fmean(losses) + 0.0, None, None, tuple(one.gate for one in suites), items)


def kept_value(kept: Kept | None) -> Value:
    """Read what is kept, with its bounds, items and suites."""
    if kept is None:
        return NOT_MEASURED
    said = interval(kept.points, kept.lower, kept.upper, "points")
    suites = f"{len(kept.suites)} suite{'' if len(kept.suites) == 1 else 's'}"
    items = f"n\u00a0=\u00a0{kept.n:,} items" if kept.n is not None else ""
    note = ", ".join(filter(None, (said.note or "no bounds", items, suites)))
    return Value(said.text, exact="; ".join(kept.suites), note=note)


def _is_told(verdict: Verdict) -> bool:
    """Whether it has a figure: not where the baseline has nothing to lose."""
    return verdict.estimate is not None and verdict.outcome != "NOT_APPLICABLE"


def _kept(loss: Figures, suites: tuple[str, ...]) -> Kept:
    """Turn a loss round: its upper bound is the lower one of what is kept."""
    assert loss.estimate is not None
    lower, upper = (
        None if end is None else -POINTS * end + 0.0 for end in (loss.upper, loss.lower)
    )
    return Kept(-POINTS * loss.estimate + 0.0, lower, upper, suites, loss.n)
