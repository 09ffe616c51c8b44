"""Judge one gate: the kinds and their judges in one visible dict.

Evidence that is missing, doubled or contradictory raises MeasurementError inside a judge and comes
out INCONCLUSIVE with its reason; an error of programming is not caught.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from evals.gates.judges import (
    attainment,
    benefit,
    check,
    fidelity,
    no_worse,
    paired_accuracy,
)
from evals.gates.kinds import Gate
from evals.gates.policy import Policy
from evals.gates.verdict import Verdict, inconclusive
from evals.results import Evidence
from evals.study import Study
from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class Judge:
    """What a module of `evals.gates.judges` offers. The gate is of that module's own kind."""

    judge: Callable[[Any, Evidence, Study, Policy], Verdict]
    is_measured: Callable[[Any, Evidence], bool]


JUDGES: dict[str, Judge] = {
    "check": Judge(check.judge, check.is_measured),
    "fidelity": Judge(fidelity.judge, fidelity.is_measured),
    "paired_accuracy": Judge(paired_accuracy.judge, paired_accuracy.is_measured),
    "no_worse": Judge(no_worse.judge, no_worse.is_measured),
    "attainment": Judge(attainment.judge, attainment.is_measured),
    "benefit": Judge(benefit.judge, benefit.is_measured),
}


def judge_gate(gate: Gate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Return the verdict of one gate on one variant."""
    try:
        return JUDGES[gate.kind].judge(gate, evidence, study, policy)
    except MeasurementError as error:
        return inconclusive(gate, str(error))


def is_measured(gate: Gate, evidence: Evidence) -> bool:
    """Whether the variant has any evidence this gate reads."""
    return JUDGES[gate.kind].is_measured(gate, evidence)
