from pathlib import Path

from evals.results import Compilation, Payload, Record, Speculated
from reports.ledger import Ledger

PAID = Compilation(
    cell="closed-8", cold_extra_s=180.0, warm_extra_s=90.0, warm_hit=False,
    baseline_request_s=2.0, variant_request_s=1.2, cold_requests=225.0, warm_requests=112.5,
    cache_key="a" * 16, cache_bytes=9_900_000,
)  # fmt: skip
CODE = Speculated(
    data_class="code", concurrency=8, num_requests=16, output_tokens=512, num_drafts=16.0,
    drafted_tokens=62.0, accepted_tokens=51.0, acceptance_length=4.1875,
    acceptance_rate=51 / 62, output_tokens_per_s=40.0, baseline_tokens_per_s=20.0,
)  # fmt: skip


def record(step: str, payload: Payload) -> Record:
    return Record(
        study="s", run="r", variant="v", step=step, recorded_at="2026-11-30T00:00:00+00:00",
        payload=payload,
    )  # fmt: skip


def test_both_are_told_by_the_ledger(tmp_path: Path) -> None:
    records = [("1" * 64, record("compilation", PAID)), ("2" * 64, record("speculation.x", CODE))]
    with Ledger(tmp_path / "ledger.duckdb") as ledger:
        ledger.append(records)
        (paid,) = ledger.query("from compilations")
        (code,) = ledger.query("from speculations")
    assert (paid["cold_requests"], paid["warm_hit"], paid["cache_bytes"]) == (225.0, False, 9900000)
    assert (code["data_class"], code["concurrency"]) == ("code", 8)
    assert code["acceptance_length"] == 4.1875
