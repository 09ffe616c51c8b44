"""Choose among the promoted, and say a whole study's outcome as an exit code."""

from collections.abc import Sequence

from evals.gates.decision import Decision
from evals.gates.gains import Gain
from evals.study import Objective

PROMOTED, ALL_REJECTED, ON_HOLD = 0, 10, 20


def choose_champion(decisions: Sequence[Decision], objective: Objective) -> str | None:
    """Name the best of the ranked, or None where there is none."""
    return next(iter(ranked(decisions, objective)), None)


def ranked(decisions: Sequence[Decision], objective: Objective) -> tuple[str, ...]:
    """Name the promoted variants with a gain in the objective, the highest lower bound first.

    A gain that is not beyond noise makes no champion (its benefit may be another, e.g. memory).
    Equals keep their order.

    Example: a gains 9 % [8, 10], b 12 % [5, 19], c 1 % [-2, 4]: a, whose gain is at least 8 %,
    then b; c is not ranked.
    """
    lower = lower_bounds(decisions, objective)
    return tuple(sorted(lower, key=lambda variant: -lower[variant]))


def lower_bounds(decisions: Sequence[Decision], objective: Objective) -> dict[str, float]:
    """Return what each promoted variant surely gains in the objective, where that is above 0."""
    return {
        decision.variant: gain.lower
        for decision in decisions
        if decision.outcome == "PROMOTE"
        and (gain := _gain_in(decision, objective)) is not None
        and gain.lower > 0
    }


def exit_code(decisions: Sequence[Decision]) -> int:
    """Return 0 if a variant is promoted, 10 if all are rejected, else 20 (also for no decision)."""
    outcomes = {decision.outcome for decision in decisions}
    if "PROMOTE" in outcomes:
        return PROMOTED
    return ALL_REJECTED if outcomes == {"REJECT"} else ON_HOLD


def _gain_in(decision: Decision, objective: Objective) -> Gain | None:
    for gain in decision.gains:
        if (gain.metric, gain.cell) == (objective.metric, objective.cell):
            return gain
    return None
