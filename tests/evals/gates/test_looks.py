"""A suite ends early for a baseline at the floor, and a variant that has failed or passed."""

from typing import Any

from evals.gates import judge_gate
from evals.gates.kinds import CanaryGate, PairedAccuracyGate
from evals.gates.looks import BaselineLook, VariantLook
from evals.gates.policy import Policy
from evals.results import Evidence, SuiteResult
from tests.evals.gates.worked import QUICK, STUDY, gathered, suite

ENDS = (100, 200, 400)


def gate(**fields: Any) -> PairedAccuracyGate:
    known: dict[str, Any] = {"id": "a", "tier": "critical", "suite": "tool-calling"}
    return PairedAccuracyGate(**(known | {"margin": 0.05, "min_items": 400} | fields))


def policy(*gates: PairedAccuracyGate) -> Policy:
    return QUICK.model_copy(update={"gates": gates})


def first(result: SuiteResult, num: int, stopped: Any = None) -> SuiteResult:
    return result.model_copy(
        update={
            "samples": result.samples[:num],
            "num_issued": num,
            "num_planned": len(result.samples),
            "stopped": stopped,
        }
    )


def answers(num: int, arm: str = "variant", **numbers: int) -> SuiteResult:
    return first(suite("tool-calling", arm, **numbers), num)


def look(*gates: PairedAccuracyGate) -> VariantLook:
    whole = suite("tool-calling", "baseline").model_copy(update={"num_planned": 400})
    return VariantLook(policy(*gates), 1, "4-bit", "up to 3B", whole, ENDS)


def with_right(num_right: int, num: int) -> SuiteResult:
    samples = [
        sample.model_copy(update={"is_correct": at < num_right})
        for at, sample in enumerate(suite("tool-calling", "baseline").samples[:num])
    ]
    whole = suite("tool-calling", "baseline")
    return whole.model_copy(
        update={
            "samples": tuple(samples), "num_issued": num, "num_planned": 400, "chance": 0.0,
        }
    )  # fmt: skip


def test_a_baseline_is_given_up_once_it_is_surely_at_the_floor() -> None:
    # Clopper-Pearson, one-sided 95 %: 0 of 64 is at most 1 - .05^(1/64) = 4.6 %, 5 of 64 15.7 %.
    at = BaselineLook(policy(gate()))
    assert at(with_right(0, 64)) == "floor"
    assert at(with_right(5, 64)) is None
    assert BaselineLook(policy())(with_right(0, 64)) is None  # nobody asks, nobody knows the floor


def test_a_variant_is_given_up_once_it_has_failed() -> None:
    hopeless = answers(100, lost=100, won=0)  # all that the baseline has among the first 100
    assert look(gate())(hopeless) == "fail"
    assert look(gate(tier="advisory"))(hopeless) is None
    assert look(gate())(answers(100, lost=10, won=0)) is None  # 10 points, and could be 4


def test_a_variant_is_let_go_only_at_a_look_that_was_planned() -> None:
    same = answers(200, lost=0, won=0)
    assert look(gate())(same) is None
    assert look(gate(looks=(0.5, 1.0)))(same) == "pass"
    assert look(gate(looks=(0.5, 1.0)), gate(margin=0.001, looks=(0.5, 1.0)))(same) is None


def test_what_cannot_be_paired_is_asked_to_the_end() -> None:
    other = answers(100, lost=100, won=0).model_copy(update={"items_sha256": "others"})
    assert look(gate())(other) is None


def test_gates_of_other_classes_neither_stop_nor_break() -> None:
    hopeless = answers(100, lost=100, won=0)
    other = gate(applies_to=("lossless",), margin={"lossless": 0.01})
    assert look(other)(hopeless) is None
    assert look(other, gate(id="b", margin=0.9))(hopeless) is None


def test_a_gate_that_judges_the_whole_lets_nothing_stop() -> None:
    canaries = CanaryGate(id="c", tier="critical", suite="tool-calling")
    whole = suite("tool-calling", "baseline").model_copy(update={"num_planned": 400})
    both = QUICK.model_copy(update={"gates": (gate(looks=(0.5, 1.0)), canaries)})
    at = VariantLook(both, 1, "4-bit", "up to 3B", whole, ENDS)
    assert at(answers(200, lost=0, won=0)) is None
    assert BaselineLook(both)(with_right(0, 64)) is None
    stopped = answers(200, lost=0, won=0).model_copy(update={"stopped": "pass"})
    verdict = judged(canaries, whole, stopped)
    assert verdict.outcome == "INCONCLUSIVE"
    assert "judges the whole" in verdict.reason


def judged(asked: Any, *results: SuiteResult) -> Any:
    found: Evidence = gathered(list(results))
    return judge_gate(asked, found, STUDY, QUICK)


def test_a_variant_that_was_given_up_fails_on_what_it_was_asked() -> None:
    whole = suite("tool-calling", "baseline").model_copy(update={"num_planned": 400})
    failed = answers(100, lost=100, won=0).model_copy(update={"stopped": "fail"})
    verdict = judged(gate(), whole, failed)
    assert (verdict.outcome, verdict.n, verdict.baseline_only) == ("FAIL", 100, 100)


def test_a_variant_that_was_given_up_never_passes() -> None:
    whole = suite("tool-calling", "baseline").model_copy(update={"num_planned": 400})
    spared = answers(100, lost=0, won=0).model_copy(update={"stopped": "fail"})
    assert judged(gate(), whole, spared).outcome == "INCONCLUSIVE"
    early = answers(100, lost=0, won=0).model_copy(update={"stopped": "pass"})
    assert judged(gate(), whole, early).outcome == "INCONCLUSIVE"
    planned = answers(200, lost=0, won=0).model_copy(update={"stopped": "pass"})
    assert judged(gate(looks=(0.5, 1.0)), whole, planned).outcome == "PASS"
    few = gate(looks=(0.5, 1.0), min_items=401)
    assert judged(few, whole, planned).outcome == "INCONCLUSIVE"


def test_items_may_not_be_left_out_without_a_stop() -> None:
    whole = suite("tool-calling", "baseline").model_copy(update={"num_planned": 400})
    assert judged(gate(), whole, answers(200, lost=0, won=0)).outcome == "INCONCLUSIVE"


def test_a_baseline_at_the_floor_asks_nothing_of_the_variant() -> None:
    floored = with_right(0, 64).model_copy(update={"stopped": "floor"})
    verdict = judged(gate(), floored)
    assert verdict.outcome == "NOT_APPLICABLE"
    assert "right in 0 % of 64 items" in verdict.reason
    lucky = with_right(30, 64).model_copy(update={"stopped": "floor"})
    assert judged(gate(), lucky).outcome == "INCONCLUSIVE"
