"""LoRA beside the model alone, and speculation by concurrency, by hand."""

import pytest

from evals.results import Cell, Check, Compilation, Memory, Speculated, StartUp
from evals.workload.cell import CellSpec
from reports.blocks import Figures, Missing, Prose
from reports.sections import lora, speculation, startup
from reports.sections.speculation import accepted_share, tokens_per_step
from tests.reports.building import cell, empty, memory, notes, rows, study_of, table, view_of

COUNTED: dict[str, float | None] = {
    "spec_drafted_total": 1000.0, "spec_accepted_total": 600.0, "generated_tokens_total": 900.0,
    "running": 7.5,
}  # fmt: skip


def with_adapters(*cells: CellSpec) -> dict[str, object]:
    return {"workload": {"cells": cells, "adapters": ("french", "german")}}


def test_adapters_stand_beside_the_same_load_without() -> None:
    cells = (CellSpec(closed=1), CellSpec(closed=1, adapters="mixed"))
    figures = {"tpot_ms_mean": 40.0, "ttft_ms_p50": 90.0, "output_tokens_per_s": 25.0}
    slower = {"tpot_ms_mean": 50.0, "ttft_ms_p50": 110.0, "output_tokens_per_s": 20.0}
    measured = {
        "baseline": [
            cell("baseline", metrics=figures),
            cell("baseline", "closed-1-adapters", metrics=slower),
        ]
    }
    found = table(lora.SECTION.build(view_of(study_of(**with_adapters(*cells)), measured)))
    assert rows(found) == [
        ["closed-1", "baseline", "40 ms", "90 ms", "25 tokens/s"],
        ["closed-1-adapters", "baseline", "50 ms", "110 ms", "20 tokens/s"],
    ]
    assert [line[0] for line in notes(found)] == [
        "model alone, one user at a time", "model and adapters, one user at a time",
    ]  # fmt: skip
    assert "2 adapters (french, german)" in found.caption


def test_adapters_without_a_plain_cell_say_so() -> None:
    cells = (CellSpec(closed=1), CellSpec(closed=4, adapters="mixed"))
    measured = {"baseline": [cell("baseline", "closed-4-adapters", metrics={"tpot_ms_mean": 50.0})]}
    blocks = lora.SECTION.build(view_of(study_of(**with_adapters(*cells)), measured))
    assert isinstance(blocks[-1], Missing)
    assert "beside closed-4-adapters" in blocks[-1].text


def test_acceptance_by_hand() -> None:
    """600 of 1000 accepted; 900 tokens in 300 steps are 3 a step."""
    found = cell("fast", engine=COUNTED, metrics={"tpot_ms_mean": 12.0})
    assert accepted_share(found) == 0.6
    assert tokens_per_step(found) == 3.0
    study = study_of(CellSpec(closed=1), CellSpec(closed=8))
    many = cell("fast", "closed-8", engine=COUNTED | {"spec_accepted_total": 300.0},
                metrics={"tpot_ms_mean": 30.0})  # fmt: skip
    measured = {"baseline": [cell("baseline")], "fast": [found, many]}
    shown = table(speculation.SECTION.build(view_of(study, measured)))
    assert rows(shown) == [
        ["closed-1", "fast", "7.50", "60 %", "3 tokens", "12 ms"],
        ["closed-8", "fast", "7.50", "30 %", "1.50 tokens", "30 ms"],
    ]


@pytest.mark.parametrize(
    "engine",
    [{}, {"spec_drafted_total": 0.0, "spec_accepted_total": 0.0}, {"spec_drafted_total": 5.0}],
)
def test_nothing_drafted_has_no_share(engine: dict[str, float | None]) -> None:
    found: Cell = cell("fast", engine=engine)
    assert accepted_share(found) is None
    assert tokens_per_step(found) is None


def test_none_of_it_is_said_with_the_setting_that_would() -> None:
    for section, setting in ((lora.SECTION, "workload.adapters"),
                             (speculation.SECTION, "ngram_speculation")):  # fmt: skip
        (block,) = section.build(empty())
        assert isinstance(block, Missing)
        assert setting in block.text


