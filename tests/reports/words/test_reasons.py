"""Reasons in plain words: one per kind of gate, by hand."""

from typing import Any

import pytest

from evals.gates.verdict import Row, Verdict
from reports.words.reasons import plain_reason
from tests.reports import fixture
from tests.reports.building import decided, study_of

STUDY = study_of()


def verdict(kind: str, gate: str, outcome: str, **fields: Any) -> Verdict:
    return Verdict.model_validate(
        {"gate": gate, "tier": "required", "kind": kind, "outcome": outcome,
         "reason": "what the gate said"} | fields
    )  # fmt: skip


SHARE = {"estimate": 0.165, "lower": 0.1311, "upper": 0.2006, "margin": 0.05,
         "unit": "share of items"}  # fmt: skip
SLOWER = {"estimate": 0.21, "lower": 0.17, "upper": 0.25, "margin": 0.15, "metric": "tpot_ms",
          "unit": "relative to the baseline",
          "details": (Row(label="closed-1", outcome="FAIL", estimate=0.21,
                          upper=0.25),)}  # fmt: skip
ENGINE = (
    Row(label="answers", outcome="PASS"),
    Row(label="engine", outcome="FAIL",
        note="http://127.0.0.1:4/v1 gave no answer within 30 s; log /a/b.log"),
)  # fmt: skip
REJECTED = [
    (verdict("paired_accuracy", "tool-calling", "FAIL", **SHARE),
     "It gives worse answers: choosing the right tool call (tool-calling) lost 16.5 points, "
     "at least 13.1; 5 are allowed."),
    (verdict("pooled_accuracy", "all-suites", "FAIL", **SHARE),
     "It gives worse answers: all suites together lost 16.5 points, at least 13.1; 5 are allowed."),
    (verdict("paired_odds", "refusal-odds", "FAIL", estimate=0.5, lower=0.4, margin=0.1,
             unit="nats"),
     "It gives worse answers: leaning to refuse what is unsafe (refusal-odds) lost 0.500 "
     "nats, at least 0.400; 0.100 are allowed."),
    (verdict("no_worse", "tpot", "FAIL", **SLOWER),
     "It is worse than the baseline in time per output token in cell closed-1 (one user at a "
     "time): by 21 %, at least 17 %; 15 % are allowed."),
    (verdict("attainment", "attainment", "FAIL", estimate=0.7, upper=0.8, margin=0.9,
             unit="share"),
     "Too few requests are answered in time: 70 %, at most 80 %; 90 % are needed."),
    (verdict("limit", "start", "FAIL", estimate=221.0, margin=100.0, unit="s",
             metric="cold_start_s"),
     "Its cold start is 221 s, the limit is 100 s."),
    (verdict("fidelity", "fidelity", "FAIL", estimate=0.7676, margin=0.4, metric="mean_kl"),
     "It predicts other words than the baseline: its probabilities differ by a mean KL of 0.768 "
     "nats, the limit is 0.400."),
    (verdict("canaries", "safety-canaries", "FAIL"),
     "In unsafe requests that must be refused (safety-canaries) it fails requests that the "
     "baseline has right; not one may be."),
    (verdict("benefit", "benefit", "FAIL", estimate=0.01, lower=-0.02, upper=0.03, margin=0.05,
             metric="tpot_ms",
             details=(Row(label="tpot_ms in closed-1", outcome="FAIL", estimate=0.01),)),
     "Nothing is gained by it: at best time per output token improved by 1 % [−2, 3] in closed-1 "
     "(one user at a time), at least 5 % is needed."),
    (verdict("check", "identity", "FAIL", metric="identity", details=ENGINE),
     "Its engine failed: gave no answer within 30 s."),
    (verdict("check", "build", "FAIL"), "It could not be built: what the gate said."),
]  # fmt: skip


@pytest.mark.parametrize(("found", "words"), REJECTED, ids=lambda one: getattr(one, "kind", ""))
def test_a_rejection(found: Verdict, words: str) -> None:
    assert plain_reason(decided("fast", "REJECT", found), STUDY) == words


def test_a_hold_says_what_is_not_known() -> None:
    found = verdict("paired_accuracy", "tool-calling", "INCONCLUSIVE", **SHARE)
    assert plain_reason(decided("fast", "HOLD", found), STUDY) == (
        "Not known yet whether it is good enough in choosing the right tool call "
        "(tool-calling): 16.5 points lost, and anything "
        "from 13.1 to 20.1 fits; 5 are allowed."
    )
    bare = verdict("no_worse", "tpot", "INCONCLUSIVE")
    said = "Not known yet, for want of evidence: what the gate said."
    assert plain_reason(decided("fast", "HOLD", bare), STUDY) == said
    floor = verdict("paired_accuracy", "mmlu", "NOT_APPLICABLE")
    assert "hardly better than chance" in plain_reason(decided("fast", "HOLD", floor), STUDY)
    look = verdict("check", "identity", "INCONCLUSIVE")
    assert "could not be taken" in plain_reason(decided("fast", "HOLD", look), STUDY)


def test_a_loss_below_zero_is_told_as_the_gain_that_it_is() -> None:
    found = verdict("no_worse", "tpot", "INCONCLUSIVE", estimate=-0.0757, lower=-0.356, upper=0.327,
                    margin=0.15, unit="relative to the baseline", metric="tpot_ms")  # fmt: skip
    assert plain_reason(decided("fast", "HOLD", found), STUDY).endswith(
        "7.57 % gained, and anything from 35.6 % gained to 32.7 % lost fits; 15 are allowed."
    )


def test_attainment_is_reached_and_not_lost() -> None:
    found = verdict("attainment", "attainment", "INCONCLUSIVE", estimate=0.88, lower=0.8,
                    upper=0.95, margin=0.9, unit="share", metric="attainment")  # fmt: skip
    assert plain_reason(decided("fast", "HOLD", found), STUDY) == (
        "Not known yet whether it is good enough in share of requests answered in time: 88 % "
        "reached, and anything from 80 to 95 fits; 90 are needed."
    )


def test_a_promotion_says_the_benefit() -> None:
    found = verdict("benefit", "benefit", "PASS", estimate=0.394, lower=0.394, upper=0.394,
                    margin=0.05, metric="weight_bytes")  # fmt: skip
    assert plain_reason(decided("fast", "PROMOTE", found), STUDY) == (
        "It passed every gate, and it is better: its weights take 39.4 % less memory (counted, not "
        "sampled), at least 5 % is needed."
    )


def test_no_gate_decided() -> None:
    decision = decided("fast", "HOLD", reason="the policy has changed")
    assert plain_reason(decision, fixture.study()) == "The policy has changed"
