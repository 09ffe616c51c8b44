import json
from pathlib import Path

import pytest

from evals.suites import SUITES
from evals.suites.naming import Entry, require_entry, rooted, suite_of
from variants.errors import MeasurementError, StudyError


def test_a_name_is_one_of_ours() -> None:
    assert suite_of("tool-calling") is SUITES["tool-calling"]


def test_a_file_is_looked_for_from_the_folder(tmp_path: Path) -> None:
    row = {"id": "1", "prompt": "Capital of Peru?", "options": ["Lima", "Quito"]}
    (tmp_path / "mine.jsonl").write_text(json.dumps(row) + "\n")
    suite = suite_of(rooted({"own": "mine.jsonl"}, tmp_path))
    assert suite.id.startswith("own-mine-")
    assert suite_of(rooted({"own": str(tmp_path / "mine.jsonl")}, Path("/"))).id == suite.id
    assert rooted("tool-calling", tmp_path) == "tool-calling"


def test_a_task_of_lm_eval_is_loaded(tmp_path: Path) -> None:
    """By its path, since all names that lm-eval has take 20 s to look through."""
    path = tmp_path / "sums.yaml"
    path.write_text("task: sums\noutput_type: generate_until\ndataset_path: json\n")
    with pytest.raises(MeasurementError, match=r"task '.*sums\.yaml' of lm-eval cannot be loaded"):
        suite_of({"lm_eval": str(path)})


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("mine.jsonl", "unknown suite 'mine.jsonl'; name one of continuation-choice"),
        ({}, "a suite cannot be named by {}"),
        ({"own": "a.jsonl", "lm_eval": "arc_easy"}, "a suite cannot be named by"),
        ({"own": ""}, "give a file of your own, {own: FILE.jsonl}"),
        ({"task": "arc_easy"}, "a task of lm-eval, {lm_eval: NAME}"),
    ],
)
def test_what_names_nothing_is_told_what_does(entry: Entry, told: str) -> None:
    for refuse in (require_entry, suite_of):
        with pytest.raises(StudyError) as refused:
            refuse(entry)
        assert told in str(refused.value)


def test_an_entry_is_looked_at_without_reading_anything() -> None:
    require_entry({"own": "not-there.jsonl"})
    require_entry({"lm_eval": "arc_easy"})
