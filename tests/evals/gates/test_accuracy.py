"""Looks, null arm, silence, cuts, pooling, and the record of a verdict."""

from typing import Any

import pytest

from evals.gates import Verdict, decide, judge_gate
from evals.gates.judges.pooled_accuracy import pool
from evals.gates.kinds import PairedAccuracyGate, PooledAccuracyGate
from evals.gates.policy import Policy
from evals.gates.reading import record_sha256
from evals.results import REFUSED, Evidence, SuiteResult
from evals.statistics import Interval
from tests.evals.gates.worked import (
    QUICK,
    STUDY,
    added,
    changed,
    evidence,
    gathered,
    suite,
    updated,
)
from variants.fingerprint import sha256_text

ARMS = ("baseline", "variant")


def gate(**fields: Any) -> PairedAccuracyGate:
    known: dict[str, Any] = {"id": "a", "tier": "critical", "suite": "tool-calling"}
    return PairedAccuracyGate(**(known | {"margin": 0.05} | fields))


def judged(asked: Any, found: Evidence) -> Verdict:
    return judge_gate(asked, found, STUDY, QUICK)


def suites(**numbers: int) -> Evidence:
    return gathered([suite("tool-calling", arm, **numbers) for arm in ARMS])


def test_an_early_pass_pays_and_an_early_fail_does_not() -> None:
    # 14 - 6 of 400: 2 points; upper bound at .95 3.9, at the look's (half: z = 2.538) 4.9 or more.
    half = changed(suites(lost=15, won=5), SuiteResult, updated(num_planned=800))
    assert judged(gate(), suites(lost=15, won=5)).outcome == "PASS"
    early = judged(gate(looks=(0.5, 1.0)), half)
    assert early.outcome == "INCONCLUSIVE"
    late = judged(gate(), suites(lost=15, won=5))
    assert early.upper is not None and late.upper is not None and early.upper > late.upper
    assert early.lower == late.lower
    broken = changed(suites(lost=60, won=0), SuiteResult, updated(num_planned=800))
    assert judged(gate(looks=(0.5, 1.0)), broken).outcome == "FAIL"


def test_a_look_that_was_not_planned_passes_nothing() -> None:
    half = changed(suites(lost=0, won=0), SuiteResult, updated(num_planned=800))
    verdict = judged(gate(), half)
    assert verdict.outcome == "INCONCLUSIVE"
    assert "50 % of the planned items are in" in verdict.reason


def null_arm(num_flips: int, num_items: int = 100) -> SuiteResult:
    result = suite("tool-calling", "baseline")
    flipped = [
        sample.model_copy(update={"is_correct": not sample.is_correct})
        for sample in result.samples[:num_flips]
    ]
    samples = (*flipped, *result.samples[num_flips:num_items])
    return result.model_copy(update={"arm": "null", "samples": samples, "num_issued": num_items})


def test_the_null_arm_says_how_much_is_noise() -> None:
    noisy = added(suites(lost=4, won=0), null_arm(2))
    assert judged(gate(), noisy).null_flips == pytest.approx(0.02)
    assert judged(gate(max_null_flips=0.03), noisy).outcome == "PASS"
    assert judged(gate(max_null_flips=0.01), noisy).outcome == "INCONCLUSIVE"
    assert judged(gate(max_null_flips=0.03), suites(lost=4, won=0)).outcome == "INCONCLUSIVE"
    foreign = null_arm(0)
    sample = foreign.samples[0].model_copy(update={"item": "elsewhere"})
    other = foreign.model_copy(update={"samples": (sample, *foreign.samples[1:])})
    assert judged(gate(), added(suites(), other)).outcome == "INCONCLUSIVE"


def all_samples(**fields: Any) -> Any:
    def change(result: SuiteResult) -> SuiteResult:
        samples = tuple(sample.model_copy(update=fields) for sample in result.samples)
        return result.model_copy(update={"samples": samples})

    return change


def test_garbage_is_no_refusal() -> None:
    silent = changed(suites(lost=0, won=0), SuiteResult, updated(rewards_silence=True))
    assert judged(gate(), silent).outcome == "INCONCLUSIVE"  # nobody looked
    looked = changed(silent, SuiteResult, all_samples(is_degenerate=False))
    assert judged(gate(), looked).outcome == "PASS"
    garbage = changed(looked, SuiteResult, all_samples(is_degenerate=True), arm="variant")
    assert judged(gate(), garbage).outcome == "FAIL"
    both = changed(looked, SuiteResult, all_samples(is_degenerate=True))
    assert judged(gate(), both).outcome == "NOT_APPLICABLE"  # the baseline is at the floor


@pytest.mark.parametrize(("num_cut", "outcome"), [(0, "PASS"), (8, "PASS"), (9, "INCONCLUSIVE")])
def test_cut_answers_may_not_differ_by_more_than_two_points(num_cut: int, outcome: str) -> None:
    def cut(result: SuiteResult) -> SuiteResult:
        head = [s.model_copy(update={"is_cut": True}) for s in result.samples[:num_cut]]
        return result.model_copy(update={"samples": (*head, *result.samples[num_cut:])})

    assert judged(gate(), changed(suites(), SuiteResult, cut, arm="variant")).outcome == outcome


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (updated(conditions={"tokenizer": "other", "chat template": "c"}), "another tokenizer"),
        (updated(conditions={}), "another chat template, tokenizer"),
        (updated(cluster_key="item"), "clustered by"),
        (updated(num_planned=800), "different looks"),
        (updated(rule="another"), "different rules"),
    ],
)
def test_arms_asked_otherwise_are_inconclusive(change: Any, said: str) -> None:
    verdict = judged(gate(), changed(suites(), SuiteResult, change, arm="variant"))
    assert verdict.outcome == "INCONCLUSIVE"
    assert said in verdict.reason


