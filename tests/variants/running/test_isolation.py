import io
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest

from variants.errors import BuildError, MeasurementError, StudyError
from variants.running import isolation

HERE = "tests.variants.running.test_isolation"


def answer(number: int, text: str) -> dict[str, object]:
    return {
        "pid": os.getpid(),
        "sum": number + 1,
        "text": text,
        "offline": os.environ["HF_HUB_OFFLINE"],
    }


def refuse() -> None:
    raise StudyError("group_size 128 does not divide 576")


def exit_loudly() -> None:
    print("loading\n\nout of memory", file=sys.stderr)
    os._exit(137)


def fail() -> None:
    raise ValueError("a fault of our own")


def leave_no_json() -> object:
    return {1, 2}


def speak(words: list[str]) -> None:
    print("a library's own chatter")
    with redirect_stdout(io.StringIO()):
        for word in words:
            isolation.say(word)


def report_threads() -> str:
    return os.environ["OMP_NUM_THREADS"]


def test_a_function_runs_in_a_process_of_its_own() -> None:
    result = isolation.run(f"{HERE}:answer", {"number": 2, "text": "ä"}, BuildError)
    assert result.pop("pid") != os.getpid()
    assert result == {"sum": 3, "text": "ä", "offline": "1"}


def test_a_refusal_comes_back_as_the_callers_error() -> None:
    with pytest.raises(MeasurementError, match=r"^group_size 128 does not divide 576$"):
        isolation.run(f"{HERE}:refuse", {}, MeasurementError)


def test_a_death_gives_the_last_words() -> None:
    with pytest.raises(BuildError, match=r"exit_loudly died with exit code 137: .*out of memory"):
        isolation.run(f"{HERE}:exit_loudly", {}, BuildError)


@pytest.mark.parametrize(
    ("function", "told"),
    [
        (f"{HERE}:fail", "exit code 1: .*ValueError: a fault of our own"),
        (f"{HERE}:leave_no_json", "not JSON serializable"),
        (f"{HERE}:absent", "AttributeError"),
        ("variants.nowhere:f", "No module named 'variants.nowhere'"),
    ],
)
def test_a_fault_is_told_with_its_traceback(function: str, told: str) -> None:
    with pytest.raises(BuildError, match=told):
        isolation.run(function, {}, BuildError)


def test_what_a_child_says_is_told_and_its_libraries_are_not() -> None:
    told: list[str] = []
    arguments: dict[str, object] = {"words": ["half", "whole"]}
    isolation.run(f"{HERE}:speak", arguments, BuildError, tell=told.append)
    assert told == ["half", "whole"]


def test_a_child_has_the_threads_it_is_given() -> None:
    assert isolation.run(f"{HERE}:report_threads", {}, BuildError, num_threads=1) == "1"
    assert isolation.threads() >= 1


def test_nothing_is_left_of_a_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    isolation.run(f"{HERE}:report_threads", {}, BuildError)
    with pytest.raises(BuildError):
        isolation.run(f"{HERE}:fail", {}, BuildError)
    assert list(tmp_path.iterdir()) == []
