"""Run one of our functions in a process of its own, JSON in and JSON out.

A builder or a scorer in its own process gives its memory back, cannot leak state into the next
one, and gets its thread settings before its libraries load. OpenMP spin barriers collapse when
threads share a core, so waiting is passive.

Example: `run("variants.builders.bf16:build", {"output": "/x"})` starts
`python -m variants.isolation variants.builders.bf16:build` and returns what `build(**arguments)`
returned.
"""

import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from variants.errors import QualificationError

ROOT = Path(__file__).resolve().parent.parent
TAIL_LINES = 12


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
) -> Any:
    """Call `module:function` with JSON arguments in a child process and return its JSON result.

    Raises:
        QualificationError: of the class given, when the child fails, with its own last words.
    """
    with tempfile.TemporaryDirectory(prefix="touchstone-") as folder:
        result = Path(folder) / "result.json"
        command = [sys.executable, "-m", "variants.isolation", function, str(result)]
        child = subprocess.run(
            command, input=json.dumps(arguments), text=True, capture_output=True, cwd=ROOT,
            env=environment(num_threads or threads()), check=False,
        )  # fmt: skip
        if not result.exists():
            raise error(f"{function} died with exit code {child.returncode}: {_tail(child.stderr)}")
        outcome = json.loads(result.read_text())
    if "error" in outcome:
        raise error(outcome["error"])
    return outcome["value"]


def _tail(stderr: str) -> str:
    lines = [line for line in stderr.splitlines() if line.strip()]
    return " | ".join(lines[-TAIL_LINES:])[-2000:] or "it said nothing"


def _main() -> None:
    module, name = sys.argv[1].split(":")
    target: Callable[..., object] = getattr(importlib.import_module(module), name)
    arguments = json.loads(sys.stdin.read())
    try:
        outcome: dict[str, object] = {"value": target(**arguments)}
    except QualificationError as error:
        outcome = {"error": str(error)}
    written = Path(sys.argv[2])
    beside = written.with_suffix(".tmp")
    beside.write_text(json.dumps(outcome))
    beside.rename(written)


if __name__ == "__main__":
    _main()
