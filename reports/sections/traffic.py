"""What was really sent, what of it the cache knew, and what the engine took to answer."""

from collections.abc import Callable, Sequence
from statistics import fmean

from evals.results import Cell, TenantUse
from reports.blocks import Block, Column, Missing, Section, Table, Value, trimmed
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, NOT_MEASURED, num_bytes, reading, rounded

STAGES = ("queue_seconds", "prefill_seconds", "decode_seconds")


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    pairs = [
        (arm, name)
        for name in (spec.name for spec in view.told.study.workload.cells)
        for arm in view.arms
        if arm.cells(name)
    ]
    if not pairs:
        return (Missing("No load was sent in this run."),)
    return (trimmed(_sent(pairs)), *_tenants(view, pairs))


def _sent(pairs: Sequence[tuple[Arm, str]]) -> Table:
    return Table(
        caption="Means over all repeats. Arrivals: requests that really came in the window and "
        "were judged, and the variance of their counts / mean (Poisson: 1, even: 0). Cache: prompt "
        "tokens that the prefix cache held. Engine time: share of queueing, prefill and decode by "
        "the engine's own clock. Rest: from the last caller gone until nothing runs and memory is "
        "free again.",
        columns=(
            Column("Cell"),
            Column("Arm"),
            Column("Arrivals", "number"),
            Column("Cache", "number"),
            Column("Answers", "number"),
            Column("Queue, prefill, decode", "number"),
            Column("Engine took", "number"),
            Column("Rest", "number"),
        ),
        rows=tuple(_row(arm, name, arm.cells(name)) for arm, name in pairs),
        is_stacked=False,
    )


def _row(arm: Arm, name: str, cells: Sequence[Cell]) -> tuple[Value, ...]:
    return (
        Value(name),
        Value(arm.name, colour=arm.colour),
        _arrivals(cells),
        _percent(_mean(cells, _cached_share)),
        _answers(cells),
        _stages(cells),
        _took(cells),
        reading(_metric(cells, "recovery_ms"), "ms"),
    )


def _arrivals(cells: Sequence[Cell]) -> Value:
    dispersion = _metric(cells, "arrival_dispersion")
    note = "closed loop" if dispersion is None else f"dispersion {rounded(dispersion)}"
    return reading(_metric(cells, "request_rate_rps"), "requests/s", note=note)


def _answers(cells: Sequence[Cell]) -> Value:
    valid = _metric(cells, "valid_answers")
    note = "" if valid is None else f"{valid:.1%} valid"
    return reading(_metric(cells, "output_tokens_mean"), "tokens", note=note)


def _stages(cells: Sequence[Cell]) -> Value:
    seconds = [_engine(cells, key) for key in STAGES]
    known = [value for value in seconds if value is not None]
    if len(known) < len(seconds) or not sum(known):
        return NOT_MEASURED
    return Value(" / ".join(f"{value / sum(known):.0%}" for value in known))


def _took(cells: Sequence[Cell]) -> Value:
    energy, cores = _metric(cells, "energy_j_per_token"), _metric(cells, "engine_cpu_cores")
    if energy is not None:
        power = _metric(cells, "device_power_w")
        return reading(energy, "J/token", note="" if power is None else f"{rounded(power)} W")
    peak = _metric(cells, "engine_rss_bytes")
    note = "" if peak is None else f"{num_bytes(round(peak)).text} resident"
    return reading(cores, "cores", note=note)


def _tenants(view: View, pairs: Sequence[tuple[Arm, str]]) -> tuple[Block, ...]:
    price = view.told.study.price_per_device_hour
    rows = tuple(row for arm, name in pairs for row in _tenant_rows(arm, name, price))
    if not rows:
        return ()
    caption = (
        "Tenants of the cells that mix them, over all repeats. Share: of the tokens that were "
        "computed (prompt less cached, and output), which is what a bill would follow."
    )
    heads = ("Attainment", "Prompt tokens", "Output tokens", "Share")
    columns = (
        Column("Cell"), Column("Arm"), Column("Tenant"), Column("Requests ok", "number"),
        *(Column(head, "number") for head in heads), Column("Cost", "number"),
    )  # fmt: skip
    return (Table(caption, columns, rows, is_stacked=False),)


def _tenant_rows(arm: Arm, name: str, price: float | None) -> list[tuple[Value, ...]]:
    cells = arm.cells(name)
    names = dict.fromkeys(use.name for cell in cells for use in cell.tenants)
    return [
        (
            Value(name),
            Value(arm.name, colour=arm.colour),
            Value(tenant),
            *_use([use for cell in cells for use in cell.tenants if use.name == tenant], price),
        )
        for tenant in names
    ]


def _use(uses: Sequence[TenantUse], price: float | None) -> tuple[Value, ...]:
    shares = [use.attainment for use in uses if use.attainment is not None]
    cached = [use.cached_tokens for use in uses if use.cached_tokens is not None]
    note = f"{sum(cached):,} cached" if len(cached) == len(uses) else ""
    share = fmean(use.share for use in uses)
    return (
        Value(f"{sum(use.num_ok for use in uses):,} of {sum(use.num_judged for use in uses):,}"),
        _percent(fmean(shares)) if shares else NOT_ASKED,
        Value(f"{sum(use.prompt_tokens for use in uses):,}", note=note),
        Value(f"{sum(use.output_tokens for use in uses):,}"),
        _percent(share),
        NOT_ASKED if price is None else reading(share * price, "USD/device hour"),
    )


def _cached_share(cell: Cell) -> float | None:
    hits, asked = (cell.engine.get(f"prefix_{name}_tokens_total") for name in ("hit", "query"))
    return hits / asked if hits is not None and asked else None


def _metric(cells: Sequence[Cell], key: str) -> float | None:
    return _mean(cells, lambda cell: cell.metrics.get(key))


def _engine(cells: Sequence[Cell], key: str) -> float | None:
    return _mean(cells, lambda cell: cell.engine.get(key))


def _mean(cells: Sequence[Cell], of: Callable[[Cell], float | None]) -> float | None:
    known = [value for cell in cells if (value := of(cell)) is not None]
    return fmean(known) if known else None


def _percent(share: float | None) -> Value:
    return NOT_MEASURED if share is None else Value(f"{share:.1%}", exact=repr(share))


SECTION = Section("traffic", "Traffic and what it took", build)
