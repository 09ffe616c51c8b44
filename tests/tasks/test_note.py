"""Where and with what a run begins is filed once, and lands in the ledger too."""

from pathlib import Path

import pytest

from evals.gates import load_policy
from reports.kept.entries import Setting
from reports.kept.recorder import Recorder
from reports.kept.run_files import entries_of
from reports.kept.timeline import Timeline
from reports.ledger import Ledger
from tasks import tell
from tasks.note import note
from tasks.run import Run
from tests.flows.test_promotion import STUDY
from variants.builders.artifact import tool_versions
from variants.home import Home
from variants.kept.store import Store
from variants.sources import Source


@pytest.fixture
def run(tmp_path: Path) -> Run:
    home = Home(tmp_path)
    store = Store(home.store)
    return Run(
        study=STUDY, name="small-1", home=home, policy=load_policy("quick"), store=store,
        source=Source(tmp_path / "base.gguf", "1" * 64, "a base"),
        recorder=Recorder(store, STUDY, "small-1"),
        timeline=Timeline(home.run("small-1") / "stages.jsonl"),
    )  # fmt: skip


def test_the_setting_is_filed_once(run: Run) -> None:
    note.fn(run, ["python -m flows.qualify small"])
    note.fn(run, ["another command"])
    (setting,) = entries_of(run.home, "small-1", Setting)
    assert setting.commands == ("python -m flows.qualify small",)
    assert setting.tools == tool_versions()
    assert setting.policy == run.policy
    assert setting.hardware.target == "cpu"
    assert set(setting.engines) == {"vllm-cpu-0.32.0", "vllm-cuda-0.32.0"}
    tell.record.fn(run, [])
    tell.record.fn(run, [])
    with Ledger(run.home.ledger, read_only=True) as ledger:
        (row,) = ledger.query("SELECT run, tools['torch'] AS torch, commands FROM settings")
    assert row == {
        "run": "small-1", "torch": tool_versions()["torch"],
        "commands": ["python -m flows.qualify small"],
    }  # fmt: skip
