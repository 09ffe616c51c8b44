"""What must hold of the evidence as a whole; where it does not, nothing is promoted.

Each look is one function and one line in PRECONDITIONS; it returns what is wrong, () is nothing.
"""

from collections.abc import Callable, Iterable

from evals.gates.asked import asked_gates, holds_same_weights, weights_built
from evals.gates.policy import Policy, is_blocking, policy_sha256
from evals.results import Artifact, Binding, Check, Evidence, Payload, SuiteResult
from evals.study import Study, study_sha256
from evals.suites.adapter_effect import STRENGTH
from evals.suites.overlap import DISJOINT


def objections(study: Study, policy: Policy, evidence: Evidence) -> tuple[str, ...]:
    """Say what is wrong with the evidence as a whole."""
    return tuple(
        problem for look in PRECONDITIONS for problem in look(study, policy, evidence) if problem
    )


def _is_whole(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    if evidence.unreadable:
        yield f"{len(evidence.unreadable)} records did not verify: {evidence.unreadable[0]}"
    if evidence.study != study.name:
        yield f"the evidence is of study {evidence.study!r}, not {study.name!r}"
    runs = {(record.study, record.run) for record in evidence.records}
    foreign = sorted(runs - {(evidence.study, evidence.run)})
    if foreign:
        yield f"records of another study or run: {foreign[0]}"


def _is_same_policy(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    bound = {
        record.payload.policy_sha256
        for record in evidence.records
        if isinstance(record.payload, Binding)
    }
    if not bound:
        yield "the run is bound to no policy, so nobody knows what it was measured for"
    elif bound != {policy_sha256(policy)}:
        yield (
            f"policy {policy.name} has changed since the run began ({min(bound)[:12]} then, "
            f"{policy_sha256(policy)[:12]} now); run the study again under it"
        )


def _is_same_study(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    """Refuse a study that was edited after the run: its SLO, cells and gain are what is judged."""
    bound = {
        record.payload.study_sha256
        for record in evidence.records
        if isinstance(record.payload, Binding)
    }
    now = study_sha256(study)
    others = sorted(digest for digest in bound if digest not in (None, now))  # None: an older run
    if others:
        yield (
            f"study {study.name} has changed since the run began ({others[0][:12]} then, "
            f"{now[:12]} now); run it again, or restore it"
        )


def _is_answered_by_its_weights(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    """Look for stale answers: same key, other weights."""
    built = weights_built(evidence)
    for record in evidence.records:
        result = record.payload
        if not isinstance(result, SuiteResult):
            continue
        owner = "variant" if result.arm == "variant" else "baseline"
        who = f"{result.suite} ({result.path}, {result.arm})"
        if result.weights_sha256 is None:
            yield f"{who} does not say which weights answered"
        elif owner not in built:
            yield f"{who} was answered, and no artifact of the {owner} is recorded"
        elif result.weights_sha256 != built[owner]:
            yield (
                f"{who} was answered by weights {result.weights_sha256[:12]}, the {owner}'s "
                f"artifact holds {built[owner][:12]}: a stale cache or another model"
            )


def _is_changed_as_said(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    is_same, is_lossless = holds_same_weights(evidence), evidence.change_class == "lossless"
    if evidence.change_class == "adapter":
        if not any(_is_strength(record.payload) for record in evidence.records):
            yield "no look at the served adapter showed that it has its effect"
        return
    if is_same and not is_lossless:
        yield f"a {evidence.change_class} variant holds the baseline's own weights"
    is_screened = any(
        gate.kind == "fidelity" and is_blocking(gate) for gate in asked_gates(policy, evidence)
    )
    if len(weights_built(evidence)) == 2 and not is_same and is_lossless and not is_screened:
        yield (
            "a lossless variant holds other weights than the baseline, and no gate that blocks "
            "compares them"
        )


def _is_strength(payload: Payload) -> bool:
    is_shown = isinstance(payload, Check) and payload.passed is True
    return is_shown and isinstance(payload, Check) and payload.name.startswith(STRENGTH)


def _is_calibrated_apart(study: Study, policy: Policy, evidence: Evidence) -> Iterable[str]:
    artifacts = [
        record.payload
        for record in evidence.records
        if isinstance(record.payload, Artifact) and record.variant == evidence.variant
    ]
    if not any(one.calibration_sha256 or one.is_calibration_unknown for one in artifacts):
        return
    looks = [record.payload for record in evidence.records if isinstance(record.payload, Check)]
    passed = [look.passed for look in looks if look.name == DISJOINT]
    if not passed or not all(passed):
        yield "calibration data was not shown to be apart from the evaluation data"


Look = Callable[[Study, Policy, Evidence], Iterable[str]]
PRECONDITIONS: tuple[Look, ...] = (
    _is_whole,
    _is_same_policy,
    _is_same_study,
    _is_answered_by_its_weights,
    _is_changed_as_said,
    _is_calibrated_apart,
)
