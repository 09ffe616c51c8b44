from typing import Any

import pytest

from evals.gates import choose_champion, decide, exit_code, first_failure, ranked
from evals.gates.policy import Policy, policy_sha256
from evals.results import Binding, Cell, Check, Evidence, Memory, SuiteResult
from evals.study import Objective
from tests.evals.gates.worked import (
    FIDELITY,
    QUICK,
    STUDY,
    added,
    changed,
    dropped,
    evidence,
    gathered,
    lossless,
    updated,
)


def policy_of(*gates: dict[str, Any]) -> Policy:
    return Policy.model_validate({"name": "p", "description": "d", "gates": list(gates)})


def test_a_good_variant_is_promoted() -> None:
    decision = decide(STUDY, QUICK, evidence())
    assert decision.outcome == "PROMOTE", decision.reason
    assert decision.deciding_gate == "benefit"
    assert all(verdict.outcome == "PASS" for verdict in decision.verdicts)
    assert decision.margin == "a suite may lose 5 points"
    assert decision.settle == () and decision.not_asked == () and decision.stopped_at is None
    assert {row.cell for row in decision.envelope} == {"closed-1", "poisson-2.5"}
    (gain,) = decision.gains
    assert gain.lower < gain.estimate < gain.upper
    assert gain.estimate == pytest.approx(1 - 1 / 1.25, abs=0.001)  # jitter's geometric mean ~ 1


def test_an_identical_copy_is_never_promoted() -> None:
    decision = decide(STUDY, QUICK, evidence(speedup=1.0, weight_share=1.0))
    assert decision.outcome != "PROMOTE"
    assert decision.deciding_gate == "benefit"


def test_lossless_is_not_asked_for_fidelity() -> None:
    decision = decide(STUDY, QUICK, lossless())
    assert decision.outcome == "PROMOTE", decision.reason
    assert decision.not_asked == ("fidelity",)


def test_a_fail_rejects_and_later_gates_were_not_measured() -> None:
    payloads = [
        Check(stage="plan", name="fit", passed=True, reason="fits"),
        Check(stage="build", name="made", passed=True, reason="built"),
        Check(stage="audit", name="bits", passed=False, reason="8.0 bits, the label says 4"),
    ]
    decision = decide(STUDY, QUICK, gathered(payloads))
    assert (decision.outcome, decision.deciding_gate) == ("REJECT", "audit")
    assert decision.reason == "bits failed: 8.0 bits, the label says 4"
    assert decision.stopped_at == "audit"
    assert decision.verdicts[-1].reason == "not measured: stopped at audit"
    assert decision.settle == ()


def test_an_advisory_fail_does_not_reject() -> None:
    gates = [
        gate.model_copy(update={"tier": "advisory"}) for gate in QUICK.gates if gate.id == "tpot"
    ]
    rest = [gate for gate in QUICK.gates if gate.id not in {"tpot"}]
    policy = QUICK.model_copy(update={"gates": (*gates, *rest)})
    slow = changed(bound(evidence(), policy), Cell, slower, name="closed-1", arm="variant")
    decision = decide(STUDY, policy, slow)
    assert decision.outcome == "PROMOTE"  # weights are smaller, TTFT and throughput as before
    assert decision.verdicts[0].outcome == "FAIL"


def bound(found: Evidence, policy: Policy) -> Evidence:
    """The same evidence from a run that was bound to this policy."""
    return changed(found, Binding, updated(policy_sha256=policy_sha256(policy)))


def slower(cell: Cell) -> Cell:
    metrics = cell.metrics | {"tpot_ms_mean": 2 * (cell.metrics["tpot_ms_mean"] or 0)}
    return cell.model_copy(update={"metrics": metrics})


def test_unreadable_records_hold_but_do_not_hide_a_fail() -> None:
    assert decide(STUDY, QUICK, evidence(unreadable=("a.json",))).outcome == "HOLD"
    bad = changed(evidence(unreadable=("a.json",)), Check, updated(passed=False), stage="audit")
    assert decide(STUDY, QUICK, bad).outcome == "REJECT"


@pytest.mark.parametrize("fields", [{"study": "other"}, {"run": "other"}])
def test_foreign_evidence_holds(fields: dict[str, str]) -> None:
    assert decide(STUDY, QUICK, evidence(**fields)).outcome == "HOLD"


def test_nothing_evaluated_holds() -> None:
    assert decide(STUDY, policy_of(), evidence()).outcome == "HOLD"
    assert decide(STUDY, QUICK, gathered([])).outcome == "HOLD"


