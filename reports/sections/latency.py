"""How long single requests took: distributions, their tails, and what did not end ok."""

from collections.abc import Sequence

from evals.performance.latency import LEFT
from evals.results import Cell
from evals.workload.slo import Slo
from reports.blocks import (
    Block,
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
from reports.charts import Curve, cumulative, times
from reports.figures.latencies import FLOORS, Distribution, Outcomes, Tail
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, reading

TITLES = {"ttft_ms": "TTFT", "tpot_ms": "TPOT", "e2e_ms": "End to end"}
# Outcome -> head of its column; the rest are requests whose caller left by plan.
OK = "ok"
ENDINGS = {
    OK: "Ended ok",
    "timeout": "Timeout",
    "http_error": "HTTP error",
    "stream_error": "Stream broke",
    "truncated": "Cut short",
}
WORDS = {
    "ttft_ms": "Time to first token, from when the request was due: the share of requests that "
    "took at most so long; further left is faster. Cells that are judged, all on one axis. Marks "
    "are the percentiles of the table; red is the SLO's limit, left out where it is far beyond "
    "all that was measured. Requests that failed have no latency and are counted below.",
    "tpot_ms": "Time per output token, after the first read of a request.",
    "e2e_ms": "End to end, from when the request was due to its last token.",
}
UNKNOWN = (
    "The traces of single requests were not read for this page; `with_latencies` of "
    "reports/figures/distributions.py adds them where the store is at hand."
)


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    if not any(arm.payloads(Cell) for arm in view.arms):
        return (Missing("No load was sent in this run: no latency was measured."),)
    if not view.told.outcomes:
        return (Missing(UNKNOWN),)
    if not view.told.distributions:
        nothing = "No request of a valid repeat ended ok, or its traces are lost: no latency."
        return (Missing(nothing), _endings(view))
    return (*_figures(view), _tails(view), _endings(view))


def _figures(view: View) -> tuple[Block, ...]:
    judged = [spec.name for spec in view.told.study.workload.cells if spec.judged]
    found = [one for one in view.told.distributions if one.cell in judged]
    if not found:
        return (Missing("Of no cell that is judged are there latencies of valid repeats."),)
    return tuple(
        _figure(view, metric, [one for one in found if one.metric == metric])
        for metric in dict.fromkeys(one.metric for one in found)
    )


def _figure(view: View, metric: str, found: list[Distribution]) -> Figures:
    title, limit_ms = TITLES[metric], _limits(view.told.study.slo)[metric]
    arms = [arm for arm in view.arms if arm.name in {one.arm for one in found}]
    cells = [spec.name for spec in view.told.study.workload.cells]
    curves = {
        (one.cell, arm.name): _curve(one, arm.colour)
        for arm in arms
        for one in found
        if one.arm == arm.name
    }
    axis = times(title, curves.values(), limit_ms)
    charts = tuple(
        cumulative(cell, axis, own)
        for cell in cells
        if (own := [curve for (at, _), curve in curves.items() if at == cell])
    )
    return Figures(WORDS[metric], legend_of(arms), charts)


def _limits(slo: Slo) -> dict[str, float | None]:
    return {"ttft_ms": slo.ttft_ms, "tpot_ms": slo.tpot_ms, "e2e_ms": slo.e2e_ms}


def _curve(found: Distribution, colour: int) -> Curve:
    marked = tuple(
        (tail.probability, tail.value_ms) for tail in found.tails if tail.value_ms is not None
    )
    return Curve(found.arm, colour, found.n, found.seen(), marked)


def _tails(view: View) -> Table:
    found = {(one.cell, one.arm, one.metric): one for one in view.told.distributions}
    shown = [at for at in FLOORS if any(_has(one, at) for one in found.values())]
    return Table(
        caption=_how_to_read(shown),
        columns=(
            Column("Cell"), Column("Arm"), Column("Requests", "number"),
            *(Column(f"{title} p{100 * at:g}", "number") for title in TITLES.values()
              for at in shown),
        ),
        rows=tuple(
            _row(arm, spec.name, [found.get((spec.name, arm.name, one)) for one in TITLES], shown)
            for spec in view.told.study.workload.cells
            for arm in view.arms
            if (spec.name, arm.name, "e2e_ms") in found
        ),
        is_stacked=False,
    )  # fmt: skip


def _how_to_read(shown: Sequence[float]) -> str:
    floors = ", ".join(f"p{100 * at:g} {floor:,}" for at, floor in FLOORS.items() if floor > 1)
    absent = ", ".join(f"p{100 * at:g}" for at in FLOORS if at not in shown)
    return (
        "Percentiles in ms, of all judged requests that ended ok in valid repeats. In brackets: "
        "Student's t bounds, 95 % each side, over the repeats' own percentiles, where two or more "
        f"have enough requests for one. A dash: fewer requests than it needs ({floors}), or none "
        "that has such a latency" + (f"; no cell has enough for {absent}." if absent else ".")
    )


def _has(one: Distribution, probability: float) -> bool:
    return _at(one, probability).value_ms is not None


def _at(one: Distribution, probability: float) -> Tail:
    return next(tail for tail in one.tails if tail.probability == probability)


def _row(
    arm: Arm, cell: str, found: Sequence[Distribution | None], shown: Sequence[float]
) -> tuple[Value, ...]:
    num = max(one.n for one in found if one is not None)
    return (
        Value(cell),
        Value(arm.name, colour=arm.colour),
        Value(f"{num:,}"),
        *(NOT_ASKED if one is None else _tail(_at(one, at), "" if one.n == num else f"of {one.n:,}")
          for one in found for at in shown),
    )  # fmt: skip


def _tail(tail: Tail, of: str) -> Value:
    if tail.value_ms is None:
        return NOT_ASKED
    notes = [of]
    if tail.lower_ms is not None and tail.upper_ms is not None:
        bounds = f"[{reading(tail.lower_ms).text}, {reading(tail.upper_ms).text}]"
        notes.append(f"{bounds}, n\u00a0=\u00a0{tail.num_repeats}")
    return reading(tail.value_ms, note=" ".join(filter(None, notes)))


def _endings(view: View) -> Block:
    """Lay out how requests ended where not all ended ok; in one line where all did."""
    found = {(one.cell, one.arm): one for one in view.told.outcomes}
    if not any(map(_is_troubled, found.values())):
        num_left = sum(one.num(outcome) for one in found.values() for outcome in LEFT)
        left = f"; {num_left:,} were left by plan" if num_left else ""
        num_ok = sum(one.num(OK) for one in found.values())
        return Prose(
            f"All {num_ok:,} requests that came inside a window and were waited for ended "
            f"ok{left}; the traces of every repeat are what their digests say."
        )
    return Table(
        caption="How the requests that came inside the window ended, where not all ended ok; over "
        "all repeats, also those that are not valid: failures may be why. Traces of a repeat that "
        "are missing, or are not what their digest says, are shown nowhere above.",
        columns=(
            Column("Cell"), Column("Arm"), *(Column(head, "number") for head in ENDINGS.values()),
            Column("Left by plan", "number"), Column("Traces"),
        ),
        rows=tuple(
            _ended(arm, found[spec.name, arm.name])
            for spec in view.told.study.workload.cells
            for arm in view.arms
            if (spec.name, arm.name) in found and _is_troubled(found[spec.name, arm.name])
        ),
        is_stacked=False,
    )  # fmt: skip


def _is_troubled(found: Outcomes) -> bool:
    failed = sum(found.num(ending) for ending in ENDINGS if ending != OK)
    return failed > 0 or bool(found.lost)


def _ended(arm: Arm, found: Outcomes) -> tuple[Value, ...]:
    is_read = bool(found.counts) or not found.lost
    counts = [found.num(ending) for ending in ENDINGS]
    counts.append(sum(found.num(outcome) for outcome in LEFT))
    return (
        Value(found.cell),
        Value(arm.name, colour=arm.colour),
        *(Value(f"{count:,}", tone=_tone(at, count)) if is_read else NOT_ASKED
          for at, count in enumerate(counts)),
        _traces(found),
    )  # fmt: skip


def _tone(at: int, count: int) -> Tone:
    return "fail" if 0 < at < len(ENDINGS) and count else "plain"


def _traces(found: Outcomes) -> Value:
    if not found.lost:
        return Value("verified")
    return Value(
        f"traces missing: {len(found.lost)}",
        exact="; ".join(f"{one.repeat}: {one.why}" for one in found.lost),
        note=", ".join(one.repeat for one in found.lost),
        tone="fail",
    )


SECTION = Section("latency", "Latency distributions", build)
