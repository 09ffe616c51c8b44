"""Which blocking gates a study can never answer, because it does not measure what they ask.

Such a gate is inconclusive for every variant, so all are held, and that is known before the hours.

Example: the policy asks `tool-calling` and open cells, the study lists `continuation-choice` and
closed cells: two lines, and no variant of it can be promoted.
"""

from collections.abc import Iterator

from evals.gates.cells import chosen_cells
from evals.gates.kinds import BaseGate, LimitGate, NoWorseGate, SuiteGate
from evals.gates.kinds.performance import RepeatsGate
from evals.gates.policy import Policy, is_blocking
from evals.study import Study
from evals.suites.naming import named
from variants.errors import MeasurementError


def unanswerable(study: Study, policy: Policy) -> tuple[str, ...]:
    """Say of each blocking gate that will stay open what the study lacks."""
    return tuple(
        f"gate {gate.id} stays open: {lack}"
        for gate in policy.gates
        if is_blocking(gate)
        for lack in _lacks(gate, study)
    )


def _lacks(gate: BaseGate, study: Study) -> Iterator[str]:
    if isinstance(gate, SuiteGate):
        asked = [suite.id for _, suite in named(study.suites)]
        if gate.suite not in asked:
            yield f"suite {gate.suite} is not asked, only {', '.join(asked) or 'none'}"
    if isinstance(gate, RepeatsGate):
        yield from _lacking_load(gate, study)


def _lacking_load(gate: RepeatsGate, study: Study) -> Iterator[str]:
    metric = gate.metric if isinstance(gate, NoWorseGate | LimitGate) else "attainment"
    try:
        chosen_cells(gate.cells, study, metric)
    except MeasurementError as error:
        yield str(error)
    repeats = study.workload.repeats
    if repeats < gate.min_repeats:
        yield f"{gate.min_repeats} repeats are asked, the study has {repeats}"