def test_the_policy_s_cluster_key_is_the_suite_s() -> None:
    assert judged(gate(cluster_key="function"), suites()).outcome == "PASS"
    assert judged(gate(cluster_key="source topic"), suites()).outcome == "INCONCLUSIVE"


def test_pooled_bounds_by_hand() -> None:
    # .9 [.8, 1.0] ten times: sqrt(10 * .1^2) / 10 = .0316
    pooled = pool([Interval(0.9, 0.8, 1.0, 500)] * 10)
    assert pooled.estimate == pytest.approx(0.9)
    assert pooled.upper == pytest.approx(0.9316, abs=1e-4)
    assert pooled.lower == pytest.approx(0.8684, abs=1e-4)
    assert pooled.n == 5000


def test_many_small_losses_are_a_large_one() -> None:
    names = [f"suite-{i}" for i in range(10)]
    found = gathered([suite(name, arm, 45, 0, 1500) for name in names for arm in ARMS])
    asked = [gate(id=name, suite=name) for name in names]
    pooled = PooledAccuracyGate(id="all", tier="required", margin=0.02)
    policy = Policy(name="p", description="d", gates=(*asked, pooled))
    for one in asked:  # 3 points each, at most 4: inside 5
        assert judge_gate(one, found, STUDY, policy).outcome == "PASS"
    verdict = judge_gate(pooled, found, STUDY, policy)
    assert verdict.outcome == "FAIL", verdict.reason


def test_what_the_baseline_alone_was_refused_wins_nothing() -> None:
    """20 items are lost, and 20 that the baseline's engine would not begin are answered."""

    def refused(found: SuiteResult) -> SuiteResult:
        wrong = [s for s in found.samples if s.is_correct is False][:20]
        names = {sample.item for sample in wrong}
        told = [
            s.model_copy(update={"error": REFUSED}) if s.item in names else s for s in found.samples
        ]
        return found.model_copy(update={"samples": tuple(told)})

    plain = suites(lost=20, won=20)
    found = changed(plain, SuiteResult, refused, arm="baseline")
    assert judged(gate(), plain).estimate == 0
    verdict = judged(gate(), found)
    assert (verdict.baseline_only, verdict.variant_only) == (20, 0)
    assert verdict.estimate == pytest.approx(0.05)  # 20 of 400


def all_wrong(found: SuiteResult) -> SuiteResult:
    wrong = tuple(sample.model_copy(update={"is_correct": False}) for sample in found.samples)
    return found.model_copy(update={"samples": wrong})


def test_a_suite_at_the_floor_does_not_thin_the_others_out() -> None:
    """Two suites lose 3 points each; eight that the baseline cannot do lose none."""
    names = [f"suite-{i}" for i in range(10)]
    able = [suite(name, arm, 45, 0, 1500) for name in names[:2] for arm in ARMS]
    unable = changed(
        gathered([suite(name, arm, 0, 0, 1500) for name in names[2:] for arm in ARMS]),
        SuiteResult,
        lambda found: found.model_copy(
            update={
                "samples": tuple(s.model_copy(update={"is_correct": False}) for s in found.samples)
            }
        ),
    )
    found = gathered([*able, *(record.payload for record in unable.records)])
    asked = [gate(id=name, suite=name) for name in names]
    pooled = PooledAccuracyGate(id="all", tier="required", margin=0.02)
    verdict = judge_gate(
        pooled, found, STUDY, Policy(name="p", description="d", gates=(*asked, pooled))
    )
    assert verdict.outcome == "FAIL", verdict.reason
    assert "over 2 suites" in verdict.reason
    only = Policy(name="p", description="d", gates=(*asked[2:], pooled))
    assert judge_gate(pooled, found, STUDY, only).outcome == "INCONCLUSIVE"


def test_pooling_needs_every_suite() -> None:
    pooled = PooledAccuracyGate(id="all", tier="required", margin=0.03)
    assert judged(pooled, suites()).outcome == "INCONCLUSIVE"  # one of the two is not there


def test_a_verdict_carries_its_figures_and_its_evidence() -> None:
    verdict = judged(gate(), suites(lost=10, won=4))
    assert (verdict.n, verdict.baseline_only, verdict.variant_only) == (400, 10, 4)
    # MDE: 2.4865 * sqrt(.035 / 400) = 2.33 points, widened where clusters hang together
    assert verdict.detectable is not None and verdict.detectable >= 0.0232
    assert verdict.mcnemar_p == pytest.approx(0.0898, abs=1e-4)  # P(X >= 10 | Bin(14, 1/2))
    digests = sorted(record_sha256(record) for record in suites(lost=10, won=4).records)
    assert verdict.evidence_sha256 == sha256_text("\n".join(digests))


def test_holm_is_told_beside_mcnemar() -> None:
    decision = decide(STUDY, QUICK, evidence())
    p = {v.gate: (v.mcnemar_p, v.holm_p) for v in decision.verdicts if v.mcnemar_p is not None}
    assert set(p) == {"continuation-choice", "tool-calling"}
    for alone, together in p.values():
        assert alone is not None and together == pytest.approx(min(1.0, 2 * alone))
