from pathlib import Path

import pytest
from pydantic import ValidationError

from evals.gates import load_policy
from evals.gates.kinds import SuiteGate
from evals.study import Study
from evals.study_file import load_study, under_policy, variant_specs
from evals.suites import SUITES
from variants.errors import StudyError

HEAD = "name: s\nbase: smollm2-135m-instruct\nworkload: {cells: [{closed: 1}]}\n"


def written(folder: Path, text: str) -> Path:
    (folder / "s.yaml").write_text(text)
    return folder


def test_a_variant_is_a_name_or_a_name_with_arguments(tmp_path: Path) -> None:
    listed = "variants: [compiled, {int4_w4a16: {}}]"
    study = load_study("s", written(tmp_path, HEAD + listed))
    assert len(variant_specs(study)) == 2


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{int4_w4a16: {}, compiled: {}}", "variant {'int4_w4a16': {}, 'compiled': {}} must"),
        ("{}", "variant {} must"),
    ],
)
def test_an_entry_names_exactly_one_variant(tmp_path: Path, entry: str, said: str) -> None:
    text = HEAD + f"variants: [compiled, {entry}]"
    with pytest.raises(StudyError, match=f"{said} have exactly one key"):
        load_study("s", written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + "variants: [compiled]\nname: t", r"given twice: name"),
        (HEAD + "variants: [compiled]\nslo: {ttft_ms: 1, ttft_ms: 2}", "given twice: ttft_ms"),
        (HEAD + "variants: [{int4_w4a16: {}, int4_w4a16: {}}]", "given twice: int4_w4a16"),
        ("- a", "no mapping"),
        ("a: [", "not YAML"),
    ],
)
def test_a_bad_study_is_refused_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        load_study("s", written(tmp_path, text))


def test_a_merged_mapping_may_be_overridden(tmp_path: Path) -> None:
    text = HEAD + "variants: [compiled]\nslo: {<<: {ttft_ms: 1, tpot_ms: 5}, ttft_ms: 2}"
    study = load_study("s", written(tmp_path, text))
    assert (study.slo.ttft_ms, study.slo.tpot_ms) == (2, 5)


def test_another_policy_asks_its_own_suites_with_the_items_it_needs(tmp_path: Path) -> None:
    study = load_study("s", written(tmp_path, HEAD + "variants: [compiled]"))
    strict = under_policy(study, "strict")
    assert strict.policy == "strict"
    asked = {gate.suite for gate in load_policy("strict").gates if isinstance(gate, SuiteGate)}
    assert set(strict.suites) == asked == set(SUITES)
    assert strict.items.asked("continuation-choice", "artifact") == 2300
    assert strict.items.asked("json-free", "written") == 700
    assert strict.workload == study.workload
    with pytest.raises(StudyError, match="policy"):
        under_policy(study, "lenient")


def test_suites_of_ones_own_stay_under_another_policy_and_are_found_from_the_study(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.jsonl").write_text('{"id": "1", "prompt": "2+2?", "answers": ["4"]}\n')
    study = load_study(
        "s", written(tmp_path, HEAD + "variants: [compiled]\nsuites: [{own: mine.jsonl}]")
    )
    entry = {"own": str(tmp_path / "mine.jsonl")}
    assert study.suites == (entry,)
    assert under_policy(study, "strict").suites[-1] == entry


@pytest.mark.parametrize(
    ("suite", "words"),
    [
        ("{own: missing.jsonl}", "missing.jsonl"),
        ("{mine: x.jsonl}", "neither"),
        ("tool-caling", "suites.0"),
    ],
)
def test_a_suite_that_is_not_there_is_told_at_once(tmp_path: Path, suite: str, words: str) -> None:
    path = written(tmp_path, HEAD + f"variants: [compiled]\nsuites: [{suite}]")
    with pytest.raises(StudyError, match=words):
        load_study("s", path)


def test_items_of_a_suite_that_is_not_asked_are_told(tmp_path: Path) -> None:
    text = HEAD + "variants: [compiled]\nsuites: [mmlu]\nitems: {of: {mmmlu: 100}}"
    with pytest.raises(StudyError, match=r"items\.of names 'mmmlu'; the study asks: mmlu"):
        load_study("s", written(tmp_path, text))


@pytest.mark.parametrize(
    "changes",
    [
        {"engine_arguments": ["--trust-remote-code"]},
        {"variants": [{"served": {"name": "x", "arguments": "--trust_remote_code"}}]},
    ],
)
def test_code_of_a_model_runs_only_where_the_study_says_so(changes: dict[str, object]) -> None:
    fields = {
        "name": "s", "base": "smollm2-135m-instruct", "variants": ["compiled"],
        "workload": {"cells": [{"closed": 1}]},
    } | changes  # fmt: skip
    with pytest.raises(ValidationError, match="trusts_remote_code: true"):
        Study.model_validate(fields)
    assert Study.model_validate(fields | {"trusts_remote_code": True}).trusts_remote_code
