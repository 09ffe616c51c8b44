"""What a team asks the ledger: each view by hand, what each column is, and all of it as Parquet."""

from pathlib import Path

import duckdb
import pytest
from pyarrow import parquet

from reports.ledger import Ledger
from reports.questions import export, main, tables, views
from tests.reports import fixture, judged, past
from variants.errors import LedgerError

LATER = "another-run"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of two runs; the second found a smaller gain and was held."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.duckdb"
    first = judged.decisions()[0]
    gain = first.gains[0].model_copy(update={"estimate": 0.15, "lower": 0.1, "upper": 0.2})
    held = {"run": LATER, "outcome": "HOLD", "gains": (gain,)}
    began = past.setting(LATER).model_copy(update={"at": "2026-12-03T00:00:00+00:00"})
    with Ledger(path) as opened:
        opened.append(fixture.filed())
        for decision in (*judged.decisions(), first.model_copy(update=held)):
            opened.append_decision(decision)
        opened.append_once(judged.PROMOTION)
        opened.append_once(past.setting(fixture.RUN))
        opened.append_once(began)
        opened.append_run(judged.RUN_END)
    return path


def asked(path: Path, sql: str) -> list[tuple[object, ...]]:
    with Ledger(path, read_only=True) as opened:
        return [tuple(row.values()) for row in opened.query(sql)]


def test_who_stands_in_each_channel(ledger: Path) -> None:
    sql = "SELECT channel, variant, action, gain FROM champions"
    assert asked(ledger, sql) == [(judged.PROMOTION.channel, "compiled", "move", 0.2366)]


def test_the_best_variant_of_each_base_target_and_service_class(ledger: Path) -> None:
    sql = "SELECT base, target, service_class, variant, gain_lower FROM best_variants"
    assert asked(ledger, sql) == [
        ("smollm2-135m-instruct", "cpu", "interactive", "compiled", 0.2171)
    ]


def test_the_champion_has_drifted(ledger: Path) -> None:
    sql = "SELECT run, outcome, round(change, 4) FROM champion_drift ORDER BY began_at"
    assert asked(ledger, sql) == [(fixture.RUN, "PROMOTE", 0.0), (LATER, "HOLD", -0.0866)]


def test_the_history_of_a_metric_leaves_out_what_is_not_valid(ledger: Path) -> None:
    """One of five repeats of int8-w8a8 was spoilt by a late client."""
    sql = (
        "SELECT repeats FROM metric_history WHERE variant = 'int8-w8a8' AND arm = 'variant' "
        "AND cell = 'closed-1' AND metric = 'tpot_ms_mean'"
    )
    assert asked(ledger, sql) == [(4,)]


def test_what_a_million_tokens_cost(ledger: Path) -> None:
    """3.6 USD an hour is .001 USD a second: at v tokens/s, 1,000 / v USD a million."""
    sql = "SELECT count(*) > 0, bool_and(abs(usd_per_million * output_tokens_per_s - 1000) < 1e-6)"
    assert asked(ledger, f"{sql} FROM token_costs") == [(True, True)]


def test_gates_and_hours_are_counted(ledger: Path) -> None:
    sql = "SELECT bool_and(judged = passed + failed + open + not_applicable) FROM gate_outcomes"
    assert asked(ledger, sql) == [(True,)]
    sql = "SELECT round(sum(share), 6), min(runs) FROM device_hours"
    assert asked(ledger, sql) == [(1.0, 1)]


def test_every_column_says_what_it_is(ledger: Path) -> None:
    with duckdb.connect(str(ledger), read_only=True) as opened:
        found = opened.sql(
            "SELECT table_name, column_name FROM information_schema.columns "
            "WHERE table_schema = 'kept'"
        ).fetchall()
    assert {(table, name) for table, columns in tables().items() for name in columns} == set(found)


def test_every_question_says_what_it_answers(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(ledger), "--views"]) == 0
    told = capsys.readouterr().out
    for name, says in views():
        assert f"{name}: {says}" in told
        assert len(asked(ledger, f"DESCRIBE {name}")) > 2
    assert main([str(ledger), "--columns", "cells"]) == 0
    assert "window_s       DOUBLE NOT NULL; s, arrivals inside are judged" in (
        capsys.readouterr().out
    )
    assert main([str(ledger), "--columns", "nothing"]) == 1
    assert "no table 'nothing'" in capsys.readouterr().err


def test_all_of_it_as_parquet(ledger: Path, tmp_path: Path) -> None:
    lines = export(ledger, tmp_path / "out")
    assert len(lines) == len(tables())
    written = parquet.read_table(tmp_path / "out" / "cells.parquet")
    ((count,),) = asked(ledger, "SELECT count(*) FROM cells")
    assert written.num_rows == count
    with pytest.raises(LedgerError, match="is there already"):
        export(ledger, tmp_path / "out")


def test_one_thing_is_asked_at_a_time(ledger: Path) -> None:
    with pytest.raises(SystemExit):
        main([str(ledger)])
    with pytest.raises(SystemExit):
        main([str(ledger), "SELECT 1", "--views"])
