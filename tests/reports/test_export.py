"""Export, judge again, and waive: from the files of a run to the same decision."""

import json
from pathlib import Path

import pytest

from evals.gates import decide, load_policy, policy_sha256
from evals.gates.__main__ import main as judge
from evals.study import Study
from evals.study_file import variant_specs
from reports.export import main as export
from reports.kept.recorder import Recorder
from reports.ledger import Ledger
from reports.waivers import main as waive
from reports.waivers import read_waivers
from tests.evals.gates.worked import STUDY
from tests.fail_closed.path import BASE, RUN, VARIANT, healthy
from variants.errors import LedgerError
from variants.fingerprint import fingerprint
from variants.home import Home
from variants.kept.durable import write_bytes
from variants.kept.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A run that has ended, as its evidence files."""
    monkeypatch.setenv("TOUCHSTONE_HOME", str(tmp_path / "home"))
    home = Home.from_environment()
    fields = {"policy": "quick", "variants": ("int4_w4a16_channel",), "base": BASE}
    study = Study.model_validate(STUDY.model_dump() | fields)
    write_bytes(home.run(RUN) / "study.json", study.model_dump_json().encode())
    store = Store(home.store)
    for record in healthy().records:
        if record["payload"]["kind"] == "binding":
            record["payload"]["policy_sha256"] = policy_sha256(load_policy("quick"))
        store.put_evidence(RUN, record["variant"], record["step"], json.dumps(record))
    evidence = Recorder(store, study, RUN).evidence(variant_specs(study)[VARIANT], "up to 3B")
    decision = decide(study, load_policy("quick"), evidence)
    assert decision.outcome == "PROMOTE", decision.reason
    store.put_evidence(RUN, VARIANT, "entry.decision", decision.model_dump_json())
    with Ledger(home.ledger) as ledger:
        ledger.append_decision(decision)
    return home


def test_the_exported_case_is_decided_as_in_the_ledger(
    home: Home, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export([RUN, "--to", str(tmp_path / "cases")]) == 0
    (case,) = (tmp_path / "cases").glob("*.json")
    capsys.readouterr()
    assert judge(["judge", str(case)]) == 0
    told = capsys.readouterr().out
    with Ledger(home.ledger, read_only=True) as ledger:
        (row,) = ledger.query("SELECT digest, outcome FROM decisions")
    assert f"decision {row['digest']}" in told
    asked = ["s", VARIANT, "ttft", "--who", "Ada", "--why", "granted after the decision"]
    assert waive(asked) == 0
    assert export([RUN, "--to", str(tmp_path / "cases")]) == 0
    capsys.readouterr()
    assert judge(["judge", str(case), "--json"]) == 0
    assert fingerprint(json.loads(capsys.readouterr().out)) == row["digest"]


def test_no_such_run_and_nothing_decided(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    assert export(["run-9"]) == 2
    assert "no run 'run-9'" in capsys.readouterr().err
    write_bytes(home.run("run-2") / "study.json", (home.run(RUN) / "study.json").read_bytes())
    assert export(["run-2"]) == 2
    assert "nothing was decided" in capsys.readouterr().err


def test_a_waiver_is_filed_and_read_again(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["s", VARIANT, "ttft", "--who", "Ada", "--why", "measured by hand last week"]
    assert waive(asked) == 0
    (waiver,) = read_waivers(home.waivers, "s")
    assert (waiver.gate, waiver.who) == ("ttft", "Ada")
    assert read_waivers(home.waivers, "another") == ()
    (file,) = home.waivers.glob("*.json")
    file.write_text(file.read_text().replace("Ada", "Bob"))
    with pytest.raises(LedgerError, match="changed after it was given"):
        read_waivers(home.waivers, "s")


@pytest.mark.parametrize(
    ("gate", "extra", "said"),
    [
        ("tool-calling", [], "these may be waived"),
        ("benefit", [], "these may be waived"),
        ("nothing", [], "these may be waived"),
        ("ttft", ["--days", "365"], "90 days"),
        ("ttft", ["--policy", "unknown"], "no policy"),
    ],
)
@pytest.mark.usefixtures("home")
def test_what_may_not_be_waived_is_refused(
    gate: str, extra: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["s", VARIANT, gate, "--who", "Ada", "--why", "measured by hand last week", *extra]
    assert waive(asked) == 2
    assert said in capsys.readouterr().err
