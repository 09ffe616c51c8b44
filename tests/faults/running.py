"""Take a small study of the real model through the real engine, and do something to it meanwhile.

The study has one variant, the baseline's own weights: nothing is built for it, it is served, and
it ends on HOLD, since nothing is gained.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

import duckdb
import psutil

from reports.ledger import Ledger
from reports.rebuild import main as rebuild
from variants.home import Home
from variants.running.isolation import ROOT

NAMED = re.compile(r"run (faults-\S+) of study")
PATIENCE_S = 1800.0
GONE_S = 60.0  # an engine is given 10 s to end by itself, its supervisor as much again
STUDY = {
    "name": "faults",
    "base": "smollm2-135m-instruct",
    "variants": ["copy"],
    "workload": {
        "cells": [{"closed": 1}], "repeats": 2, "spare_repeats": 0, "input_tokens": 32,
        "output_tokens": 8, "ramp_s": 0.5, "window_s": 2.0,
    },
    "suites": [],
    "objective": {"metric": "tpot_ms", "cell": "closed-1"},
}  # fmt: skip


@dataclass
class Started:
    """A command under way, and what it has said so far."""

    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def await_words(self, words: str) -> bool:
        """Wait until it says something; False where it ends without."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if words in self.text:
                return True
            if self.process.poll() is not None:
                time.sleep(1)  # the last lines are still being read
                return words in self.text
            time.sleep(0.05)
        return False

    @property
    def text(self) -> str:
        """Everything it has said."""
        return "".join(self.said)

    @property
    def run(self) -> str:
        """The run's name; '' where it has not said it."""
        found = NAMED.search(self.text)
        return found[1] if found else ""

    def kill(self) -> None:
        """Kill it with -9 and nothing else."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self) -> int:
        """Wait for its end."""
        code = self.process.wait(timeout=PATIENCE_S)
        time.sleep(0.5)
        return code


@dataclass(frozen=True)
class Place:
    """A home of its own, whose engines are those of the user's."""

    home: Home

    @property
    def variables(self) -> dict[str, str]:
        """The environment of a command that works here."""
        own = {"TOUCHSTONE_HOME": str(self.home.root), "TMPDIR": str(self.home.root / "tmp")}
        return os.environ | own | {"PREFECT_HOME": str(self.home.root / "prefect")}

    def start(self, *options: str, **changes: object) -> Started:
        """Start the study, or what it is changed into."""
        path = self.home.root / f"{changes.get('name', 'faults')}.yaml"
        path.write_text(json.dumps(STUDY | changes))  # JSON is YAML
        (self.home.root / "tmp").mkdir(exist_ok=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "flows.qualify", str(path), *options],
            env=self.variables, cwd=ROOT, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )  # fmt: skip
        started = Started(process)
        Thread(target=_read, args=(started,), daemon=True).start()
        return started

    def survivors(self) -> list[str]:
        """Name what still lives of this place once it had time to go."""
        deadline = time.monotonic() + GONE_S
        while (left := list(self._living())) and time.monotonic() < deadline:
            time.sleep(0.5)
        return left

    def _living(self) -> Iterator[str]:
        mine = str(self.home.root)
        for process in psutil.process_iter():
            try:
                if process.pid == os.getpid() or process.status() == psutil.STATUS_ZOMBIE:
                    continue
                line = " ".join(process.cmdline())
                values = process.environ().values()
            except (psutil.Error, OSError):
                continue
            if mine in line or any(value.startswith(mine) for value in values):
                yield line

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        """Ask this place's ledger."""
        with duckdb.connect(str(self.home.ledger), read_only=True) as ledger:
            return ledger.sql(sql).fetchall()

    def lost_and_doubled(self, run: str) -> tuple[int, int]:
        """Count evidence that the ledger lacks, and steps that it holds twice.

        A ledger made anew from evidence must be equal to this one; every row that is not counts.
        """
        before = self._content()
        os.environ["TOUCHSTONE_HOME"] = str(self.home.root)
        assert rebuild([]) == 0
        after = self._content()
        unequal = sum(len(set(before[one]) ^ set(after[one])) for one in after)
        ((doubled,),) = self.rows(
            "SELECT count(*) - count(DISTINCT (variant, step)) FROM evidence "
            f"WHERE run = '{run}' AND step NOT LIKE '%again%'"
        )
        return unequal, int(str(doubled))

    def _content(self) -> dict[str, list[str]]:
        with Ledger(self.home.ledger, read_only=True) as ledger:
            names = ("evidence", "cells", "checks", "decisions", "gates", "artifacts", "runs")
            return {
                name: [str(row) for row in ledger.query(f"SELECT * FROM {name} ORDER BY ALL")]
                for name in names
            }


def _read(started: Started) -> None:
    assert started.process.stdout is not None
    for line in started.process.stdout:
        started.said.append(line)


@contextmanager
def place(root: Path, engines: Path) -> Iterator[Place]:
    """Make a home below `root`, and see that nothing of it lives on."""
    root.mkdir(parents=True)
    engines.mkdir(parents=True, exist_ok=True)
    (root / "engines").symlink_to(engines)
    made = Place(Home(root))
    try:
        yield made
    finally:
        for process in psutil.process_iter(["pid"]):
            try:
                if process.environ().get("TOUCHSTONE_HOME") == str(root):
                    process.kill()
            except (psutil.Error, OSError):
                continue
