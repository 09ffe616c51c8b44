"""What a result does not show, by hand."""

import pytest

from evals.gates.verdict import Row, Verdict
from evals.performance.engine_metrics import REQUIRED
from evals.results import Cell
from reports.blocks import Prose
from reports.charts.load import broken
from reports.figures.drift import beside, drift_words
from reports.sections.limits import SECTION
from tests.reports.building import cell, decided, study_of, view_of

ENGINE: dict[str, float | None] = dict.fromkeys(REQUIRED, 0.0)


def cells(arm: str, tpot_ms: float) -> list[Cell]:
    figures = {"tpot_ms_mean": tpot_ms}
    return [cell(arm, repeat=one, engine=ENGINE, metrics=figures) for one in range(2)]


def compared(**baselines: float) -> dict[str, list[Cell]]:
    """Return each variant's records: its own cells, and the baseline's beside it."""
    measured = {
        name: [*cells("baseline", ms), *cells(name, 40.0)] for name, ms in baselines.items()
    }
    return {"baseline": [], **measured}


def said(*lines: str, **baselines: float) -> str:
    view = view_of(study_of(), compared(**baselines))
    blocks = SECTION.build(view)
    return "\n".join(block.text for block in blocks if isinstance(block, Prose))


def test_a_machine_that_was_slower_beside_one_variant_is_told() -> None:
    view = view_of(study_of(), compared(fast=61.6, other=46.9))
    assert beside(view) == {"fast": pytest.approx(61.6), "other": pytest.approx(46.9)}
    assert "the baseline itself had 61.6 ms beside fast, 46.9 ms beside other" in drift_words(view)
    assert drift_words(view) in said(fast=61.6, other=46.9)


@pytest.mark.parametrize("baselines", [{"fast": 61.6}, {"fast": 50.0, "other": 54.0}])
def test_one_comparison_or_nearly_the_same_is_no_drift(baselines: dict[str, float]) -> None:
    assert drift_words(view_of(study_of(), compared(**baselines))) == ""


def test_what_was_not_asked_is_named() -> None:
    told = said(fast=50.0)
    assert "Nothing was asked about tool calls in writing, JSON, instructions, safety" in told
    assert "over-refusal and long contexts" in told
    assert "prompts of about 128 tokens" in told
    assert "de-quantized" in told


def test_answers_got_in_different_ways_are_not_to_be_compared() -> None:
    def answered(path: str) -> Verdict:
        row = Row(label=path, outcome="PASS", n=400)
        return Verdict(gate="mmlu", tier="critical", kind="paired_accuracy", outcome="PASS",
                       reason="", details=(row,))  # fmt: skip

    decisions = [decided("fast", "PROMOTE", answered("artifact")),
                 decided("other", "PROMOTE", answered("engine"))]  # fmt: skip
    view = view_of(study_of(), compared(fast=50.0, other=50.0), decisions)
    last = SECTION.build(view)[-1]
    assert isinstance(last, Prose)
    assert last.text.startswith("Answers of fast were scored in process, those of other through")


def test_a_long_name_is_broken_at_its_hyphens() -> None:
    assert broken("closed-2-long-in-shared") == "closed-2-|long-in-|shared"
    assert broken("closed-1") == "closed-1"
