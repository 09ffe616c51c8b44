"""Evidence of a run: measured once, found again, and never more than it is."""

from pathlib import Path

import pytest

from evals.results import Check, StartUp, SuiteArm, SuiteResult
from evals.results import Path as Route
from evals.study import Study
from reports.kept.recorder import CONFIRMATION, Recorder
from reports.kept.timeline import Timeline
from variants.catalogue import BASES, compiled
from variants.kept.store import Store
from variants.specs.quantized import QUANTIZED
from variants.specs.spec import Serving

STUDY = Study.model_validate(
    {
        "name": "small",
        "base": "smollm2-135m-instruct",
        "variants": ["compiled"],
        "workload": {"cells": [{"closed": 1}]},
    }
)
VARIANT = compiled(BASES["smollm2-135m-instruct"], Serving())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def recorder(store: Store, run: str = "run-1") -> Recorder:
    return Recorder(store, STUDY, run)


def check(passed: bool | None, reason: str = "seen") -> Check:
    return Check(stage="identity", name="engine", passed=passed, reason=reason)


def start(ready_s: float) -> StartUp:
    return StartUp(arm="variant", temperature="cold", ready_s=ready_s)


def passed_of(made: Recorder) -> list[bool | None]:
    records = made.evidence(VARIANT, "up to 3B").records
    return [r.payload.passed for r in records if isinstance(r.payload, Check)]


def test_a_resumed_run_finds_what_it_measured_and_measures_nothing_twice(store: Store) -> None:
    recorder(store).keep("compiled", "startup", start(1.0))
    again = recorder(store)
    assert again.obtain("compiled", "startup", lambda: pytest.fail("measured again")) == start(1.0)
    assert again.keep("compiled", "startup", start(2.0)) == start(1.0)


def test_evidence_has_one_order_whether_just_measured_or_read_again(store: Store) -> None:
    first = recorder(store)
    for step in ("z", "a", "m"):
        first.keep("compiled", f"check.{step}", check(True, step))
    read_again = recorder(store).evidence(VARIANT, "up to 3B")
    assert first.evidence(VARIANT, "up to 3B") == read_again
    assert [record.step for record in read_again.records] == ["check.a", "check.m", "check.z"]


def test_another_run_never_sees_it(store: Store) -> None:
    recorder(store).keep("compiled", "startup", start(1.0))
    assert recorder(store, "run-2").find("compiled", "startup") is None


@pytest.mark.parametrize(("first", "second"), [(True, False), (False, True)])
def test_a_check_that_comes_out_otherwise_counts_beside_the_first(
    store: Store, first: bool, second: bool
) -> None:
    recorder(store).keep("compiled", "check.engine", check(first))
    again = recorder(store)
    again.keep("compiled", "check.engine", check(second))
    assert passed_of(again) == [first, second]


def test_what_could_not_be_looked_at_is_superseded_when_it_is(store: Store) -> None:
    recorder(store).keep("compiled", "check.engine", check(None, "our disk was full"))
    again = recorder(store)
    again.settle("compiled", "check.engine")
    assert passed_of(again) == [True]
    assert passed_of(recorder(store)) == [True]


def test_a_failure_that_was_seen_later_is_never_settled_away(store: Store) -> None:
    recorder(store).keep("compiled", "check.engine", check(None, "our disk was full"))
    recorder(store).keep("compiled", "check.engine", check(False, "died"))
    third = recorder(store)
    third.settle("compiled", "check.engine")
    assert passed_of(third) == passed_of(recorder(store)) == [False]
    third.keep("compiled", "check.engine", check(True, "lived"))
    assert passed_of(recorder(store)) == [False, True]  # both count, and one of them failed


def test_two_records_of_one_step_are_no_evidence(store: Store) -> None:
    recorder(store).keep("compiled", "startup", start(1.0))
    other = Recorder(Store(store.root.parent / "other"), STUDY, "run-1")
    other.keep("compiled", "startup", start(2.0))
    (file,) = (store.root.parent / "other" / "evidence").rglob("startup-*.json")
    (first,) = (store.root / "evidence").rglob("startup-*.json")
    (first.parent / file.name).write_text(file.read_text())
    evidence = recorder(store).evidence(VARIANT, "up to 3B")
    assert evidence.unreadable == ("compiled/startup: there twice",)


def test_a_confirmation_never_enters_the_decision(store: Store) -> None:
    made = recorder(store)
    made.keep("compiled", f"{CONFIRMATION}0.check.variant.engine", check(False))
    assert passed_of(made) == []


def test_a_record_that_does_not_verify_is_told(store: Store) -> None:
    recorder(store).keep("compiled", "startup", start(1.0))
    (file,) = (store.root / "evidence").rglob("startup-*.json")
    file.write_text(file.read_text().replace("1.0", "0.1"))
    evidence = recorder(store).evidence(VARIANT, "up to 3B")
    assert evidence.records == ()
    assert len(evidence.unreadable) == 1


def test_a_cut_line_loses_its_seconds_only(tmp_path: Path) -> None:
    path = tmp_path / "stages.jsonl"
    timeline = Timeline(path)
    timeline.add("build", 1.5)
    path.write_text(path.read_text() + '{"name": "bui')
    timeline.add("serve", 2.0)
    assert [stage.seconds for stage in timeline.stages()] == [1.5]
    timeline.add("serve", 2.0)
    assert {stage.name: stage.seconds for stage in timeline.stages()} == {
        "build": 1.5,
        "serve": 2.0,
    }


def answers(suite: str, path: Route, arm: SuiteArm) -> SuiteResult:
    return SuiteResult(
        suite=suite, arm=arm, path=path, chance=0, num_issued=0, samples=(), items_sha256="0",
        rule="", seconds=0,
    )  # fmt: skip


def test_answers_of_the_baseline_stand_beside_those_of_the_variant(store: Store) -> None:
    """In process where weights changed; through the engine where the variant answered there."""
    made = recorder(store)
    asked: list[tuple[str, str, Route, SuiteArm]] = [
        ("baseline", "choice", "artifact", "baseline"), ("baseline", "choice", "artifact", "null"),
        ("baseline", "choice", "engine", "baseline"), ("baseline", "json", "engine", "baseline"),
        ("int8-w8a8", "choice", "artifact", "variant"), ("int8-w8a8", "json", "engine", "variant"),
    ]  # fmt: skip
    for variant, suite, path, arm in asked:
        made.keep(variant, f"suite.{suite}.{path}.{arm}", answers(suite, path, arm))
    quantized = QUANTIZED["int8_w8a8"](BASES["smollm2-135m-instruct"], Serving())
    found = [record.step for record in made.evidence(quantized, "up to 3B").records]
    assert found == [
        "suite.choice.artifact.baseline", "suite.choice.artifact.null",
        "suite.json.engine.baseline",
        "suite.choice.artifact.variant", "suite.json.engine.variant",
    ]  # fmt: skip


def test_a_look_taken_again_no_longer_stands(store: Store) -> None:
    made = recorder(store)
    made.keep("compiled", "check.baseline.decode", check(None, "it was late"))
    made.keep("compiled", "check.baseline.decode", check(True, "in time"))
    standing = [record.payload for record in made.standing("compiled")]
    assert [look.reason for look in standing if isinstance(look, Check)] == ["in time"]
