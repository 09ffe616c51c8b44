"""The front by hand, and the section that shows it."""

import pytest

from evals.gates.verdict import Row, Verdict
from evals.performance.engine_metrics import REQUIRED
from reports.blocks import Figures, Missing
from reports.figures.front import Candidate, Extent, places
from reports.figures.quality_kept import kept_of
from reports.sections.pareto import SECTION
from reports.view import View
from tests.reports import judged
from tests.reports.building import (
    cell,
    decided,
    empty,
    memory,
    notes,
    rows,
    study_of,
    table,
    view_of,
)

MIB = 1 << 20


def at(name: str, *figures: tuple[float, float, float]) -> Candidate:
    return Candidate(name, tuple(Extent(*one) for one in figures))


def test_the_front_by_hand() -> None:
    """c is behind b (-2 < -1, 25 < 30); a and b each have one figure the other lacks."""
    found = places([
        at("a", (0, 0, 0), (20, 19, 21)), at("b", (-1, -2, 0), (30, 27, 33)),
        at("c", (-2, -3, -1), (25, 20, 31)),
    ])  # fmt: skip
    assert [found[name].is_on_front for name in "abc"] == [True, True, False]
    assert found["c"].behind == ("b",)
    assert found["c"].not_told_apart == ("b",)  # [-3, -1] and [-2, 0]; [20, 31] and [27, 33]
    assert found["a"].not_told_apart == ()  # 0 touches b's 0, but 21 < 27


def test_equals_are_both_on_the_front() -> None:
    same = ((1.0, 1.0, 1.0), (2.0, 2.0, 2.0))
    found = places([at("a", *same), at("b", *same)])
    assert found["a"].is_on_front
    assert found["b"].is_on_front
    assert found["a"].not_told_apart == ("b",)


def loss(gate: str, estimate: float, **fields: object) -> Verdict:
    return Verdict.model_validate(
        {"gate": gate, "tier": "required", "kind": "paired_accuracy", "outcome": "PASS",
         "reason": "", "estimate": estimate, "lower": estimate - 0.02, "upper": estimate + 0.02,
         "n": 400, "unit": "share of items"} | fields
    )  # fmt: skip


def test_what_is_kept_by_hand() -> None:
    """Losses of 1 and 3 points: mean 2, unbounded; pooled bounds where the gate has them."""
    both = (loss("mmlu", 0.01), loss("tools", 0.03))
    plain = kept_of(decided("fast", "HOLD", *both))
    assert plain is not None
    assert plain.points == pytest.approx(-2.0)
    assert (plain.lower, plain.n) == (None, 800)
    pooled = loss("all", 0.02, kind="pooled_accuracy", n=800, details=(
        Row(label="mean of all suites", outcome="PASS"),
        Row(label="mmlu", outcome="NOT_APPLICABLE"), Row(label="tools", outcome="NOT_APPLICABLE"),
    ))  # fmt: skip
    kept = kept_of(decided("fast", "HOLD", *both, pooled))
    assert kept is not None
    assert kept.suites == ("mmlu", "tools")
    assert kept.lower == pytest.approx(-4.0)
    assert kept.upper == pytest.approx(0.0)
    single = kept_of(decided("fast", "HOLD", both[0]))
    assert single is not None
    assert single.lower == pytest.approx(-3.0)


def test_a_floored_or_advisory_suite_does_not_count() -> None:
    floored = loss("mmlu", 0.0, outcome="NOT_APPLICABLE")
    shown = loss("tools", 0.3, tier="advisory")
    assert kept_of(decided("fast", "HOLD", floored, shown)) is None


def view(**fields: object) -> View:
    """Speed 10 and 5 ms, 100 and 200 tokens/s, memory 300 + 100 and 200 + 100 MiB.

    Both arms of a comparison are of the variant's records, as they were measured in turns.
    """
    arms = (("baseline", 10, 100, 300), ("fast", 5, 200, 200))
    cells = {
        name: [cell(name, repeat=one, engine=dict.fromkeys(REQUIRED, 0.0),
                    metrics={"tpot_ms_mean": ms, "output_tokens_per_s": speed})
               for one in range(2)]
        for name, ms, speed, _ in arms
    }  # fmt: skip
    loaded = {name: memory(name, weights * MIB, 100 * MIB) for name, _, _, weights in arms}
    measured = {
        "baseline": [*cells["baseline"], loaded["baseline"]],
        "fast": [*cells["baseline"], *cells["fast"], loaded["fast"]],
    }
    return view_of(study_of(**fields), measured, [decided("fast", "PROMOTE", loss("mmlu", 0.01))])


def test_the_section_by_hand() -> None:
    """Price 3.6 USD: 3.6 / (100 x 3600) x 1e6 = 10 USD, and 5 USD at 200 tokens/s."""
    blocks = SECTION.build(view(price_per_device_hour=3.6))
    assert isinstance(blocks[0], Figures)
    assert [chart.title for chart in blocks[0].charts] == [
        "Gain in time per output token, closed-1", "Gain in output tokens per second, closed-1",
        "Weights and KV cache",
    ]  # fmt: skip
    assert rows(table(blocks)) == [
        ["baseline", "0 points", "0 %", "0 %", "0.391 GiB", "10 USD",
         "speed, throughput, memory"],
        ["fast", "−1.00 points", "+50.0 %", "+100 %", "0.293 GiB", "5 USD",
         "speed, throughput, memory"],
    ]  # fmt: skip
    assert notes(table(blocks))[1][1] == "[−3.00, +1.00], n\u00a0=\u00a0400 items, 1 suite"


def test_no_price_no_column() -> None:
    titles = [column.title for column in table(SECTION.build(view())).columns]
    assert titles == ["Arm", "Accuracy", "Speed", "Throughput", "Memory", "On the front in"]


def test_a_variant_stopped_early_has_a_row_and_no_mark() -> None:
    blocks = SECTION.build(judged.view())
    assert isinstance(blocks[0], Figures)
    assert {row["arm"] for row in blocks[0].charts[0].rows} == {
        "baseline", "compiled", "int8-w8a8", "int4-w4a16-channel",
    }  # fmt: skip
    told = {row[0]: row[1:] for row in rows(table(blocks))}
    assert told["fp8-dynamic"] == ["not measured"] * 4 + ["–"]


def test_nothing_measured_is_said() -> None:
    (block,) = SECTION.build(empty())
    assert isinstance(block, Missing)
