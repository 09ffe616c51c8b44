"""The cost of making, and after how many tokens it is paid for."""

from dataclasses import replace

from evals.results import Artifact, Cell, Payload
from reports.blocks import Table, Value
from reports.figures.making import making_table
from reports.view import View
from tests.reports import judged

COST = {
    "build_seconds": 36.0, "library_seconds": 35.1, "device_hours": 0.01,
    "peak_host_bytes": 1 << 30, "stage_seconds": {"load": 5.1, "oneshot": 30.0},
}  # fmt: skip
RATES = {"baseline": 100.0, "int8-w8a8": 125.0, "int4-w4a16-channel": 80.0}


def costly(payload: Payload, rate: float | None) -> Payload:
    if isinstance(payload, Artifact):
        return payload.model_copy(update=COST)
    if not isinstance(payload, Cell):
        return payload
    # an invalid repeat counts for nothing
    metrics = {"output_tokens_per_s": 1.0 if payload.invalid else rate}
    return payload.model_copy(update={"metrics": metrics})


def measured() -> View:
    view = judged.view()

    def with_cost(arm):  # type: ignore[no-untyped-def]
        rate = RATES.get(arm.name)
        records = (
            one.model_copy(update={"payload": costly(one.payload, rate)}) for one in arm.records
        )
        return replace(arm, records=tuple(records))

    return replace(
        view, baseline=with_cost(view.baseline), variants=tuple(map(with_cost, view.variants))
    )


def rows(view: View) -> dict[str, tuple[Value, ...]]:
    (table,) = making_table(view)
    assert isinstance(table, Table)
    return {row[0].text: row for row in table.rows}


def test_a_run_that_measured_no_build_shows_no_table() -> None:
    assert making_table(judged.view()) == ()


def test_each_artifact_has_its_cost_and_when_it_is_paid_for() -> None:
    """.01 h of making; 100 against 125 tokens/s saves .5556 h a million: 18,000 tokens."""
    found = rows(measured())
    told = [cell.text for cell in found["int8-w8a8"]]
    assert told[1:] == [
        "36 s", "load 5.10 s, oneshot 30 s", "2.50 %", "0.0100 h", "1 GiB", "not measured",
        "18,000 tokens",
    ]  # fmt: skip
    assert found["int4-w4a16-channel"][-1].text == "never"
    assert found["compiled"][-1].text == "not measured"  # no rate in the objective's cell
    assert found["baseline"][-1].text == "–"
