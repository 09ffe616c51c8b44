"""Judge one gate: the kinds and their judges in one visible dict.

Evidence that is missing, doubled or contradictory raises MeasurementError inside a judge and comes
out INCONCLUSIVE with its reason; an error of programming is not caught.
"""

from collections.abc import Callable
from typing import Any

from evals.gates.judges import (
    attainment,
    benefit,
    check,
    cliff,
    fidelity,
    limit,
    no_worse,
    paired_accuracy,
    pooled_accuracy,
)
from evals.gates.kinds import Gate
from evals.gates.policy import Policy
from evals.gates.reading import digest_read
from evals.gates.verdict import Verdict, inconclusive
from evals.results import Evidence
from evals.study import Study
from variants.errors import MeasurementError

Judge = Callable[[Any, Evidence, Study, Policy], Verdict]  # the gate is of the judge's own kind
JUDGES: dict[str, Judge] = {
    "check": check.judge,
    "fidelity": fidelity.judge,
    "paired_accuracy": paired_accuracy.judge,
    "pooled_accuracy": pooled_accuracy.judge,
    "cliff": cliff.judge,
    "no_worse": no_worse.judge,
    "attainment": attainment.judge,
    "limit": limit.judge,
    "benefit": benefit.judge,
}


def judge_gate(gate: Gate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Return the verdict of one gate on one variant, with the digest of what it was judged on."""
    try:
        verdict = JUDGES[gate.kind](gate, evidence, study, policy)
    except MeasurementError as error:
        verdict = inconclusive(gate, str(error))
    return verdict.model_copy(update={"evidence_sha256": digest_read(gate, evidence)})
