"""A champion from run to run: gains are mirrored damages, oldest run first."""

from datetime import UTC, datetime

from evals.gates.envelope import EnvelopeRow
from evals.gates.verdict import Row
from reports.across.past import PastRun
from reports.across.trend import changes_of, followed, trend_blocks
from reports.blocks import Figures, Missing, Table
from tests.reports import fixture, judged

SLOWER = Row(label="closed-1", outcome="PASS", estimate=0.04, lower=-0.01, upper=0.09, n=5)


def run(day: int, promoted: bool) -> PastRun:
    row = EnvelopeRow(
        cell="closed-1", gate="ttft", metric="ttft_ms", unit="relative to the baseline",
        outcome="PASS", standing="undecided", row=SLOWER,
    )  # fmt: skip
    elsewhere = row.model_copy(update={"cell": "closed-8", "metric": "output_tokens_per_s"})
    decision = judged.decisions()[0].model_copy(update={"envelope": (row, elsewhere)})
    moves = (judged.PROMOTION,) if promoted else ()
    began = datetime(2026, 11, day, 12, tzinfo=UTC)
    return PastRun(f"run-{day}", fixture.study(), began, None, {"compiled": decision}, moves)


def test_changes_are_gains_in_the_objectives_cell() -> None:
    """TTFT 4 % worse [1 % better, 9 % worse] is a gain of -4 % [-9, 1]."""
    changes = changes_of(run(1, True), "compiled")
    assert list(changes) == ["tpot_ms", "ttft_ms"]
    ttft = changes["ttft_ms"]
    assert (ttft.estimate, ttft.lower, ttft.upper, ttft.n) == (-0.04, -0.09, 0.01, 5)
    assert changes["tpot_ms"].estimate == 0.2366


def test_two_runs_are_a_line_and_a_table() -> None:
    figures, table = trend_blocks([run(2, False), run(1, True)])
    assert isinstance(figures, Figures)
    assert isinstance(table, Table)
    assert [chart.title for chart in figures.charts] == ["Gain in tpot_ms", "Gain in ttft_ms"]
    assert [row["run"] for row in figures.charts[0].rows] == [
        "2026-11-01 12:00", "2026-11-02 12:00",
    ]  # fmt: skip
    assert figures.charts[1].rows[0]["tip"] == "run 1, 2026-11-01 12:00: −4 % [−9, 1]"
    assert [row[0].text for row in table.rows] == ["run-1", "run-2"]
    assert table.rows[0][4].text == "−4.00 %"
    assert table.rows[0][4].note == "[−9.00, +1.00], n\u00a0=\u00a05"


def test_one_run_is_a_table_alone() -> None:
    (table,) = trend_blocks([run(1, True)])
    assert isinstance(table, Table)


def test_nobody_to_follow() -> None:
    assert followed([run(1, False)]) is None
    (missing,) = trend_blocks([run(1, False)])
    assert isinstance(missing, Missing)
