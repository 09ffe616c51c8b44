"""Choose among the promoted, and say a whole study's outcome as an exit code."""

from collections.abc import Sequence

from evals.gates.decision import Decision
from evals.gates.gains import Gain
from evals.study import Objective

PROMOTED, ALL_REJECTED, ON_HOLD = 0, 10, 20


def choose_champion(decisions: Sequence[Decision], objective: Objective) -> str | None:
    """Name the promoted variant with the highest lower bound of the gain in the objective.

    Of equals the first is kept. None: nothing is promoted with a measured gain in the objective.

    Example: a gains 9 % [8, 10], b gains 12 % [5, 19]: a, whose gain is at least 8 %.
    """
    champion: str | None = None
    highest = float("-inf")
    for decision in decisions:
        gain = _gain_in(decision, objective)
        if decision.outcome == "PROMOTE" and gain is not None and gain.lower > highest:
            champion, highest = decision.variant, gain.lower
    return champion


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
