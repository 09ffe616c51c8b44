"""The command line refuses what it cannot run, in one message, before anything is done."""

import json
from pathlib import Path

import pytest

from flows.command import main


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def refuse(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 1
    return capsys.readouterr().err


def test_an_unknown_study_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    told = refuse(["smollm3", "--dry-run"], capsys)
    assert "no study 'smollm3'" in told
    assert "smollm2-cpu, smollm2-cpu-full, smollm2-cpu-recipes" in told


def test_an_unknown_key_is_told_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "study.yaml"
    written.write_text("name: s\nbase: smollm2-135m-instruct\nvariant: [compiled]\n")
    told = refuse([str(written), "--dry-run"], capsys)
    assert "variant" in told
    assert "Extra inputs are not permitted" in told


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("int9", "unknown variant 'int9'"),
        ("{int4_w4a16: {groups: 64}}", "takes ['group_size', 'algorithm'"),
        ("{int4_w4a16: {group_size: 4}}", "greater than or equal to 8"),
    ],
)
def test_a_wrong_variant_is_told(
    entry: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written = tmp_path / "study.yaml"
    written.write_text(
        f"name: s\nbase: smollm2-135m-instruct\nvariants: [{entry}]\n"
        "workload: {cells: [{closed: 1}]}\n"
    )
    assert words in refuse([str(written), "--dry-run"], capsys)


def test_an_unknown_variant_of_a_study_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    told = refuse(["smollm2-cpu", "--only", "int4", "--dry-run"], capsys)
    assert "it has: int8-w8a8, int4-w4a16-channel, fp8-dynamic, compiled" in told


def test_a_log_that_is_not_there_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cell = {"replay": {"path": str(tmp_path / "log.jsonl"), "sha256": "0" * 64}}
    written = tmp_path / "replayed.yaml"
    study = {
        "name": "replayed", "base": "smollm2-135m-instruct", "variants": ["compiled"],
        "workload": {"cells": [{"closed": 1}, cell]},
    }  # fmt: skip
    written.write_text(json.dumps(study))  # JSON is YAML
    told = refuse([str(written), "--dry-run"], capsys)
    assert "no log" in told
    (tmp_path / "log.jsonl").write_text("{}")
    assert "pin the one that is there" in refuse([str(written), "--dry-run"], capsys)


def test_a_prompt_that_no_engine_would_take_is_told_before_anything_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """32 + 39 x 64 + 32 tokens of the last turn are more than the context of 2,048."""
    written = tmp_path / "long.yaml"
    study = {
        "name": "long", "base": "smollm2-135m-instruct", "variants": ["compiled"],
        "workload": {"input_tokens": 32, "cells": [{"closed": 1}, {"poisson": 2, "turns": 40}]},
    }  # fmt: skip
    written.write_text(json.dumps(study))
    assert "take 2560 tokens, and engines are served with 2048" in refuse(
        [str(written), "--dry-run"], capsys
    )


def test_a_dry_run_is_of_a_new_run(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["smollm2-cpu", "--dry-run", "--resume", "smollm2-cpu-x"])
    assert "leave out --resume" in capsys.readouterr().err


def test_a_dry_run_does_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["smollm2-cpu", "--dry-run"])
    assert stopped.value.code == 0
    assert "compiled" in capsys.readouterr().out
    assert not home.exists()


def test_an_unknown_policy_is_told_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    told = refuse(["smollm2-cpu", "--policy", "lenient", "--dry-run"], capsys)
    assert "lenient" in told
    assert "'quick', 'standard', 'strict'" in told


def test_a_dry_run_under_another_policy_says_what_it_asks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["smollm2-cpu", "--policy", "standard", "--dry-run"])
    assert stopped.value.code == 0
    told = capsys.readouterr().out
    assert "continuation-choice      2000 items in process, or 2000 through the engine" in told
    assert "json-free                700 items in writing" in told
