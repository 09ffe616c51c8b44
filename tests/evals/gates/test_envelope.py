import pytest

from evals.gates.envelope import Standing, standings
from evals.gates.verdict import Row, Verdict


def verdict(metric: str, kind: str, *rows: tuple[str, float, float, float, str]) -> Verdict:
    details = tuple(
        Row(label=cell, estimate=estimate, lower=lower, upper=upper, outcome=outcome)  # type: ignore[arg-type]
        for cell, estimate, lower, upper, outcome in rows
    )
    unit = "share" if kind == "attainment" else "relative to the baseline"
    return Verdict(
        gate=metric,
        tier="required",
        kind=kind,
        outcome="PASS",
        reason="r",
        metric=metric,
        unit=unit,
        details=details,
    )


@pytest.mark.parametrize(
    ("tpot", "ttft", "standing"),
    [
        ((-0.18, -0.20, -0.16), (0.03, -0.09, 0.16), "won"),
        ((-0.18, -0.20, -0.16), (0.12, 0.08, 0.16), "lost"),
        ((0.01, -0.02, 0.04), (0.03, -0.09, 0.16), "undecided"),
    ],
)
def test_a_cell_is_lost_by_any_metric_lost(
    tpot: tuple[float, float, float], ttft: tuple[float, float, float], standing: Standing
) -> None:
    found = standings(
        [
            verdict("tpot_ms", "no_worse", ("c", *tpot, "PASS")),
            verdict("ttft_ms", "no_worse", ("c", *ttft, "PASS")),
            verdict("attainment", "attainment", ("c", 0.99, 0.97, 1.0, "PASS")),
        ]
    )
    assert [(cell.cell, cell.standing, cell.is_qualified) for cell in found] == [
        ("c", standing, True)
    ]


def test_a_cell_that_misses_the_slo_is_lost() -> None:
    (cell,) = standings([verdict("attainment", "attainment", ("c", 0.5, 0.4, 0.6, "FAIL"))])
    assert (cell.standing, cell.is_qualified) == ("lost", False)
