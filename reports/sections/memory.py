"""Bytes of each arm: predicted beside measured."""

from markupsafe import Markup

from evals.results import Memory
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.charts import Part, bar_row
from reports.numbers import NOT_MEASURED, num_bytes
from reports.view import Arm, View

COLUMNS = (
    Column("Arm"),
    Column("Weights and KV cache", "chart"),
    Column("Weights", "number"),
    Column("KV cache", "number"),
    Column("KV cache room", "number"),
    Column("Process peak", "number"),
)


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = [(arm, item) for arm in view.arms for item in arm.payloads(Memory)[-1:]]
    if not found:
        return (Missing("No engine's memory was read in this run."),)
    top = max(max(sum(_measured(item)), _predicted(item)) for _, item in found)
    return (
        Table(
            caption="Solid: weights as loaded; light: KV cache; upright line: predicted sum. The "
            "process peak holds code and workspace too, and is no part of the bar.",
            columns=COLUMNS,
            rows=tuple(_row(arm, item, top) for arm, item in found),
        ),
    )


def _row(arm: Arm, item: Memory, top: float) -> tuple[Value, ...]:
    room = NOT_MEASURED
    if item.kv_cache_tokens is not None:
        room = Value(f"{item.kv_cache_tokens:,} tokens")
    return (
        Value(arm.name, colour=arm.colour),
        Value("", chart=_bar(arm, item, top)),
        _beside(item.weight_bytes, item.predicted_weight_bytes),
        _beside(item.kv_cache_bytes, item.predicted_kv_cache_bytes),
        room,
        num_bytes(item.peak_process_bytes),
    )


def _beside(measured: int | None, predicted: int) -> Value:
    value = num_bytes(measured)
    note = f"{num_bytes(predicted).text} predicted"
    return Value(value.text, exact=value.exact, note=note, tone=value.tone)


def _bar(arm: Arm, item: Memory, top: float) -> Markup:
    weights, cache = _measured(item)
    parts = (
        Part(f"weights {num_bytes(int(weights)).text}", weights),
        Part(f"KV cache {num_bytes(int(cache)).text}", cache, shade=2),
    )
    total = _predicted(item)
    return bar_row(parts, arm.colour, top, Part(f"predicted {num_bytes(int(total)).text}", total))


def _measured(item: Memory) -> tuple[float, float]:
    return float(item.weight_bytes), float(item.kv_cache_bytes or 0)


def _predicted(item: Memory) -> float:
    return float(item.predicted_weight_bytes + item.predicted_kv_cache_bytes)


SECTION = Section("memory", "Memory", build)
