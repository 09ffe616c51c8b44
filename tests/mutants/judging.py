"""Does what came out agree with what was written down beforehand?

On the ladder of noise no rung may get further than the one below it, that is, past more gates
before one fails. Whether a benefit was shown says nothing of damage, and is left out.

Example: noise-1 fails nothing, noise-2 fails the fourth gate, noise-3 fails nothing: noise-3 does
not agree.
"""

import math
from collections.abc import Mapping, Sequence

from pydantic import Field

from evals.gates import Decision
from evals.results import Result
from tests.mutants.mutant import Mutant

BENEFIT = "benefit"


class Line(Result):
    """One mutant: what was expected, and what came out."""

    mutant: str
    how: str = Field(description="what was done to make it, with all that was drawn")
    expected: str
    outcome: str = Field(description="of the decision; 'none' where none was made")
    stage: str = Field(description="that stopped it; 'none' where none did")
    gate: str = Field(description="that decided; 'none' where none did")
    reason: str
    objection: str = Field(description="what is not as expected; '' where it agrees")


def lines_of(
    mutants: Sequence[Mutant], told: Mapping[str, str], decisions: Mapping[str, Decision]
) -> list[Line]:
    """Compare each mutant with its expectation, and the rungs of the ladder with each other."""
    found = []
    furthest = math.inf
    for mutant in mutants:
        decision = decisions.get(mutant.name)
        if decision is None:
            found.append(_undecided(mutant, told[mutant.name]))
            continue
        objection = mutant.expect.objection(decision)
        if mutant.rung is not None:
            objection = objection or _climb(progress(decision), furthest)
            furthest = min(furthest, progress(decision))
        found.append(_line(mutant, told[mutant.name], decision, objection))
    return found


def progress(decision: Decision) -> float:
    """Count the gates before the first that failed, benefit aside; infinite where none did."""
    blocking = [one for one in decision.verdicts if one.tier != "advisory" and one.kind != BENEFIT]
    failed = (at for at, one in enumerate(blocking) if one.outcome == "FAIL")
    return next(failed, math.inf)


def _climb(reached: float, furthest: float) -> str:
    return f"passes {reached:g} gates, a rung with less noise {furthest:g}" * (reached > furthest)


def _line(mutant: Mutant, how: str, decision: Decision, objection: str) -> Line:
    return Line(
        mutant=mutant.name,
        how=how,
        expected=mutant.expect.words,
        outcome=decision.outcome,
        stage=decision.stopped_at or "none",
        gate=decision.deciding_gate or "none",
        reason=decision.reason,
        objection=objection,
    )


def _undecided(mutant: Mutant, how: str) -> Line:
    return Line(
        mutant=mutant.name, how=how, expected=mutant.expect.words, outcome="none", stage="none",
        gate="none", reason="", objection="nothing was decided on it",
    )  # fmt: skip


def render(lines: Sequence[Line]) -> str:
    """Lay the lines out for a terminal; what does not agree is marked and told."""
    shown = [
        (one.mutant, one.how, one.expected, f"{one.outcome} at {one.gate}", _mark(one))
        for one in lines
    ]
    head = ("mutant", "how it was made", "expected", "outcome", "agrees")
    widths = [max(map(len, column)) for column in zip(head, *shown, strict=True)]
    rows = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in (head, *shown)]
    num_wrong = sum(bool(one.objection) for one in lines)
    return "\n".join([*rows, "", f"{len(lines)} mutants, {num_wrong} do not agree", ""])


def _mark(line: Line) -> str:
    return f"NO: {line.objection} ({line.reason:.120})" if line.objection else "yes"
