"""Run one of our functions in a process of its own, JSON in and JSON out.

A builder or a scorer in its own process gives its memory back, cannot leak state into the next
one, and gets its thread settings before its libraries load. OpenMP spin barriers collapse when
threads share a core, so waiting is passive.

Example: `run("variants.builders.bf16:build", {"output": "/x"})` starts
`python -m variants.running.isolation variants.builders.bf16:build` and returns what
`build(**arguments)` returned.
"""

import contextlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from variants.errors import QualificationError, RecipeError
from variants.running.progress import Tell, silent

ROOT = Path(__file__).resolve().parents[2]
TAIL_LINES = 12
SIGKILL = -9
KILLED = (
    " | it was killed: most likely the machine's memory ran out; free memory, or use a machine "
    "with more"
)
SAID = "touchstone: "  # begins the lines of a child that are for its caller


def threads() -> int:
    """Return how many threads a child may use: every core this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def environment(num_threads: int) -> dict[str, str]:
    """Return the environment of a child: offline, quiet, passive waiting, set threads."""
    return os.environ | {
        "OMP_NUM_THREADS": str(num_threads),
        "OMP_WAIT_POLICY": "PASSIVE",
        "TOKENIZERS_PARALLELISM": "false",
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "DO_NOT_TRACK": "1",
        "TQDM_DISABLE": "1",
    }


def run(
    function: str,
    arguments: dict[str, object],
    error: type[QualificationError],
    num_threads: int | None = None,
    tell: Tell = silent,
) -> Any:
    """Call `module:function` with JSON arguments in a child process and return its JSON result.

    What it says by `say` reaches `tell`, on another thread. The child watches the pipe it got its
    arguments by: when this process dies, so does it.

    Raises:
        QualificationError: what the child raised (`RecipeError` as itself, anything else of the
            class given), or of the class given with its last words when it died.
    """
    with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
        result, words = Path(folder) / "result.json", Path(folder) / "stderr"
        command = [sys.executable, "-m", "variants.running.isolation", function, str(result)]
        with words.open("wb") as stream:
            child = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream, cwd=ROOT,
                env=environment(num_threads or threads()),
            )  # fmt: skip
            reader = threading.Thread(target=_pass_on, args=(child.stdout, tell), daemon=True)
            reader.start()
            code = _await(child, arguments)
            reader.join(timeout=1)  # a grandchild may hold the pipe open
        if not result.exists():
            told = _tail(words.read_text(errors="replace")) + (KILLED if code == SIGKILL else "")
            raise error(f"{_named(function, arguments)} died with exit code {code}: {told}")
        outcome = json.loads(result.read_text())
    if "error" in outcome:
        raise (RecipeError if outcome["kind"] == "RecipeError" else error)(outcome["error"])
    return outcome["value"]


def _await(child: subprocess.Popen[bytes], arguments: dict[str, object]) -> int:
    """Hand the arguments over in one line and wait; the pipe stays open until the child ends."""
    assert child.stdin is not None, "it was asked for"
    try:
        with contextlib.suppress(BrokenPipeError):  # it died first: its words say why
            child.stdin.write(json.dumps(arguments).encode() + b"\n")
            child.stdin.flush()
        return child.wait()
    finally:
        child.kill()
        child.wait()
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()


def say(text: str) -> None:
    """Say something to the caller of this child process; outside of one it is just printed."""
    print(f"{SAID}{text}", file=sys.__stdout__, flush=True)  # a library may have taken sys.stdout


def _pass_on(stdout: IO[bytes], tell: Tell) -> None:
    """Read to the end, so that the child never waits for a reader, and tell what is for us."""
    with stdout:
        for line in stdout:
            words = line.decode(errors="replace").rstrip()
            if words.startswith(SAID):
                tell(words.removeprefix(SAID))


def _named(function: str, arguments: dict[str, object]) -> str:
    """Name what was called: of a builder, the one that `making` calls."""
    return str(arguments.get("function", function))


def _tail(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    return " | ".join(lines[-TAIL_LINES:])[-2000:] or "it said nothing"


def _die_with_the_caller() -> None:
    while os.read(0, 1):  # unbuffered: a buffer's lock held at the end would abort the interpreter
        pass
    os._exit(1)


def _main() -> None:
    arguments = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=_die_with_the_caller, daemon=True).start()
    module, name = sys.argv[1].split(":")
    target: Callable[..., object] = getattr(importlib.import_module(module), name)
    try:
        outcome: dict[str, object] = {"value": target(**arguments)}
    except QualificationError as error:
        outcome = {"error": str(error), "kind": type(error).__name__}
    written = Path(sys.argv[2])
    beside = written.with_suffix(".tmp")
    beside.write_text(json.dumps(outcome))
    beside.rename(written)


if __name__ == "__main__":
    _main()
