from typing import Any

import pytest

from evals.gates.asked import asked_gates
from evals.gates.preconditions import objections
from evals.results import Artifact, Binding, Check, Evidence, SuiteResult
from evals.suites.adapter_effect import STRENGTH
from evals.suites.overlap import DISJOINT
from tests.evals.gates.worked import (
    ARTIFACT,
    BASELINE_ARTIFACT,
    QUICK,
    STUDY,
    added,
    changed,
    dropped,
    evidence,
    lossless,
    updated,
)


def said(found: Evidence) -> str:
    return "; ".join(objections(STUDY, QUICK, found))


def of_variant(change: Any) -> Evidence:
    return changed(evidence(), Artifact, change, files=ARTIFACT.files)


def test_good_evidence_meets_no_objection() -> None:
    assert said(evidence()) == said(lossless()) == ""


@pytest.mark.parametrize(
    ("spoilt", "words"),
    [
        (changed(evidence(), Binding, dropped), "bound to no policy"),
        (changed(evidence(), Binding, updated(policy_sha256="0" * 64)), "has changed"),
        (changed(evidence(), Binding, updated(study_sha256="0" * 64)), "study s has changed"),
        (added(evidence(), Binding(
            policy_sha256="0" * 64, base="b", tools="t", engines="e", hardware="h"
        )), "has changed"),
        (changed(evidence(), SuiteResult, updated(weights_sha256=None)), "which weights"),
        (changed(evidence(), SuiteResult, updated(weights_sha256="x"), arm="variant"), "stale"),
        (changed(evidence(), SuiteResult, updated(weights_sha256="x"), arm="baseline"), "stale"),
        (changed(evidence(), Artifact, dropped), "no artifact"),
        (of_variant(lambda _: BASELINE_ARTIFACT), "baseline's own weights"),
        (of_variant(updated(calibration_sha256="c")), "apart from the evaluation data"),
        (of_variant(updated(is_calibration_unknown=True)), "apart from the evaluation data"),
        (evidence(unreadable=("x",)), "did not verify"),
        (evidence(study="other"), "is of study"),
    ],
)  # fmt: skip
def test_an_objection_names_what_is_wrong(spoilt: Evidence, words: str) -> None:
    assert words in said(spoilt)


def test_other_weights_that_claim_to_be_lossless_are_screened_or_held() -> None:
    other = evidence(change_class="lossless")
    assert "fidelity" in {gate.kind for gate in asked_gates(QUICK, other)}
    assert "fidelity" not in {gate.kind for gate in asked_gates(QUICK, lossless())}
    gates = tuple(gate for gate in QUICK.gates if gate.kind != "fidelity")
    blind = QUICK.model_copy(update={"gates": gates})
    assert "no gate that blocks compares them" in "; ".join(objections(STUDY, blind, other))
    assert said(other) == ""


def test_weights_that_nobody_recorded_are_screened() -> None:
    unknown = changed(lossless(), Artifact, dropped)
    assert "fidelity" in {gate.kind for gate in asked_gates(QUICK, unknown)}


def test_calibration_that_was_looked_at_is_no_objection() -> None:
    calibrated = of_variant(updated(calibration_sha256="c"))
    look = Check(stage="audit", name=DISJOINT, passed=True, reason="0 of 900 items")
    assert said(added(calibrated, look)) == ""
    assert said(added(calibrated, look.model_copy(update={"passed": None}))) != ""


def test_an_adapter_must_have_shown_its_effect_where_it_was_served() -> None:
    served = lossless().model_copy(update={"change_class": "adapter"})
    kinds = {gate.kind for gate in asked_gates(QUICK, served)}
    assert kinds.isdisjoint({"fidelity", "benefit"})  # it is meant to differ, and to be no faster
    assert "paired_accuracy" in kinds
    assert "no look at the served adapter" in said(served)
    look = Check(stage="identity", name=f"{STRENGTH}poet", passed=True, reason="0.99")
    assert said(added(served, look)) == ""  # and that it holds the baseline's weights is no matter
    for passed in (False, None):
        assert said(added(served, look.model_copy(update={"passed": passed}))) != ""
