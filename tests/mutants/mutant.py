"""A mutant: a variant whose truth is known, and what must come of it, written down beforehand."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from evals.gates import Decision
from tests.mutants.bench import Bench
from tests.mutants.making import Made

StudyName = Literal["mutants", "mutants-answers"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come out; every part that is given must be met."""

    words: str  # as the table shows it
    outcomes: frozenset[str] = frozenset({"PROMOTE", "HOLD", "REJECT"})
    stages: frozenset[str] | None = None  # of which one must have stopped it
    gates: frozenset[str] | None = None  # of which one must have decided
    because: str = ""  # what the reason must say
    may_fail: frozenset[str] | None = None  # no other gate may have failed

    def objection(self, decision: Decision) -> str:
        """Say what is not as expected, or ''."""
        failed = {one.gate for one in decision.verdicts if one.outcome == "FAIL"}
        if decision.outcome not in self.outcomes:
            return f"{decision.outcome} is none of {sorted(self.outcomes)}"
        if self.stages is not None and decision.stopped_at not in self.stages:
            return f"stopped at {decision.stopped_at}, not at {sorted(self.stages)}"
        if self.gates is not None and decision.deciding_gate not in self.gates:
            return f"decided by {decision.deciding_gate}, not by {sorted(self.gates)}"
        if self.because not in decision.reason:
            return f"the reason does not say {self.because!r}"
        if self.may_fail is not None and (wrong := sorted(failed - self.may_fail)):
            return f"{', '.join(wrong)} failed"
        return ""


def rejected(stage: str, gate: str = "", because: str = "") -> Expectation:
    """Expect a REJECT at a stage, by a gate (of the stage's name unless given), for a reason."""
    named = gate or stage
    return Expectation(
        f"REJECT at {named}",
        frozenset({"REJECT"}),
        frozenset({stage}),
        frozenset({named}),
        because,
    )


@dataclass(frozen=True, slots=True)
class Mutant:
    """One variant: how it is made, the study it is tried in, and what must come of it."""

    name: str
    make: Callable[[str, Bench], Made]
    expect: Expectation
    study: StudyName = "mutants"
    rung: int | None = None  # on the ladder of noise, where no rung may do better than the last
