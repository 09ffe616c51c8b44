"""Bytes of each arm: predicted beside measured."""

from evals.results import Memory
from reports.blocks import Block, Column, Figures, Missing, Section, Table, Value, legend_of
from reports.charts import Bar, Part, bars
from reports.view import Arm, View
from reports.words.numbers import MIB, NOT_MEASURED, num_bytes

COLUMNS = (
    Column("Arm"),
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
    caption = (
        "Solid: weights as loaded; light: KV cache; upright line: predicted sum. The process peak "
        "holds code and workspace too, and is no part of the bar."
    )
    legend = legend_of(arm for arm, _ in found)
    chart = bars("Weights and KV cache", "MiB", [_bar(arm, item) for arm, item in found])
    rows = tuple(_row(arm, item) for arm, item in found)
    return (Figures(caption, legend, (chart,)), Table("The same in numbers.", COLUMNS, rows))


def _row(arm: Arm, item: Memory) -> tuple[Value, ...]:
    room = NOT_MEASURED
    if item.kv_cache_tokens is not None:
        room = Value(f"{item.kv_cache_tokens:,} tokens")
    return (
        Value(arm.name, colour=arm.colour),
        _beside(item.weight_bytes, item.predicted_weight_bytes),
        _beside(item.kv_cache_bytes, item.predicted_kv_cache_bytes),
        room,
        num_bytes(item.peak_process_bytes),
    )


def _beside(measured: int | None, predicted: int) -> Value:
    value = num_bytes(measured)
    note = f"{num_bytes(predicted).text} predicted"
    return Value(value.text, exact=value.exact, note=note, tone=value.tone)


def _bar(arm: Arm, item: Memory) -> Bar:
    expected = item.predicted_weight_bytes + item.predicted_kv_cache_bytes
    parts = (_part("weights", item.weight_bytes), _part("KV cache", item.kv_cache_bytes or 0))
    return Bar(arm.name, arm.colour, parts, _part("predicted", expected))


def _part(name: str, size: int) -> Part:
    return Part(name, size / MIB, f"{name} {num_bytes(size).text}")


SECTION = Section("memory", "Memory", build)
