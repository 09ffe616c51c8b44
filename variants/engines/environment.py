"""Make an engine's own Python environment from a pinned list, once.

An engine's versions cannot live with the pipeline's, and what is qualified must be what is
deployed: the environment's name holds the digest of its list, and its marker is written last.
"""

import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from variants.errors import EngineError
from variants.fingerprint import fingerprint

REQUIREMENTS = Path(__file__).parent / "requirements"
MARKER = "complete.json"
NEEDED_BYTES = 6 << 30  # measured: 3.4 GB installed, as much again while wheels unpack


@dataclass(frozen=True, slots=True)
class Environment:
    """Where an engine's interpreter is, and whether it was made just now."""

    python: Path
    seconds: float
    was_cached: bool


def make_environment(name: str, engines: Path) -> Environment:
    """Install the list `requirements/NAME.txt` into an environment of its own.

    Raises:
        EngineError: no such list, no space, or pip's own last words.
    """
    listed = REQUIREMENTS / f"{name}.txt"
    if not listed.exists():
        known = sorted(path.stem for path in REQUIREMENTS.glob("*.txt"))
        raise EngineError(f"no pinned list for engine environment {name!r}; there are {known}")
    folder = engines / f"{name}-{fingerprint(listed.read_text())[:8]}"
    python = folder / "bin" / "python"
    engines.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with FileLock(engines / f"{folder.name}.lock"):
        if (folder / MARKER).exists() and python.exists():
            return Environment(python, time.monotonic() - started, was_cached=True)
        _install(folder, listed)
    return Environment(python, time.monotonic() - started, was_cached=False)


def _install(folder: Path, listed: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)  # a half-made one is never taken for whole
    free = shutil.disk_usage(folder.parent).free
    if free < NEEDED_BYTES:
        raise EngineError(
            f"engine environment needs {NEEDED_BYTES >> 30} GiB, {folder.parent} has "
            f"{free / 2**30:.1f} GiB free; free some, or set TOUCHSTONE_HOME to a larger disk"
        )
    _call([sys.executable, "-m", "venv", str(folder)])
    python = str(folder / "bin" / "python")
    # the list is the whole environment: the engine's own requirements name wheels that do not
    # match its torch (torchvision, torchaudio, torchcodec break its imports)
    _call([python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", str(listed)])
    (folder / MARKER).write_text(listed.name)


def _call(command: list[str]) -> None:
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    if finished.returncode:
        words = " | ".join(finished.stderr.strip().splitlines()[-4:])
        raise EngineError(f"`{' '.join(command[1:6])} ...` failed: {words}")
