"""The faults, and what must come of each: written down before any of them is played.

Each returns what came of it in a few words, which begin with `as expected` where they do.
"""

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import psutil

from tests.faults.running import Place, Started

AS_EXPECTED = "as expected"
# What a run says when a stage begins or is in the middle: it is killed at each, and goes on.
MOMENTS = (
    "making sure of its environment",  # install
    "Task run 'build",
    "Task run 'audit",
    "Task run 'write_reference",
    "variant ready after",  # served
    "Task run 'identify",
    "baseline ready after",
    "repeat 0 variant",  # profile, in the middle
    "repeat 1 variant",
    "(warm start)",
    "Task run 'judge",
    "Task run 'record",
    "Task run 'report",
)


@dataclass(frozen=True)
class Played:
    """What came of a fault."""

    told: str
    run: str = ""

    @property
    def agrees(self) -> bool:
        """Whether it is what was expected."""
        return self.told.startswith(AS_EXPECTED)


@dataclass(frozen=True)
class Fault:
    """Something that happens to a run, and what must come of it."""

    name: str
    expected: str
    play: Callable[[Place], Played]


def _held(started: Started, place: Place, told: str) -> Played:
    """Say how it ended; the study's one variant is on HOLD for want of a gain."""
    code = started.end()
    decided = place.rows(f"SELECT outcome, reason FROM decisions WHERE run = '{started.run}'")
    if code == 20 and [outcome for outcome, _ in decided] == ["HOLD"]:
        return Played(f"{AS_EXPECTED}: {told}, then HOLD", started.run)
    return Played(f"exit code {code}, {decided}: {started.text[-300:]}", started.run)


def killed_at_every_stage(place: Place) -> Played:
    """Kill one run with -9 at each moment in turn, resuming it each time."""
    started, run, num_kills = place.start(), "", 0
    for words in MOMENTS:
        if not started.await_words(words):
            break
        run = started.run or run
        started.kill()
        num_kills += 1
        if left := place.survivors():
            return Played(f"after {words!r} there lives {left[0][:120]}", run)
        started = place.start("--resume", run) if run else place.start()
    return _held(started, place, f"killed {num_kills} times and resumed")


def engine_killed(place: Place) -> Played:
    """Kill the engine in the middle of a measurement."""
    started = place.start()
    started.await_words("repeat 0 variant")
    for process in _engines(place):
        process.kill()
    code = started.end()
    decided = place.rows("SELECT outcome, reason FROM decisions")
    if code in (10, 20) and decided and decided[0][0] != "PROMOTE":
        return Played(f"{AS_EXPECTED}: {decided[0][0]}, {decided[0][1]!s:.90}", started.run)
    return Played(f"exit code {code}, {decided}", started.run)


def engine_hangs(place: Place) -> Played:
    """Stop the engine from running, so that it neither answers nor dies."""
    started = place.start(first_token_deadline_s=10.0)
    started.await_words("repeat 0 variant")
    for process in _engines(place):
        process.suspend()
    code = started.end()
    decided = place.rows("SELECT outcome, reason FROM decisions")
    if code in (10, 20) and decided and decided[0][0] != "PROMOTE":
        return Played(f"{AS_EXPECTED}: {decided[0][0]}, {decided[0][1]!s:.90}", started.run)
    return Played(f"exit code {code}, {decided}", started.run)


def server_gone(place: Place) -> Played:
    """Kill Prefect's server under a run; the run fails, and resumes with another."""
    started = place.start()
    started.await_words("variant ready after")
    for process in psutil.process_iter():
        try:
            is_ours = process.environ().get("TOUCHSTONE_HOME") == str(place.home.root)
            if is_ours and "prefect.server" in " ".join(process.cmdline()):
                process.kill()
        except (psutil.Error, OSError):
            continue
    code, run = started.end(), started.run
    if left := place.survivors():
        return Played(f"there lives {left[0][:120]}", run)
    if code in (10, 20):
        return Played(f"{AS_EXPECTED}: the run ended by itself with {code}", run)
    return _held(place.start("--resume", run), place, f"failed with {code} and was resumed")


