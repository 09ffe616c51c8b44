"""What was measured on both sides: figures of every cell, accuracies of every suite.

Every interval is of its own run: bounds at 95 % on each side, Student's over valid repeats for
cells, Wilson's for suites, on as many items as clusters are worth (Kish, Survey Sampling, 1965).

Example: 300 of 400 items right, design effect 2: 150 of 200, 75 % [69.7, 79.7].
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evals.gates.metrics import METRICS, Metric
from evals.results import SuiteResult
from evals.statistics import Interval, design_effect, mean_interval, wilson_interval
from reports.across.sides import Sides, read_apart
from reports.blocks import Block, Column, Missing, Table, Value
from reports.content import Part
from reports.view import Arm
from reports.words.numbers import NOT_MEASURED, SCALED, rounded, signed

SHOWN = ("tpot_ms", "ttft_ms", "output_tokens_per_s", "attainment")
CONFIDENCE = 0.95  # of each bound, as in the gates
HEADS = ("A", "B", "B against A")


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in the unit it is read in; one repeat has no interval."""

    value: float
    unit: str
    n: int
    bounds: Interval | None
    of: str  # what n counts

    def told(self) -> Value:
        """Read it with its interval and n."""
        low_high = ""
        if self.bounds:
            low_high = f"[{rounded(self.bounds.lower)}, {rounded(self.bounds.upper)}], "
        return Value(
            f"{rounded(self.value)} {self.unit}".strip(),
            exact=f"{self.value!r} {self.unit}".strip(),
            note=f"{low_high}{self.n:,} {self.of}",
        )


Fill = Callable[[Sides, Arm, Arm], Iterator[tuple[Value, ...]]]


def cells_part(sides: Sides) -> Part:
    """Put the cells side by side, the baselines first: they tell how the machine was."""
    caption = (
        "mean over valid repeats with 95 % bounds each side. Not paired: the sides were measured "
        "at other times, so a difference may be the machine's; it is called apart only where "
        "intervals do not overlap, without correction for how many are compared."
    )
    blocks = _tables(sides, ("Cell", "Metric"), caption, _cell_rows)
    nothing = Missing("No cell was measured on both sides.")
    return Part("side-cells", "Performance side by side", blocks or (nothing,))


def suites_part(sides: Sides) -> Part:
    """Put the accuracies side by side, the baselines first."""
    caption = (
        "accuracy with 95 % bounds each side, an item without an answer counted wrong. Not paired "
        "item by item: how much a variant lost is in its own run's report."
    )
    blocks = _tables(sides, ("Suite", "Path"), caption, _suite_rows)
    nothing = Missing("No suite was asked on both sides.")
    return Part("side-suites", "Accuracy side by side", blocks or (nothing,))


def _tables(sides: Sides, heads: tuple[str, str], caption: str, fill: Fill) -> tuple[Block, ...]:
    """Make one table per two arms that hold anything on both sides."""
    arms: list[tuple[str, Arm, Arm]] = []
    if not sides.is_one_run:
        arms.append(("baseline", sides.a.view.baseline, sides.b.view.baseline))
    arms += [(pair.name, pair.a, pair.b) for pair in sides.pairs if pair.a and pair.b]
    columns = (*map(Column, heads), *(Column(head, "number") for head in HEADS), Column("Reading"))
    filled = ((name, tuple(fill(sides, a, b))) for name, a, b in arms)
    return tuple(Table(f"{name}: {caption}", columns, rows) for name, rows in filled if rows)


def _cell_rows(sides: Sides, a: Arm, b: Arm) -> Iterator[tuple[Value, ...]]:
    asked = [
        {spec.name: spec for spec in side.view.told.study.workload.cells}
        for side in (sides.a, sides.b)
    ]
    for name in asked[0]:
        if name not in asked[1]:
            continue
        for metric in SHOWN:
            one, other = _cell(a, name, METRICS[metric]), _cell(b, name, METRICS[metric])
            if one and other:
                reading = _reading(sides, one, other, METRICS[metric].direction == "higher")
                if asked[0][name] != asked[1][name]:
                    reading = Value("not the same load", tone="muted")
                yield (Value(name), Value(metric), *_beside(one, other), reading)


def _cell(arm: Arm, name: str, metric: Metric) -> Figure | None:
    factor, unit = SCALED.get(metric.unit, (1.0, metric.unit))
    values = [
        value * factor
        for cell in arm.cells(name)
        if not cell.invalid and (value := cell.metrics.get(metric.key)) is not None
    ]
    if not values:
        return None
    bounds = mean_interval(values, CONFIDENCE) if len(values) > 1 else None
    return Figure(math.fsum(values) / len(values), unit, len(values), bounds, "repeats")


def _suite_rows(sides: Sides, a: Arm, b: Arm) -> Iterator[tuple[Value, ...]]:
    in_a, in_b = _suites(a), _suites(b)
    for key in [key for key in in_a if key in in_b]:
        one, other = in_a[key], in_b[key]
        figures = _accuracy(one), _accuracy(other)
        reading = _reading(sides, *figures, is_higher_better=True)
        if one.items_sha256 != other.items_sha256:
            reading = Value("not the same items", tone="muted")
        yield (Value(key[0]), Value(key[1]), *_beside(*figures), reading)


def _suites(arm: Arm) -> dict[tuple[str, str], SuiteResult]:
    """Return what an arm answered by suite and path; null arms are not it."""
    results = (one for one in arm.payloads(SuiteResult) if one.arm != "null" and one.samples)
    return {(one.suite, one.path): one for one in results}


def _accuracy(suite: SuiteResult) -> Figure:
    right = [float(sample.is_correct is True) for sample in suite.samples]
    clusters = [sample.cluster for sample in suite.samples]
    effect = design_effect(right, clusters) if len(set(clusters)) > 1 else 1.0
    num_worth = max(1, math.floor(len(right) / effect))
    found = wilson_interval(round(sum(right) / len(right) * num_worth), num_worth, CONFIDENCE)
    share = 100 * sum(right) / len(right)
    bounds = Interval(share, 100 * found.lower, 100 * found.upper, len(right))
    return Figure(share, "%", len(right), bounds, "items")


def _beside(a: Figure, b: Figure) -> tuple[Value, ...]:
    """Read both, and the second against the first: in points for shares, else in %."""
    if a.unit == "%":
        change = Value(f"{signed(b.value - a.value, 1)} points", exact=f"{b.value - a.value!r}")
    elif a.value:
        percent = 100 * (b.value / a.value - 1)
        change = Value(f"{signed(percent, 1)} %", exact=f"{percent!r} %")
    else:
        change = NOT_MEASURED
    return (a.told(), b.told(), change)


def _reading(sides: Sides, a: Figure, b: Figure, is_higher_better: bool) -> Value:
    found = read_apart(sides, a.bounds, b.bounds)
    if found.text != "apart":
        return found
    is_better = (b.value > a.value) == is_higher_better
    note = f"B is {'better' if is_better else 'worse'}"
    return Value("apart", note=note, tone="pass" if is_better else "fail")
