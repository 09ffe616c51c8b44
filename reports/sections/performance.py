"""Goodput and latency against load, for each arm, with repeats, bounds and the SLO."""

import math
from dataclasses import replace
from statistics import fmean

from evals.gates.metrics import METRICS, Metric
from evals.results import Cell
from evals.statistics import mean_interval
from reports.blocks import (
    Block,
    Chart,
    Column,
    Figures,
    Missing,
    Prose,
    Section,
    Table,
    Tone,
    Value,
    legend_of,
)
from reports.charts import LoadMetric, Points, load_chart
from reports.figures.drift import drift_words
from reports.figures.loads import Panel, panels
from reports.figures.losses import Wording, find_losses, loss_blocks
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, NOT_MEASURED, SCALED, reading

# Metric -> title of its chart, head of its column.
CHARTED = {
    "goodput_rps": ("Goodput: requests inside the SLO", "Goodput"),
    "attainment": ("Attainment: share inside the SLO", "Attainment"),
    "output_tokens_per_s": ("Output throughput", "Throughput"),
    "tpot_ms": ("Time per output token, mean", "TPOT, mean"),
    "ttft_ms": ("Time to first token, median of a repeat", "TTFT, median of a repeat"),
}
TITLE = "Goodput and latency against load"
FEWEST = 3  # repeats for a whisker: of two it would reach over the page
CONFIDENCE = 0.95  # of each bound, as in the gates


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    if not any(arm.payloads(Cell) for arm in view.arms):
        return (Missing("No load was sent in this run: throughput and latency were not measured."),)
    drawn = [_figures(view, panel) for panel in panels(view.told.study.workload.cells)]
    drift = drift_words(view)
    return (
        Prose(_how_to_read(view)),
        *([Prose(drift)] if drift else []),
        *(figures for figures in drawn if figures.charts),
        *_losses(view),
        _table(view),
    )


def _how_to_read(view: View) -> str:
    slo = view.told.study.slo
    return (
        "Faint dots are valid repeats, the mark is their mean, the whisker Student's t bounds at "
        f"95 % each side, from three repeats on. Red is the SLO: TTFT {slo.ttft_ms:g} ms, TPOT "
        f"{slo.tpot_ms:g} ms, {slo.attainment:.0%} of requests; it is left out where it is far "
        "above all that was measured. Verdicts rest on paired repeats, not on these whiskers."
    )


def _figures(view: View, panel: Panel) -> Figures:
    drawn = [_chart(view, panel, name) for name in panel.metrics]
    return Figures(
        panel.name,
        legend_of(arm for arm in view.arms if arm.payloads(Cell)),
        tuple(chart for chart in drawn if chart is not None),
    )


def _losses(view: View) -> tuple[Block, ...]:
    losses = find_losses(view, "no_worse")
    if not losses:
        return (Missing("No cell was judged: figures exist, but no paired comparison was made."),)
    caption = (
        "Performance lost against the baseline, in % of its figure, cell by cell: the operating "
        "envelope. To the right is worse; the red tick is the margin; 95 % bounds each "
        "side over paired repeats."
    )
    return loss_blocks(
        losses, Wording("performance lost", caption, "Gate and cell", "Repeats", "%")
    )


def _chart(view: View, panel: Panel, name: str) -> Chart | None:
    metric = METRICS[name]
    points = tuple(
        replace(found, load=load)
        for cell, load in panel.loads.items()
        for arm in view.arms
        if (found := _points(arm, cell, metric)) is not None
    )
    if not points:
        return None
    slo = view.told.study.slo
    limits = {"tpot_ms": slo.tpot_ms, "ttft_ms": slo.ttft_ms, "attainment": slo.attainment}
    factor, unit = SCALED.get(metric.unit, (1.0, metric.unit))
    limit = limits[name] * factor if name in limits else None
    of_load = slo.attainment if name == "goodput_rps" else None
    asked = LoadMetric(CHARTED[name][0], unit, limit, of_load)
    return load_chart(asked, points, panel.axis)


def _points(arm: Arm, name: str, metric: Metric) -> Points | None:
    factor, _ = SCALED.get(metric.unit, (1.0, ""))
    values = tuple(
        value * factor
        for cell in arm.cells(name)
        if not cell.invalid and (value := cell.metrics.get(metric.key or "")) is not None
    )
    if not values:
        return None
    has_bounds = len(values) >= FEWEST and not (metric.unit == "share" and len(set(values)) == 1)
    if not has_bounds:  # of shares that are all alike Student's t knows nothing
        return Points(name, arm.name, arm.colour, values, fmean(values))
    bound = mean_interval(values, CONFIDENCE)
    most = 100.0 if metric.unit == "share" else math.inf  # no share exceeds the whole
    lower, upper = max(bound.lower, 0.0), min(bound.upper, most)
    return Points(name, arm.name, arm.colour, values, bound.estimate, lower, upper)


def _table(view: View) -> Table:
    names = [spec.name for spec in view.told.study.workload.cells]
    return Table(
        caption="Mean over valid repeats, with 95 % bounds each side. Goodput and attainment are "
        "defined where requests arrive by themselves, not in closed loops. Why a repeat is not "
        "valid: section Validity.",
        columns=(
            Column("Cell"),
            Column("Arm"),
            *(Column(head, "number") for _, head in CHARTED.values()),
            Column("Requests ok", "number"),
            Column("Repeats"),
        ),
        rows=tuple(_row(arm, name) for name in names for arm in view.arms if arm.cells(name)),
        is_stacked=False,
    )


def _row(arm: Arm, name: str) -> tuple[Value, ...]:
    cells = arm.cells(name)
    offered = sum(cell.num_offered for cell in cells)
    return (
        Value(name),
        Value(arm.name, colour=arm.colour),
        *(_mean(arm, name, METRICS[metric]) for metric in CHARTED),
        Value(f"{sum(cell.num_ok for cell in cells):,} of {offered:,}"),
        _validity(cells),
    )


def _mean(arm: Arm, name: str, metric: Metric) -> Value:
    points = _points(arm, name, metric)
    if points is None:
        return NOT_ASKED if metric.is_open_only else NOT_MEASURED
    bounds = ""
    if points.lower is not None and points.upper is not None:
        bounds = f"[{reading(points.lower).text}, {reading(points.upper).text}]"
    _, unit = SCALED.get(metric.unit, (1.0, metric.unit))
    return reading(points.mean, unit, note=bounds)


def _validity(cells: tuple[Cell, ...]) -> Value:
    num_valid = sum(not cell.invalid for cell in cells)
    tone: Tone = "plain" if num_valid == len(cells) else "fail"
    return Value(f"{num_valid} of {len(cells)} valid", tone=tone)


SECTION = Section("performance", TITLE, build)