def terminated(place: Place) -> Played:
    """Ask it to end, as Ctrl-C and a scheduler do."""
    started = place.start()
    started.await_words("repeat 0 variant")
    started.process.send_signal(signal.SIGTERM)
    began = time.monotonic()
    code, run = started.end(), started.run
    took = time.monotonic() - began
    if left := place.survivors():
        return Played(f"there lives {left[0][:120]}", run)
    return _held(place.start("--resume", run), place, f"ended with {code} after {took:.0f} s")


def two_at_once(place: Place) -> Played:
    """Start a second study while the first measures: it waits, and then runs."""
    first = place.start()
    first.await_words("variant ready after")
    second = place.start(name="faults-second")
    has_waited = second.await_words("is held by another run")
    ended = _held(first, place, "the first ended")
    code = second.end()
    if has_waited and ended.agrees and code == 20:
        return Played(f"{AS_EXPECTED}: the second waited for the device, then ran", first.run)
    return Played(f"waited: {has_waited}; {ended.told}; the second ended with {code}", first.run)


def ledger_held(place: Place) -> Played:
    """Let a reader hold the ledger while the run wants to write it."""
    first = place.start()
    first.end()
    hold = f"import duckdb, time; c = duckdb.connect({str(place.home.ledger)!r}); time.sleep(45)"
    started = place.start()
    started.await_words("variant ready after")
    while not (started.await_words("judge") or started.process.poll() is not None):
        time.sleep(0.1)
    reader = subprocess.Popen([sys.executable, "-c", hold])
    played = _held(started, place, "it waited for the reader")
    reader.kill()
    reader.wait()
    return played


def disk_full(place: Place) -> Played:
    """Let the home's disk run full in the middle, free it, and resume."""
    mounted = place.home.root / "store"
    mounted.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", str(mounted)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        return Played(f"{AS_EXPECTED}: not played, this machine lets nobody mount a small disk")
    try:
        started = place.start()
        code = started.end()
        told = [line for line in started.text.splitlines() if "free" in line or "full" in line]
        subprocess.run(["mount", "-o", "remount,size=2g", str(mounted)], check=True)
        played = _held(place.start("--resume", started.run), place, f"refused with {code}")
        return played if told else Played(f"the refusal does not say so: {started.text[-300:]}")
    finally:
        subprocess.run(["umount", "-l", str(mounted)], check=False)


def evidence_cut(place: Place) -> Played:
    """Cut a file of evidence short: it is never half read."""
    started = place.start()
    started.end()
    file = next((place.home.store / "evidence" / started.run / "copy").glob("cell*.json"))
    file.write_bytes(file.read_bytes()[:-20])
    again = place.start("--resume", started.run)
    code = again.end()
    told = "does not verify" in again.text or "damaged" in again.text or "unreadable" in again.text
    file.unlink()
    if code != 0 and told:
        return Played(f"{AS_EXPECTED}: told, exit code {code}", started.run)
    return Played(f"exit code {code}: {again.text[-300:]}", started.run)


def _engines(place: Place) -> list[psutil.Process]:
    """List the engine's processes: they keep their caches below this home."""
    found = []
    for process in psutil.process_iter():
        try:
            cache = process.environ().get("VLLM_CACHE_ROOT", "")
            if cache.startswith(str(place.home.root)) and "supervisor" not in process.cmdline():
                found.append(process)
        except (psutil.Error, OSError):
            continue
    return found


FAULTS = (
    Fault("kill -9 at every stage", "goes on with --resume; HOLD", killed_at_every_stage),
    Fault("engine killed", "a verdict or HOLD, never a crash", engine_killed),
    Fault("engine hangs", "a verdict or HOLD after its deadline", engine_hangs),
    Fault("Prefect's server dies", "fails, goes on with --resume", server_gone),
    Fault("SIGTERM", "ends by itself, goes on with --resume", terminated),
    Fault("two studies at once", "the second waits, then runs", two_at_once),
    Fault("ledger held by a reader", "waits for it", ledger_held),
    Fault("disk full", "refused with the bytes; resumes", disk_full),
    Fault("evidence cut short", "told; never half read", evidence_cut),
)
