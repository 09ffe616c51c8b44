"""A real variant of a real model on the real engine, through the command a user types.

One small study, killed with -9 in the middle of a measurement and resumed; then the same study
with an engine setting that makes text wrong where prompts are long.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import psutil
import pytest

from variants.running.isolation import ROOT

pytestmark = pytest.mark.engine
STUDY = {
    "name": "small",
    "base": "smollm2-135m-instruct",
    "variants": ["int8_w8a8"],
    "workload": {
        "cells": [{"closed": 1}], "repeats": 2, "spare_repeats": 0, "input_tokens": 32,
        "output_tokens": 8, "ramp_s": 0.5, "window_s": 2.0,
    },
    "suites": [],
    "objective": {"metric": "tpot_ms", "cell": "closed-1"},
}  # fmt: skip
# RoPE angles for another model: the first tokens are right, later ones drift
WRONG_TEXT = [
    "--hf-overrides",
    '{"rope_parameters": {"rope_theta": 5000.0, "rope_type": "default"}}',
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of its own that shares the installed engines of this checkout."""
    root = tmp_path_factory.mktemp("home")
    engines = ROOT / ".touchstone" / "engines"
    engines.mkdir(parents=True, exist_ok=True)
    (root / "engines").symlink_to(engines)
    return root


def command(study: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "flows.qualify", str(study), *options]


CANARY = "canary-5f1d0c7e"  # stands where secrets do, and may be found nowhere
SECRETS = ("HF_TOKEN", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "MY_PASSWORD")


def variables(home: Path) -> dict[str, str]:
    own = {"TOUCHSTONE_HOME": str(home), "PREFECT_HOME": str(home / "prefect")}
    return os.environ | dict.fromkeys(SECRETS, CANARY) | own


def write_study(folder: Path, **changes: object) -> Path:
    path = folder / f"{changes.get('name', 'small')}.yaml"
    path.write_text(json.dumps(STUDY | changes))  # JSON is YAML
    return path


def engine_processes(home: Path) -> list[str]:
    """Name what serves an artifact of this home; an engine's workers show it by their caches."""
    found = []
    for process in psutil.process_iter(["cmdline", "environ"]):
        line = " ".join(process.info["cmdline"] or ())
        caches = (process.info["environ"] or {}).get("VLLM_CACHE_ROOT", "")
        if str(home / "store") in line or caches.startswith(str(home)):
            found.append(line)
    return found


def run_study(study: Path, home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(study, *options), env=variables(home), cwd=ROOT, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def run_until(marker: str, study: Path, home: Path) -> str:
    """Start a run, kill it with -9 as soon as it prints the marker, and return its name."""
    process = subprocess.Popen(
        command(study), env=variables(home), cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert process.stdout is not None
    name, printed = "", []
    for line in process.stdout:
        printed.append(line)
        named = re.search(r"run (small-\S+) of study", line)
        name = named[1] if named else name
        if marker in line:
            process.send_signal(signal.SIGKILL)
            break
    process.wait()
    assert process.returncode == -signal.SIGKILL, "".join(printed)
    return name


def test_a_killed_run_leaves_no_engine_and_is_resumed(home: Path, tmp_path: Path) -> None:
    study = write_study(tmp_path)
    name = run_until("repeat 0 variant", study, home)
    deadline = time.monotonic() + 60
    while (left := engine_processes(home)) and time.monotonic() < deadline:
        time.sleep(1)
    assert left == []
    evidence = home / "store" / "evidence" / name
    before = {path.name for path in evidence.rglob("*.json")}

    done = run_study(study, home, "--resume", name)

    assert done.returncode == 20, done.stdout  # no suites: nothing may be promoted
    assert before <= {path.name for path in evidence.rglob("*.json")}
    assert "HOLD" in done.stdout
    assert (home / "reports" / name / "report.html").exists()
    with duckdb.connect(str(home / "ledger.duckdb"), read_only=True) as ledger:
        rows = ledger.sql(
            "select variant, arm, count(*) from cells group by all order by all"
        ).fetchall()
        decided = ledger.sql("select run, outcome from decisions").fetchall()
    assert [(arm, count) for _, arm, count in rows] == [("baseline", 2), ("variant", 2)]
    assert decided == [(name, "HOLD")]


def test_an_engine_that_computes_something_else_is_stopped(home: Path, tmp_path: Path) -> None:
    study = write_study(tmp_path, name="small-wrong", engine_arguments=WRONG_TEXT)
    done = run_study(study, home)
    assert done.returncode == 10, done.stdout
    told = re.search(
        r"REJECT.*differ by ([\d.]+) nats on average .* at position (\d+)", done.stdout
    )
    assert told, done.stdout
    assert float(told[1]) > 0.1
    assert engine_processes(home) == []


def test_an_engine_that_refuses_the_baseline_too_is_no_verdict(home: Path, tmp_path: Path) -> None:
    study = write_study(
        tmp_path, name="small-refused", engine_arguments=["--tensor-parallel-size", "7"]
    )
    done = run_study(study, home)
    assert done.returncode == 20, done.stdout
    assert "refused this variant" in done.stdout
    assert "neither is the baseline" in done.stdout


def test_no_secret_is_left_anywhere(home: Path) -> None:
    """After all the runs above: evidence, ledger, logs, reports, Prefect's database."""
    files = [path for path in home.rglob("*") if path.is_file() and not path.is_symlink()]
    assert any(path.name == "prefect.db" for path in files)
    assert any(path.suffix == ".log" for path in files)
    assert [path for path in files if CANARY.encode() in path.read_bytes()] == []
