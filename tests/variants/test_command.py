import subprocess
import sys

import pytest
from pydantic import BaseModel

from variants.command import ended
from variants.errors import StudyError


class Model(BaseModel):
    days: int


def refuse() -> int:
    raise StudyError("no study 'x'; there are: a")


def misread() -> int:
    Model.model_validate({"days": "many"})
    return 0


def overflow() -> int:
    return int(float("1e999"))


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (refuse, "error: no study 'x'; there are: a\n"),
        (misread, "error: days: Input should be a valid integer"),
        (overflow, "error: OverflowError: cannot convert"),
    ],
)
def test_an_error_is_one_line(
    command: object, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(command, 7) == 7  # type: ignore[arg-type]
    told = capsys.readouterr().err
    assert told.startswith(words)
    assert told.count("\n") == 1


def test_a_command_ends_with_its_own_code() -> None:
    assert ended(lambda: 20, 2) == 20


def test_a_reader_that_goes_away_is_no_error() -> None:
    program = (
        "from variants.command import ended\n"
        "def command():\n"
        "    for i in range(100_000): print(i)\n"
        "    return 0\n"
        "raise SystemExit(ended(command, 2))\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
