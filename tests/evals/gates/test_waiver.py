from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import ValidationError

from evals.gates import Decision, Waiver, Waivers, decide, policy_sha256
from evals.results import Cell, Check, Evidence, SuiteResult
from tests.evals.gates.worked import QUICK, STUDY, changed, dropped, evidence, updated

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def waiver(gate: str, **fields: Any) -> Waiver:
    known: dict[str, Any] = {
        "study": "s",
        "variant": "int4",
        "gate": gate,
        "policy_sha256": policy_sha256(QUICK),
        "who": "Ada",
        "why": "measured by hand last week",
        "granted_at": (NOW - timedelta(days=1)).isoformat(),
        "expires_at": (NOW + timedelta(days=20)).isoformat(),
    }
    return Waiver(**(known | fields))


def decided(found: Evidence, *given: Waiver) -> Decision:
    return decide(STUDY, QUICK, found, Waivers(given, NOW))


def late(found: Evidence) -> Evidence:
    """TTFT of the open cell was not measured."""
    no_ttft = changed(found, Cell, without_ttft, name="poisson-2.5")
    assert decide(STUDY, QUICK, no_ttft).deciding_gate == "ttft"
    return no_ttft


def without_ttft(cell: Cell) -> Cell:
    return cell.model_copy(update={"metrics": cell.metrics | {"ttft_ms_p50": None}})


def test_an_open_required_gate_can_be_waived_by_name() -> None:
    decision = decided(late(evidence()), waiver("ttft"))
    assert decision.outcome == "PROMOTE"
    assert "ttft waived by Ada" in decision.reason
    assert [one.gate for one in decision.waivers] == ["ttft"]
    (verdict,) = (one for one in decision.verdicts if one.gate == "ttft")
    assert (verdict.outcome, verdict.waived_by) == ("INCONCLUSIVE", "Ada")
    assert decision.judged_at == NOW.isoformat()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"expires_at": NOW.isoformat()}, "expired"),
        ({"policy_sha256": "0" * 64}, "another policy"),
        (
            {
                "granted_at": (NOW + timedelta(hours=1)).isoformat(),
                "expires_at": (NOW + timedelta(days=2)).isoformat(),
            },
            "in the future",
        ),
    ],
)
def test_a_void_waiver_is_told(fields: dict[str, Any], said: str) -> None:
    decision = decided(late(evidence()), waiver("ttft", **fields))
    assert decision.outcome == "HOLD"
    assert said in decision.refused_waivers[0] and decision.waivers == ()


def test_what_is_never_waived() -> None:
    no_suite = changed(evidence(), SuiteResult, dropped, suite="tool-calling", arm="variant")
    held = decided(no_suite, waiver("tool-calling"))
    assert held.outcome == "HOLD" and "critical" in held.refused_waivers[0]
    failed = changed(evidence(), Check, updated(passed=False), stage="pace")
    rejected = decided(failed, waiver("pace"))
    assert rejected.outcome == "REJECT" and "is FAIL" in rejected.refused_waivers[0]
    copy = decided(evidence(speedup=1.0, weight_share=1.0), waiver("benefit"))
    assert copy.outcome != "PROMOTE" and "benefit" in copy.refused_waivers[0]


def test_waivers_of_others_are_not_asked() -> None:
    foreign = waiver("ttft", variant="int8"), waiver("nothing")
    decision = decided(late(evidence()), *foreign)
    assert decision.outcome == "HOLD" and decision.refused_waivers == ()


def test_a_gate_that_passes_needs_no_waiver() -> None:
    decision = decided(evidence(), waiver("ttft"))
    assert decision.outcome == "PROMOTE" and decision.waivers == ()


@pytest.mark.parametrize(
    "fields",
    [
        {"who": ""},
        {"why": "because"},
        {"expires_at": (NOW + timedelta(days=200)).isoformat()},
        {"expires_at": "2026-12-01T00:00:00"},
        {"expires_at": (NOW - timedelta(days=2)).isoformat()},
        {"granted_at": "yesterday"},
    ],
)
def test_an_incomplete_waiver_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        waiver("ttft", **fields)