def look(kind: str, adapter: str, passed: bool | None, **values: float) -> Check:
    return Check(
        stage="identity", name=f"adapter-{kind}-{adapter}", passed=passed, reason="seen",
        values=dict(values),
    )  # fmt: skip


def looks(adapter: str) -> list[Check]:
    return [
        look("effect", adapter, True, mean_effect_nats=0.5, mean_null_nats=0.001),
        look("strength", adapter, False, strength=0.5, lower=0.4, upper=0.6),
        look("loading", adapter, True, unload_s=0.01, load_s=0.05, first_token_s=0.6),
    ]


def peak(num_bytes: int) -> Memory:
    return memory("fast", 1, 1).model_copy(update={"peak_process_bytes": num_bytes})


def test_each_adapter_shows_its_effect_and_one_process_stands_beside_two() -> None:
    """4.2 GB for both adapters, 4.1 GB each apart: 51 % of 8.2 GB."""
    measured = {
        "poet": [*looks("poet"), peak(4_100_000_000)],
        "clerk": [*looks("clerk"), peak(4_100_000_000)],
        "both": [*looks("poet"), *looks("clerk"), peak(4_200_000_000)],
    }
    blocks = lora.SECTION.build(view_of(study_of(), measured))
    found = table(blocks)
    assert len(found.rows) == 4
    assert rows(found)[0] == [
        "poet", "poet", "0.500 nats", "0.500",
        "unloaded in 0.0100 s, loaded in 0.0500 s, first token after 0.600 s",
    ]  # fmt: skip
    assert [value.tone for value in found.rows[0]][2:] == ["pass", "fail", "pass"]
    assert notes(found)[0][2:4] == ["base twice 0.00100 nats", "[0.400, 0.600]"]
    assert isinstance(blocks[-1], Prose)
    assert "4,200,000,000 bytes against 8,200,000,000 apart (51%)" in blocks[-1].text


def test_adapters_without_their_memory_are_not_compared() -> None:
    measured = {"poet": looks("poet"), "clerk": looks("clerk"),
                "both": [*looks("poet"), *looks("clerk")]}  # fmt: skip
    assert len(lora.SECTION.build(view_of(study_of(), measured))) == 1


def test_acceptance_by_kind_of_text() -> None:
    code = Speculated(
        data_class="code", concurrency=8, num_requests=16, output_tokens=512, num_drafts=16.0,
        drafted_tokens=64.0, accepted_tokens=48.0, acceptance_length=4.0, acceptance_rate=0.75,
        output_tokens_per_s=40.0, baseline_tokens_per_s=20.0,
    )  # fmt: skip
    shown = table(speculation.SECTION.build(view_of(study_of(), {"fast": [code]})))
    assert rows(shown) == [
        ["code", "8", "fast", "75 %", "4 tokens", "40 tokens/s", "20 tokens/s"],
    ]  # fmt: skip


def test_when_compiling_has_paid() -> None:
    paid = Compilation(
        cell="closed-8", cold_extra_s=180.0, warm_extra_s=90.0, warm_hit=False,
        baseline_request_s=2.0, variant_request_s=1.2, cold_requests=225.0, warm_requests=None,
        cache_key="a" * 16, cache_bytes=10 << 20,
    )  # fmt: skip
    start = StartUp(arm="variant", temperature="warm", ready_s=9.0, cache="unpacked")
    blocks = startup.SECTION.build(view_of(study_of(), {"fast": [start, paid]}))
    assert rows(table(blocks, 1)) == [
        ["fast", "180 s", "225 requests", "90 s", "never", "a" * 16],
    ]  # fmt: skip
    assert notes(table(blocks, 1))[0][-1] == "10 MiB"
    assert notes(table(blocks))[0][-1] == "unpacked"


def test_starts_of_the_baseline_are_told_apart() -> None:
    """It starts beside each variant, and once more before a channel moves: each has a bar."""
    cold = StartUp(temperature="cold", arm="baseline", ready_s=9.0)
    seen = view_of(study_of(), {"fast": [cold], "small": [cold]})
    figures = next(one for one in startup.SECTION.build(seen) if isinstance(one, Figures))
    labels = [row["label"] for row in figures.charts[0].rows]
    assert labels == ["baseline cold, beside fast", "baseline cold, beside small"]
