"""Stand between a run and its engine, so that no engine outlives its run.

The engine starts in a session of its own. The supervisor waits on its standard input, a pipe held
by the run: when the run closes it, or dies in any way (kill -9 included), the pipe ends and the
whole session is stopped, terminated first and killed after a grace period.

Usage: `python -m variants.engines.supervisor LOG -- COMMAND...`
"""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil

GRACE_S = 10.0
POLL_S = 0.1
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def session_members(session: int) -> list[psutil.Process]:
    """List the living processes of a session (zombies do not count)."""
    return [process for process in psutil.process_iter(["status"]) if _belongs(process, session)]


def _belongs(process: psutil.Process, session: int) -> bool:
    try:
        return os.getsid(process.pid) == session and process.info["status"] != psutil.STATUS_ZOMBIE
    except (ProcessLookupError, PermissionError):
        return False


def stop_session(session: int, grace_s: float = GRACE_S) -> None:
    """Terminate every process of a session, and kill what is left after the grace period.

    A process that was born while the others were told is told at the next look.
    """
    told: set[int] = set()
    deadline = time.monotonic() + grace_s
    while (members := session_members(session)) and time.monotonic() < deadline:
        _signal_all([one for one in members if one.pid not in told], signal.SIGTERM)
        told |= {one.pid for one in members}
        time.sleep(POLL_S)
    while members := session_members(session):
        _signal_all(members, signal.SIGKILL)
        time.sleep(POLL_S)


def _signal_all(processes: list[psutil.Process], number: signal.Signals) -> None:
    for process in processes:
        try:
            process.send_signal(number)
        except psutil.NoSuchProcess:
            continue


def _main() -> int:
    log, command = Path(sys.argv[1]), sys.argv[sys.argv.index("--") + 1 :]
    asked: list[int] = []  # to stop, while there is no session to stop yet
    for number in SIGNALS:
        signal.signal(number, lambda number, _: asked.append(number))
    with log.open("ab") as stream:
        engine = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, start_new_session=True
        )
    for number in SIGNALS:
        signal.signal(number, lambda *_: stop_session(engine.pid))
    if asked:
        stop_session(engine.pid)
    threading.Thread(target=_stop_when_orphaned, args=(engine.pid,), daemon=True).start()
    code = engine.wait()
    stop_session(engine.pid)
    return code


def _stop_when_orphaned(session: int) -> None:
    while os.read(0, 1):
        pass
    stop_session(session)


if __name__ == "__main__":
    sys.exit(_main())
