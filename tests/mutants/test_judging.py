"""Agreement with what was expected, on decisions written by hand."""

from collections.abc import Sequence

import pytest

from evals.gates import Decision
from evals.gates.kinds import Tier
from evals.gates.verdict import Outcome, Verdict
from tests.mutants.judging import lines_of, progress, render
from tests.mutants.making import named
from tests.mutants.mutant import Expectation, Mutant, rejected

KINDS = {
    "audit": "check",
    "fidelity": "fidelity",
    "identity": "check",
    "benefit": "benefit",
    "safety": "paired_accuracy",
}
IS_SOUND = Expectation("sound", may_fail=frozenset({"benefit"}))


def decision(*failed: str, reason: str = "why", tiers: dict[str, Tier] | None = None) -> Decision:
    """Return a decision in which some gates failed, and all others passed."""
    verdicts = [
        _verdict(gate, "FAIL" if gate in failed else "PASS", (tiers or {}).get(gate, "required"))
        for gate in KINDS
    ]
    first = next((gate for gate in KINDS if gate in failed), None)
    return Decision.model_validate(
        {
            "study": "s", "run": "r", "variant": "v", "reason": reason, "gains": [], "settle": [],
            "outcome": "REJECT" if first else "HOLD", "deciding_gate": first, "stopped_at": first,
            "verdicts": verdicts, "not_asked": [], "change_class": "lossless", "cells": [],
            "model_class": "up to 3B", "policy": "p", "policy_sha256": "0" * 64, "envelope": [],
            "margin": "m", "evidence_sha256": "0" * 64,
        }
    )  # fmt: skip


def _verdict(gate: str, outcome: Outcome, tier: Tier) -> Verdict:
    return Verdict(gate=gate, tier=tier, kind=KINDS[gate], outcome=outcome, reason="why")


def mutant(name: str, expect: Expectation = IS_SOUND, rung: int | None = None) -> Mutant:
    return Mutant(name, named("by hand"), expect, rung=rung)


def agreement(mutants: Sequence[Mutant], *decisions: Decision | None) -> list[bool]:
    found = {
        one.name: made for one, made in zip(mutants, decisions, strict=True) if made is not None
    }
    told = {one.name: "by hand" for one in mutants}
    return [not line.objection for line in lines_of(mutants, told, found)]


@pytest.mark.parametrize(
    ("found", "agrees"),
    [
        (decision("audit", reason="it holds NaN"), True),
        (decision("audit", "safety", reason="it holds NaN"), True),
        (decision("audit", reason="it holds zeros"), False),  # the right gate, for another reason
        (decision("fidelity", reason="it holds NaN"), False),  # too late
        (decision(reason="it holds NaN"), False),  # not at all
    ],
)
def test_a_rejection_is_at_its_stage_and_for_its_reason(found: Decision, agrees: bool) -> None:
    assert agreement([mutant("nan", rejected("audit", because="NaN"))], found) == [agrees]


def test_a_stage_may_be_decided_by_a_gate_of_another_name() -> None:
    made = decision("safety").model_copy(update={"stopped_at": "tasks"})
    assert agreement([mutant("x", rejected("tasks", "safety"))], made) == [True]
    assert agreement([mutant("x", rejected("tasks", "over-refusal"))], made) == [False]


def test_a_sound_variant_may_lack_a_benefit_and_nothing_else() -> None:
    variants = [mutant("copy")]
    assert agreement(variants, decision()) == [True]
    assert agreement(variants, decision("benefit")) == [True]
    assert agreement(variants, decision("benefit", "safety")) == [False]
    assert agreement(variants, decision("identity")) == [False]


def test_a_copy_may_not_be_promoted() -> None:
    expect = Expectation("no PROMOTE", outcomes=frozenset({"HOLD", "REJECT"}))
    promoted = decision().model_copy(update={"outcome": "PROMOTE"})
    assert agreement([mutant("copy", expect)], promoted) == [False]
    assert agreement([mutant("copy", expect)], decision()) == [True]


def test_what_was_not_decided_does_not_agree() -> None:
    assert agreement([mutant("lost", Expectation("anything"))], None) == [False]


def test_progress_is_counted_in_gates_that_block_benefit_aside() -> None:
    assert progress(decision()) == float("inf")
    assert progress(decision("benefit")) == float("inf")
    assert progress(decision("identity", "safety")) == 2
    assert progress(decision("safety")) == 3  # audit, fidelity, identity
    assert progress(decision("safety", tiers={"safety": "advisory"})) == float("inf")


@pytest.mark.parametrize(
    ("rungs", "agrees"),
    [
        ([decision(), decision("safety"), decision("fidelity")], [True, True, True]),
        ([decision("fidelity"), decision("fidelity"), decision("fidelity")], [True, True, True]),
        ([decision(), decision("fidelity"), decision("safety")], [True, True, False]),
        ([decision("safety"), decision(), decision("fidelity")], [True, False, True]),
        ([decision("safety"), decision("fidelity"), decision("identity")], [True, True, False]),
        ([decision("benefit"), decision(), decision("fidelity")], [True, True, True]),
    ],
)
def test_no_rung_gets_further_than_one_with_less_noise(
    rungs: list[Decision], agrees: list[bool]
) -> None:
    ladder = [mutant(f"noise-{at}", Expectation("anything"), rung=at) for at in range(3)]
    assert agreement(ladder, *rungs) == agrees


def test_the_table_marks_what_does_not_agree() -> None:
    mutants = [mutant("good"), mutant("bad", rejected("audit"))]
    decisions = {"good": decision(), "bad": decision("safety", reason="unsafe")}
    told = {"good": "made so", "bad": "made otherwise"}
    shown = render(lines_of(mutants, told, decisions)).splitlines()
    assert " ".join(shown[0].split()) == "mutant how it was made expected outcome agrees"
    assert " ".join(shown[1].split()) == "good made so sound HOLD at none yes"
    assert "REJECT at safety  NO: stopped at safety, not at ['audit'] (unsafe)" in shown[2]
    assert shown[-1] == "2 mutants, 1 do not agree"
