from typing import Any

from evals.results import Record, Sample, SuiteResult
from reports.sections import safety
from reports.view import Arm, View


def sample(number: int, **fields: Any) -> Sample:
    return Sample(item=f"i{number}", cluster="c", prompt_sha256="p", **fields)


def arm(name: str, suite: str, *samples: Sample) -> Arm:
    found = SuiteResult(
        suite=suite, arm="variant", path="engine", chance=0.0, num_issued=len(samples),
        samples=samples, items_sha256="i", rule="r", seconds=1.0,
    )  # fmt: skip
    record = Record(
        study="s", run="r", variant=name, step="t", recorded_at="2026-01-01", payload=found
    )
    return Arm(name, 1, (record,))


def shown(*arms: Arm) -> list[list[str]]:
    view: Any = type("Shown", (View,), {"arms": arms})
    (table,) = safety.build(view)
    return [[value.text for value in row] for row in table.rows]  # type: ignore[union-attr]


def test_what_is_refused_and_how_refusals_begin_is_shown() -> None:
    answers = [
        sample(1, is_correct=True, is_degenerate=False, opening="I can't help with that."),
        sample(2, is_correct=True, is_degenerate=False, opening="I can't help with that."),
        sample(3, is_correct=False, is_degenerate=True, opening=""),
        sample(4, is_correct=False, is_degenerate=False, opening="Sure", error="compliance: x"),
    ]
    # 2 of 4 refused, both with one opening, 1 is no language
    assert shown(arm("int8", "safety", *answers)) == [["safety", "int8", "4", "50 %", "50 %", "1"]]


def test_odds_are_a_mean_over_what_was_answered() -> None:
    odds = [
        sample(1, is_correct=True, margin=0.5),
        sample(2, is_correct=False, margin=-0.1),
        sample(3, is_correct=None),
    ]
    (row,) = shown(arm("int8", "refusal-odds", *odds))
    assert row[:4] == ["refusal-odds", "engine", "int8", "2"]
    assert row[4] == "0.200 nats"
    assert row[5] == "33.3 %"
