"""See to it that nothing a command started outlives it, even when it is killed with -9.

Engines and our own children watch a pipe and die with us (`engines.supervisor`, `isolation`). What
a library starts does not: Prefect's temporary server stays when its owner is killed. So a watcher
waits on a pipe that only our death closes, and then stops every process that carries our mark in
its environment; an engine carries none, for it is given no variable of ours.

Usage: `leave_nobody()` at the start of a command; `python -m variants.running.afterwards MARK` is
the watcher.
"""

import contextlib
import os
import secrets
import subprocess
import sys
import time

import psutil

from variants.running.isolation import ROOT

VARIABLE = "TOUCHSTONE_OWNER"
GRACE_S = 5.0  # for what ends by itself when a command ends well
POLL_S = 0.2
_WATCHERS: list[
    subprocess.Popen[bytes]
] = []  # held, so that the pipe stays open as long as we live


def leave_nobody() -> None:
    """Mark what this process starts from now on, and have it stopped once this process is gone."""
    if VARIABLE in os.environ:  # started by one that has a watcher already
        return
    mark = secrets.token_hex(8)
    command = [sys.executable, "-m", "variants.running.afterwards", mark]
    watcher = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        cwd=ROOT, start_new_session=True,
    )  # fmt: skip
    _WATCHERS.append(watcher)
    os.environ[VARIABLE] = mark


def marked(mark: str) -> list[psutil.Process]:
    """List the living processes that carry a mark."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            is_alive = process.status() != psutil.STATUS_ZOMBIE
            if is_alive and process.environ().get(VARIABLE) == mark:
                found.append(process)
    return found


def main() -> None:
    """Wait until the owner is gone, then stop what it left."""
    mark = sys.argv[1]
    sys.stdin.buffer.read()
    deadline = time.monotonic() + GRACE_S
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(POLL_S)
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()


if __name__ == "__main__":
    main()
