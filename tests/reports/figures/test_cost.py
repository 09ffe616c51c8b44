"""Cost and energy, with figures worked by hand."""

import pytest

from reports.blocks import Missing, Prose
from reports.figures.cost import usd_per_million_tokens
from reports.kept.entries import Stage
from reports.sections.cost import SECTION
from reports.view import View
from tests.reports.building import (
    artifact,
    cell,
    empty,
    notes,
    rows,
    study_of,
    table,
    view_of,
)

STAGES = (Stage(name="build", seconds=600.0), Stage(name="measure", seconds=1200.0))


def view(metrics: dict[str, float], **fields: object) -> View:
    measured = {
        name: [
            artifact(name, 8.4, was_cached=name == "fast"),
            cell(name, metrics={"output_tokens_per_s": speed, **metrics}),
        ]
        for name, speed in (("baseline", 1000.0), ("fast", 2000.0))
    }
    return view_of(study_of(**fields), measured, stages=STAGES)


def test_usd_per_million_tokens() -> None:
    """3.60 / (1000 x 3600) x 1e6 = 1 USD."""
    assert usd_per_million_tokens(3.6, 1000.0) == pytest.approx(1.0)
    assert usd_per_million_tokens(3.6, 0.0) is None


def test_cost_energy_and_cores_by_hand() -> None:
    """Half an hour at 3.60 USD is 1.80 USD."""
    taken = {"energy_j_per_token": 0.5, "device_power_w": 300.0, "engine_cpu_cores": 1.5}
    blocks = SECTION.build(view(taken, price_per_device_hour=3.6))
    assert [rows(table(blocks, at)) for at in range(4)] == [
        [["closed-1", "1 USD", "0.500 USD"]], [["closed-1", "0.500 J/token", "0.500 J/token"]],
        [["closed-1", "300 W", "300 W"]], [["closed-1", "1.50 cores", "1.50 cores"]],
    ]  # fmt: skip
    assert "3.6 USD per device hour / (output tokens/s x 3600)" in table(blocks).caption
    assert notes(table(blocks))[0][1] == "n\u00a0=\u00a01, no interval"
    assert not [block for block in blocks if isinstance(block, Missing)]
    (said,) = (block for block in blocks if isinstance(block, Prose))
    assert said.text == (
        "The run took 30 device minutes, installing and building included, 1.80 USD at 3.6 an hour."
    )


def test_builds_say_whether_they_were_in_the_store() -> None:
    built = table(SECTION.build(view({}, price_per_device_hour=3.6)), 1)
    assert rows(built) == [["baseline", "8.40 s"], ["fast", "8.40 s"]]
    assert [line[1] for line in notes(built)] == [
        "", "when it was built; this run took it from the store",
    ]  # fmt: skip


def test_what_is_not_known_says_what_would_have_it_measured() -> None:
    missing = [block.text for block in SECTION.build(view({})) if isinstance(block, Missing)]
    assert ["price_per_device_hour" in text for text in missing] == [True, False, False]
    assert missing[1].startswith("Energy per token was not measured")
    assert missing[2].startswith("Processor cores were not measured")


def test_no_load() -> None:
    blocks = SECTION.build(empty())
    assert len(blocks) == 3
    assert all(isinstance(block, Missing) for block in blocks)
