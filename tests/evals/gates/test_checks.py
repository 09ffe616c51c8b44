from collections.abc import Sequence

import pytest

from evals.gates.judging import judge_gate
from evals.results import Check, Evidence
from tests.evals.gates.worked import QUICK, STUDY, evidence

Step = tuple[str, str, bool | None]  # prefix, name, passed


def looked(stage: str, steps: Sequence[Step], together: int) -> Evidence:
    start = evidence()
    records = [
        start.records[0].model_copy(
            update={
                "step": f"{prefix}.{name}",
                "payload": Check(
                    stage=stage, name=name, passed=passed, reason="seen", num_together=together
                ),
            }
        )
        for prefix, name, passed in steps
    ]
    others = [
        record
        for record in start.records
        if not (isinstance(record.payload, Check) and record.payload.stage == stage)
    ]
    return start.model_copy(update={"records": (*others, *records)})


def verdict(stage: str, found: Evidence) -> tuple[str, str]:
    gate = next(gate for gate in QUICK.gates if gate.id == stage)
    judged = judge_gate(gate, found, STUDY, QUICK)
    return judged.outcome, judged.reason


AUDIT: tuple[Step, ...] = (("check.audit", "whole", True), ("check.audit", "finite", True))


def test_all_looks_are_there() -> None:
    assert verdict("audit", looked("audit", AUDIT, 2))[0] == "PASS"


def test_a_look_that_is_gone_is_no_pass() -> None:
    outcome, reason = verdict("audit", looked("audit", AUDIT[:1], 2))
    assert outcome == "INCONCLUSIVE"
    assert "1 of the 2 looks of check.audit" in reason


def test_a_failed_look_stays_a_fail_when_another_is_gone() -> None:
    assert verdict("audit", looked("audit", (("check.audit", "whole", False),), 2))[0] == "FAIL"


def test_a_look_that_was_taken_again_is_the_same_look() -> None:
    again = (*AUDIT, ("check.audit", "finite.again", True))
    found = looked("audit", again, 2)
    renamed = [
        record.model_copy(update={"payload": record.payload.model_copy(update={"name": "finite"})})
        if record.step.endswith(".again") and isinstance(record.payload, Check)
        else record
        for record in found.records
    ]
    assert verdict("audit", found.model_copy(update={"records": tuple(renamed)}))[0] == "PASS"


@pytest.mark.parametrize(
    ("arms", "outcome", "words"),
    [
        (("check.variant", "check.baseline"), "PASS", "all 2 checks passed"),
        (("check.variant",), "INCONCLUSIVE", "no identity look of check.baseline"),
        (("check.baseline",), "INCONCLUSIVE", "no identity look of check.variant"),
    ],
)
def test_both_arms_are_looked_at(arms: Sequence[str], outcome: str, words: str) -> None:
    found = looked("identity", [(arm, "prefill", True) for arm in arms], 1)
    assert verdict("identity", found)[0] == outcome
    assert words in verdict("identity", found)[1]
