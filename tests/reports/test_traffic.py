from types import SimpleNamespace
from typing import Any

from evals.results import Cell, TenantUse
from reports.blocks import Missing, Table
from reports.page import render
from reports.sections import traffic
from reports.view import Arm
from tests.reports import judged


def use(name: str, num_ok: int, share: float) -> TenantUse:
    return TenantUse(
        name=name, num_judged=10, num_ok=num_ok, attainment=num_ok / 10, prompt_tokens=1000,
        cached_tokens=250, output_tokens=320, share=share,
    )  # fmt: skip


def cell(repeat: int) -> Cell:
    return Cell(
        name="poisson-2-tenants", arm="variant", repeat=repeat, order=repeat, num_offered=20,
        num_ok=17, window_s=8,
        metrics={
            "request_rate_rps": 2.5, "arrival_dispersion": 1.0 + repeat / 10, "recovery_ms": 12.0,
            "output_tokens_mean": 30.0, "valid_answers": 0.75, "engine_cpu_cores": 1.5,
            "engine_rss_bytes": 2.0 * (1 << 30),
        },
        engine={
            "prefix_hit_tokens_total": 500.0, "prefix_query_tokens_total": 2000.0,
            "queue_seconds": 1.0, "prefill_seconds": 2.0, "decode_seconds": 7.0,
        },
        tenants=(use("gold", 9, 0.25), use("basic", 8, 0.75)), traces_sha256="0" * 64,
    )  # fmt: skip


def view(*cells: Cell, price: float | None = None) -> Any:
    """The part of a view that this section looks at."""
    records: Any = tuple(SimpleNamespace(payload=one) for one in cells)
    study = SimpleNamespace(
        workload=SimpleNamespace(cells=[SimpleNamespace(name="poisson-2-tenants")]),
        price_per_device_hour=price,
    )
    return SimpleNamespace(told=SimpleNamespace(study=study), arms=(Arm("int8", 1, records),))


def texts(table: Table) -> list[list[tuple[str, str]]]:
    return [[(value.text, value.note) for value in row] for row in table.rows]


def test_what_was_sent_and_taken_by_hand() -> None:
    sent, tenants = traffic.build(view(cell(0), cell(1), price=2.0))
    assert isinstance(sent, Table)
    assert isinstance(tenants, Table)
    assert texts(sent) == [
        [
            ("poisson-2-tenants", ""), ("int8", ""), ("2.50 requests/s", "dispersion 1.05"),
            ("25.0%", ""), ("30 tokens", "75.0% valid"), ("10% / 20% / 70%", ""),
            ("1.50 cores", "2 GiB resident"), ("12 ms", ""),
        ]
    ]  # fmt: skip
    assert texts(tenants)[0][2:] == [
        ("gold", ""), ("18 of 20", ""), ("90.0%", ""), ("2,000", "500 cached"), ("640", ""),
        ("25.0%", ""), ("0.500 USD/device hour", ""),
    ]  # fmt: skip


def test_a_gpu_tells_its_energy() -> None:
    metrics = {"energy_j_per_token": 0.5, "device_power_w": 300.0}
    (sent, *_) = traffic.build(view(cell(0).model_copy(update={"metrics": metrics})))
    assert isinstance(sent, Table)
    assert ("0.500 J/token", "300 W") in texts(sent)[0]


def test_no_load_is_said_and_no_tenant_no_table() -> None:
    assert isinstance(traffic.build(view())[0], Missing)
    assert len(traffic.build(view(cell(0).model_copy(update={"tenants": ()})))) == 1


def test_the_page_holds_it() -> None:
    assert "Traffic and what it took" in render(judged.view())
