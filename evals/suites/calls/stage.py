"""Where scenes are played: one child process, many plays, none of which can hurt the caller.

The APIs are code out of a wheel, so each source file has a pinned digest of its own here, and is
looked at again before it is run. The child is `world.py` as a script: it knows none of our modules,
gets literals and gives JSON. Arguments of a model go to it as data, never as code. It ends with its
caller, whose end closes its input.

Example: two turns of `multi_turn_base_0` come back as two `Played`, in about 4 ms.
"""

import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from evals.suites.calls import world
from evals.suites.calls.call import Calls
from evals.suites.calls.scenes import Scene
from evals.suites.calls.world import Fault, Result
from variants.errors import MeasurementError
from variants.fingerprint import sha256_file

KILLED = (-signal.SIGPROF, -signal.SIGKILL)  # out of time, or out of memory
MAX_WORDS = 300  # characters
SHA256 = {
    "gorilla_file_system": "84173750930b09aaa31b90547c9bd79ce75714682608b35e78a9c1ea259faf2b",
    "long_context": "5c9a5710115609c779e5b2ccb43f6ad58271ed96f2ea7a797edb0d65c385aa38",
    "math_api": "abde32cc25e71b2ff3acf4d028a3c005b98409c174aba4abddbfe1c018afb9a8",
    "message_api": "cf72af1635654147af17df1891a7fb354549e78a61930139f741a31f4be21121",
    "posting_api": "32b887aaa37c7167ad9c84ddfa7bbb855c75d3c1edab19ba868aba29acc4cfa1",
    "ticket_api": "6a9375aa6425410c07a151aef27f3e44e9ed1023bb5cc5c25f14f4a9b3c99116",
    "trading_bot": "cc2e3949035b561e9d07418b081561aa07b211672200e2e511aec074bf79fcb2",
    "travel_booking": "e698e22adccf0d6d41b297f2d5e44faebd828cef4752df6a4ffb1570c0c35296",
    "vehicle_control": "f5f7a2f28968728927a98ae12ec68a32d70781cfb74c2d7b14801772362b12d1",
}


@dataclass(frozen=True, slots=True)
class Played:
    """One turn: what its calls gave, and what is wrong after it ("" for nothing)."""

    results: tuple[Result, ...]
    fault: Fault


class Stage:
    """Plays scenes, one at a time, for any number of threads."""

    def __init__(self, files: Mapping[str, str], sha256: Mapping[str, str] = SHA256) -> None:
        """Take the sources (stem -> path); nothing is started before the first play."""
        self._files, self._sha256 = dict(files), sha256
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._words: IO[str] | None = None

    def play(self, scene: Scene, turns: Sequence[Calls]) -> tuple[Played, ...] | None:
        """Play the turns so far; None where a call took too much time or memory.

        Raises:
            MeasurementError: a source is not the pinned one, or it could not be played at all.
        """
        request = {
            "classes": scene.classes,
            "config": scene.config,
            "is_long": scene.is_long,
            "turns": [_plain(calls) for calls in turns],
            "gold": [_plain(turn.gold) for turn in scene.turns],
        }
        with self._lock:
            said = self._exchange(repr(request))
        if isinstance(said, list):
            return tuple(
                Played(tuple(Result(*one) for one in turn["results"]), turn["fault"])
                for turn in said
            )
        if said is not None and said["ended"] in KILLED:
            return None
        raise MeasurementError(f"{scene.id} cannot be played: {self._last_words()}")

    def _exchange(self, line: str) -> Any:
        child = self._child or self._start()
        assert child.stdin is not None and child.stdout is not None, "they were asked for"
        try:
            child.stdin.write(line + "\n")
            child.stdin.flush()
        except BrokenPipeError:
            return None
        said = child.stdout.readline()
        return json.loads(said) if said else None

    def _start(self) -> subprocess.Popen[str]:
        for stem, path in self._files.items():
            if (seen := sha256_file(Path(path))) != self._sha256[stem]:
                raise MeasurementError(
                    f"{path} has sha256 {seen}, and {self._sha256[stem]} is pinned; it is not run: "
                    "remove it, and it is fetched again"
                )
        self._words = tempfile.TemporaryFile("w+")  # noqa: SIM115  it lives as long as the child
        self._child = subprocess.Popen(
            [sys.executable, "-P", world.__file__], text=True, encoding="utf-8",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._words,
            env={"TZ": "UTC", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},  # the same everywhere
        )  # fmt: skip
        weakref.finalize(self, _end, self._child)
        assert self._child.stdin is not None, "it was asked for"
        self._child.stdin.write(repr(self._files) + "\n")
        return self._child

    def _last_words(self) -> str:
        if self._words is None:
            return "it was never started"
        self._words.seek(0)
        lines = self._words.read().split("\n")
        return " | ".join(line for line in lines if line.strip())[-MAX_WORDS:] or "it said nothing"


def _plain(calls: Calls) -> list[tuple[str, dict[str, Any]]]:
    return [(call.function, dict(call.arguments)) for call in calls]


def _end(child: subprocess.Popen[str]) -> None:
    child.kill()
    child.wait()
    for stream in (child.stdin, child.stdout):
        if stream is not None:
            with contextlib.suppress(BrokenPipeError):  # of what it did not read any more
                stream.close()
