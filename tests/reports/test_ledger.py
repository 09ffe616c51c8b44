"""The ledger: one owner, one row per digest, whole transactions, equal when rebuilt."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from evals.results import Cell, TenantUse
from reports.ledger import SCHEMA, Ledger, rebuild
from reports.questions import main
from tests.reports import fixture, judged, past
from variants.errors import LedgerError
from variants.fingerprint import canonical_json, sha256_text

CONTENT = (
    "evidence", "cells", "suites", "samples", "fidelity",
    "fidelity_slices", "fidelity_positions", "checks", "artifacts", "startups",
    "memory", "configs", "decisions", "gates", "promotions", "runs", "stages", "settings",
)  # fmt: skip
GOLDEN = Path(__file__).with_name("golden")
PARENT_OPENS = "SELECT count(*) AS n FROM evidence"


def fill(ledger: Ledger) -> None:
    ledger.append(fixture.filed())
    for decision in judged.decisions():
        ledger.append_decision(decision)
    ledger.append_once(judged.PROMOTION)
    ledger.append_once(past.setting(fixture.RUN))
    ledger.append_run(judged.RUN_END)


def content(path: Path) -> dict[str, list[dict[str, object]]]:
    with Ledger(path, read_only=True) as ledger:
        return {view: ledger.query(f"SELECT * FROM {view} ORDER BY ALL") for view in CONTENT}


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ledger") / "ledger.duckdb"
    with Ledger(path) as ledger:
        fill(ledger)
    return path


def write_evidence(folder: Path) -> list[Path]:
    """File everything as the pipeline does: canonical JSON under its sha256."""
    values = [record for _, record in fixture.filed()]
    texts = [canonical_json(v) for v in (*values, *judged.decisions())]
    entries = (judged.PROMOTION, judged.RUN_END, past.setting(fixture.RUN))
    texts += map(canonical_json, entries)
    for text in texts:
        (folder / f"step-{sha256_text(text)}.json").write_text(text)
    return sorted(folder.glob("*.json"))


def test_every_view_is_keyed_by_study_run_and_variant(filled: Path) -> None:
    found = content(filled)
    for view in ("runs", "decisions", "gates", "cells", "samples", "artifacts", "promotions"):
        assert found[view], view
        assert {"study", "run", "variant"} <= set(found[view][0]), view


def test_each_tenant_is_a_row(tmp_path: Path) -> None:
    digest, record = next(pair for pair in fixture.filed() if isinstance(pair[1].payload, Cell))
    assert isinstance(record.payload, Cell)
    uses = tuple(
        TenantUse(
            name=name, num_judged=4, num_ok=4, attainment=None, prompt_tokens=9, cached_tokens=None,
            output_tokens=3, share=0.5,
        )
        for name in ("gold", "basic")
    )  # fmt: skip
    cell = record.payload.model_copy(update={"tenants": uses})
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        ledger.append([(digest, record.model_copy(update={"payload": cell}))])
        rows = ledger.query("SELECT tenant, cell, num_ok, attainment, share FROM tenants")
    assert {row["tenant"] for row in rows} == {"gold", "basic"}
    assert {(row["cell"], row["num_ok"], row["attainment"], row["share"]) for row in rows} == {
        (cell.name, 4, None, 0.5)
    }


def test_a_ledger_made_before_gets_the_new_column(tmp_path: Path) -> None:
    path = tmp_path / "ledger.duckdb"
    with Ledger(path) as ledger:
        fill(ledger)
    with duckdb.connect(str(path)) as old:
        old.execute("DROP VIEW tenants; DROP VIEW cells; ALTER TABLE kept.cells DROP tenants_json")
    with Ledger(path) as ledger:
        assert ledger.query("SELECT * FROM tenants") == []


def test_a_file_that_is_another_ledger_is_told_how_to_mend(tmp_path: Path) -> None:
    path = tmp_path / "ledger.duckdb"
    with duckdb.connect(str(path)) as other:
        other.execute("CREATE TABLE cells (a INTEGER)")
    with (
        pytest.raises(LedgerError, match=r"make it anew, `python -m reports\.rebuild`"),
        Ledger(path),
    ):
        pass


def test_golden_content(filled: Path) -> None:
    """The file was read and checked by hand against the fixture."""
    sql = (GOLDEN / "ledger.sql").read_text()
    with Ledger(filled, read_only=True) as ledger:
        rows = ledger.query(sql)
    assert "\n".join(map(canonical_json, rows)) + "\n" == (GOLDEN / "ledger.jsonl").read_text()


def test_counts_by_hand(filled: Path) -> None:
    """3 served variants x 4 cells x 5 repeats x 2 arms; 4 arms x 2 suites x 400 items.

    And 3 arms x 6 levels x 25 items of a suite with an axis.
    """
    found = content(filled)
    assert len(found["cells"]) == 3 * 4 * 5 * 2
    assert len(found["samples"]) == 4 * 2 * 400 + 3 * 6 * 25
    assert {row["level"] for row in found["samples"]} == {None, 1, 2, 4, 8, 16, 32}
    assert {row["axis"] for row in found["suites"]} == {"", "tools offered"}
    assert len(found["decisions"]) == 5
    assert sum(row["is_correct"] is None for row in found["samples"]) == 4 * 2


def test_slices_and_positions_are_rows(filled: Path) -> None:
    """2 variants x 2 roles; one variant x 2 buckets. A slice without a number is NULL, never 0."""
    found = content(filled)
    assert len(found["fidelity_slices"]) == 4
    lost = [row for row in found["fidelity_slices"] if row["num_nonfinite"]]
    assert [(row["variant"], row["name"], row["mean_kl"]) for row in lost] == [
        ("int4-w4a16-channel", "json-punctuation", None)
    ]
    assert [row["end_token"] for row in found["fidelity_positions"]] == [256, 2048]
    assert {row["variant"] for row in found["fidelity_positions"]} == {"int8-w8a8"}


def test_appending_twice_is_one_row(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "twice.duckdb"
    with Ledger(path) as ledger:
        fill(ledger)
        fill(ledger)
        assert ledger.append(fixture.filed()) == 0
    assert content(path) == content(filled)


def test_a_doubled_digest_in_one_call_is_one_row(tmp_path: Path) -> None:
    first = fixture.filed()[0]
    with Ledger(tmp_path / "l.duckdb") as ledger:
        assert ledger.append([first, first]) == 1


def test_a_later_decision_replaces_the_earlier(tmp_path: Path) -> None:
    decision = judged.decisions()[1]
    with Ledger(tmp_path / "l.duckdb") as ledger:
        ledger.append_decision(decision)
        ledger.append_decision(decision.model_copy(update={"outcome": "REJECT"}))
        assert [r["outcome"] for r in ledger.query("SELECT outcome FROM decisions")] == ["REJECT"]
        gates = ledger.query("SELECT count(*) AS n FROM gates")
    assert gates == [{"n": len(decision.verdicts)}]


def test_rebuilt_ledger_is_equal(filled: Path, tmp_path: Path) -> None:
    files = write_evidence(tmp_path)
    rebuild(tmp_path / "again.duckdb", files)
    assert content(tmp_path / "again.duckdb") == content(filled)


def test_rebuild_refuses_a_damaged_file(tmp_path: Path) -> None:
    files = write_evidence(tmp_path)
    files[0].write_text(files[0].read_text() + " ")
    with pytest.raises(LedgerError, match="does not verify"):
        rebuild(tmp_path / "again.duckdb", files)
    assert not (tmp_path / "again.duckdb").exists()


def test_rebuild_refuses_an_existing_ledger(filled: Path) -> None:
    with pytest.raises(LedgerError, match="exists; rebuild into a new file"):
        rebuild(filled, [])


def child(path: Path, body: str) -> subprocess.Popen[str]:
    """Start a process of our own that opens the ledger and says so."""
    code = (
        "import time\nfrom pathlib import Path\nfrom reports.ledger import Ledger\n"
        "from tests.reports.fixture import record, suite\n"
        f"with Ledger(Path({str(path)!r})) as ledger:\n{body}"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def test_a_ledger_held_by_another_process_says_so(tmp_path: Path) -> None:
    path = tmp_path / "held.duckdb"
    holder = child(path, "    print('open', flush=True)\n    time.sleep(60)\n")
    try:
        for read_only in (False, True):
            with (
                pytest.raises(LedgerError, match=f"held.duckdb is held by process {holder.pid}"),
                Ledger(path, read_only=read_only),
            ):
                pass
    finally:
        holder.kill()
        holder.wait()


WRITER = """
    print('open', flush=True)
    for batch in range(10_000):
        records = [record('compiled', f'{batch}-{k}', suite('compiled', f's{batch}-{k}', 0.5))
                   for k in range(3)]
        ledger.append((f'{batch:06d}-{k}', r) for k, r in enumerate(records))
        print(batch, flush=True)
