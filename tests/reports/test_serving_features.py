"""LoRA beside the model alone, and speculation by concurrency, by hand."""

import pytest

from evals.results import Cell
from evals.workload.cell import CellSpec
from reports.blocks import Missing
from reports.sections import lora, speculation
from reports.sections.speculation import accepted_share, tokens_per_step
from tests.reports.building import cell, empty, notes, rows, study_of, table, view_of

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
                             (speculation.SECTION, "--speculative-config")):  # fmt: skip
        (block,) = section.build(empty())
        assert isinstance(block, Missing)
        assert setting in block.text