def test_without_a_blocking_benefit_gate_nothing_is_promoted() -> None:
    audit = {"id": "audit", "kind": "check", "tier": "critical", "stage": "audit"}
    benefit = {
        "id": "benefit",
        "kind": "benefit",
        "tier": "advisory",
        "any_of": [{"metric": "weight_bytes", "direction": "lower"}],
    }
    for policy in (policy_of(audit), policy_of(audit, benefit)):
        decision = decide(STUDY, policy, bound(evidence(), policy))
        assert decision.outcome == "HOLD"
        assert "benefit" in decision.reason


def test_a_hold_says_what_would_settle_it() -> None:
    few = changed(evidence(), SuiteResult, lambda result: suite_with(result, lost=24, won=10))
    decision = decide(STUDY, QUICK, few)
    assert decision.outcome == "HOLD"
    first = decision.settle[0]
    assert first.gate == "continuation-choice"
    assert first.text.startswith("about ") and " items instead of 400, about" in first.text
    needed = decision.verdicts[-3].n_needed
    assert needed is not None and first.device_minutes is not None
    # 20 s for 400 items in either arm: .1 s per item in both
    assert first.device_minutes == pytest.approx((needed - 400) * 0.1 / 60)


def test_a_hold_at_enough_repeats_asks_for_as_many_again() -> None:
    """Enough for power .8 at what was seen, and not settled: one time in five."""
    from evals.gates.settling import settlements
    from evals.gates.verdict import Row, Verdict

    row = Row(label="closed-1", n=5, n_needed=4, estimate=-0.2, outcome="INCONCLUSIVE")
    verdict = Verdict(
        gate="tpot", tier="required", kind="no_worse", outcome="INCONCLUSIVE", reason="r", n=5,
        n_needed=4, details=(row,),
    )  # fmt: skip
    (found,) = settlements(STUDY, evidence(), [verdict])
    # a ramp of 1 s and a window of 6 s in either arm, five times: 70 s
    assert found.text == "5 repeats more beside the 5, about 1.2 device minutes more"
    assert found.device_minutes == pytest.approx(70 / 60)


def suite_with(result: SuiteResult, lost: int, won: int) -> SuiteResult:
    from tests.evals.gates.worked import suite

    return suite(result.suite, result.arm, lost, won)


def without(kind: type, **where: Any) -> Evidence:
    return changed(evidence(), kind, dropped, **where)


@pytest.mark.parametrize(
    "spoilt",
    [
        without(Check, stage="pace"),
        without(Cell, arm="baseline"),
        without(Cell, name="poisson-2.5"),
        without(SuiteResult, suite="tool-calling", arm="variant"),
        without(type(FIDELITY)),
        added(evidence(), FIDELITY),
        changed(evidence(), Check, updated(passed=None), stage="identity"),
        changed(evidence(), Cell, updated(invalid=("late",)), repeat=2, arm="variant"),
        changed(evidence(), Cell, updated(metrics={}), repeat=0),
        without(SuiteResult),
    ],
)
def test_missing_or_doubled_evidence_holds(spoilt: Evidence) -> None:
    assert decide(STUDY, QUICK, spoilt).outcome == "HOLD"


def test_one_shown_benefit_is_enough() -> None:
    assert decide(STUDY, QUICK, without(Memory)).outcome == "PROMOTE"  # by TPOT, 20 % lower


def test_first_failure_looks_only_at_what_was_measured() -> None:
    begun = gathered([Check(stage="plan", name="fit", passed=True, reason="fits")])
    assert first_failure(QUICK, STUDY, begun) is None
    stopped = added(begun, Check(stage="build", name="made", passed=False, reason="no kernel"))
    verdict = first_failure(QUICK, STUDY, stopped)
    assert verdict is not None and verdict.gate == "build"
    assert first_failure(QUICK, STUDY, evidence()) is None


def test_the_champion_has_the_highest_lower_bound() -> None:
    def promoted(variant: str, lower: float) -> Any:
        decision = decide(STUDY, QUICK, evidence())
        gain = decision.gains[0].model_copy(update={"lower": lower})
        return decision.model_copy(update={"variant": variant, "gains": (gain,)})

    a, b = promoted("a", 0.08), promoted("b", 0.05)
    rejected = promoted("c", 0.5).model_copy(update={"outcome": "REJECT"})
    assert choose_champion([b, a, rejected], Objective()) == "a"
    assert choose_champion([rejected], Objective()) is None
    assert choose_champion([a], Objective(metric="ttft_ms")) is None
    nothing, worse = promoted("d", 0.0), promoted("e", -0.1)
    assert choose_champion([worse, nothing], Objective()) is None
    assert ranked([worse, b, rejected, a, nothing], Objective()) == ("a", "b")
    assert ranked([b, promoted("f", 0.05)], Objective()) == ("b", "f")  # of equals the first
    held = a.model_copy(update={"outcome": "HOLD"})
    assert [exit_code(d) for d in ([a, held], [rejected], [rejected, held], [])] == [0, 10, 20, 20]