"""


@pytest.mark.parametrize("delay_s", [0.0, 0.03, 0.06])
def test_a_killed_writer_leaves_whole_batches_only(tmp_path: Path, delay_s: float) -> None:
    """Each call appends 3 suites of 400 samples: kill it wherever it is, and count."""
    path = tmp_path / "killed.duckdb"
    writer = child(path, WRITER)
    assert writer.stdout is not None
    writer.stdout.readline()  # one batch is in
    time.sleep(delay_s)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    with Ledger(path) as ledger:
        num_suites = ledger.query("SELECT count(*) AS n FROM evidence")[0]["n"]
        per_suite = ledger.query("SELECT DISTINCT count(*) AS n FROM samples GROUP BY digest")
        num_owners = ledger.query("SELECT count(DISTINCT digest) AS n FROM samples")[0]["n"]
    assert isinstance(num_suites, int)
    assert num_suites >= 3
    assert num_suites % 3 == 0
    assert per_suite == [{"n": 400}]
    assert num_owners == num_suites


def test_a_writer_killed_inside_a_transaction_leaves_nothing(tmp_path: Path) -> None:
    path = tmp_path / "killed.duckdb"
    body = (
        "    def records():\n"
        "        yield 'a' * 64, record('compiled', 'a', suite('compiled', 'a', 0.5))\n"
        "    with ledger._transaction():\n"
        "        from reports import rows\n"
        "        ledger._insert(r for d, x in records() for r in rows.of_record(d, x))\n"
        "        print('open', flush=True)\n"
        "        time.sleep(60)\n"
    )
    writer = child(path, body)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    with Ledger(path) as ledger:
        assert ledger.query("SELECT count(*) AS n FROM samples") == [{"n": 0}]
        assert ledger.query(PARENT_OPENS) == [{"n": 0}]


def test_a_failing_append_writes_nothing(tmp_path: Path) -> None:
    digest, record = fixture.filed()[0]
    bad = record.model_copy(update={"recorded_at": "yesterday"})
    with Ledger(tmp_path / "l.duckdb") as ledger:
        with pytest.raises(ValueError, match="yesterday"):
            ledger.append([(digest, record), ("b" * 64, bad)])
        assert ledger.query(PARENT_OPENS) == [{"n": 0}]


def test_bad_sql_is_a_ledger_error(filled: Path) -> None:
    with Ledger(filled, read_only=True) as ledger, pytest.raises(LedgerError, match="no_such"):
        ledger.query("SELECT * FROM no_such")


def test_not_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database\n" * 1000)
    with pytest.raises(LedgerError, match="cannot be opened as a ledger"), Ledger(path):
        pass


def test_command_line(filled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(filled), "SELECT variant, outcome FROM decisions ORDER BY ALL LIMIT 1"]) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["variant", "outcome"]
    assert main([str(filled.with_name("none.duckdb")), "SELECT 1"]) == 1
    assert "no ledger at" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("DELETE FROM kept.cells", "read-only"),
        ("COPY (SELECT 1) TO 'FOLDER/x.csv'", "disabled"),
        ("", "asks nothing"),
        ("-- nothing", "asks nothing"),
    ],
)
def test_command_line_only_reads(
    filled: Path, capsys: pytest.CaptureFixture[str], sql: str, words: str
) -> None:
    assert main([str(filled), sql.replace("FOLDER", str(filled.parent))]) == 1
    assert words in capsys.readouterr().err
    assert not (filled.parent / "x.csv").exists()


def test_every_column_has_unit_and_source() -> None:
    """A column's comment is `unit or meaning; source`."""
    schema = SCHEMA.read_text()
    tables = re.findall(r"CREATE TABLE IF NOT EXISTS kept\.\w+ \(\n(.*?)\n\);", schema, re.DOTALL)
    columns = [line for table in tables for line in table.splitlines()]
    assert len(columns) > 100
    assert [line for line in columns if not re.search(r"-- .+; .+", line)] == []
