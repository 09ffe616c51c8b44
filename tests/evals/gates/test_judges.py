from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from evals.gates import Verdict, judge_gate
from evals.gates.judges.benefit import BenefitGate
from evals.gates.kinds import AttainmentGate, BenefitOption, NoWorseGate, PairedAccuracyGate
from evals.results import Cell, Evidence, Fidelity, Memory, Sample, SuiteResult
from tests.evals.gates.worked import (
    BASELINE_ARTIFACT,
    QUICK,
    STUDY,
    added,
    baseline_record,
    changed,
    dropped,
    evidence,
    gathered,
    memory,
    suite,
    updated,
)

GATES = {gate.id: gate for gate in QUICK.gates}
ACCURACY = PairedAccuracyGate(id="acc", tier="critical", suite="tool-calling", margin=0.05)


def judged(gate: Any, found: Evidence) -> Verdict:
    return judge_gate(GATES[gate] if isinstance(gate, str) else gate, found, STUDY, QUICK)


def suites(**numbers: int) -> Evidence:
    return gathered([suite("tool-calling", arm, **numbers) for arm in ("baseline", "variant")])


@pytest.mark.parametrize(
    ("lost", "won", "outcome"),
    [(0, 0, "PASS"), (10, 4, "PASS"), (24, 10, "INCONCLUSIVE"), (60, 0, "FAIL")],
)
def test_accuracy(lost: int, won: int, outcome: str) -> None:
    # 24 - 10 of 400: 3.5 points, half-width 1.645 sqrt(.085 - .0012) / 20 = 2.4: 5.9 > 5.
    # 60 of 400: 15 points, half-width 2.9: at least 12 > 5.
    verdict = judged(ACCURACY, suites(lost=lost, won=won))
    assert verdict.outcome == outcome, verdict.reason
    assert verdict.estimate == pytest.approx((lost - won) / 400)
    assert (verdict.n_needed is not None) == (outcome == "INCONCLUSIVE")


def test_ten_pairs_without_discordance_do_not_pass() -> None:
    verdict = judged(ACCURACY, suites(lost=0, won=0, num_items=10))
    assert verdict.outcome == "INCONCLUSIVE"
    assert "10 items, 400 are needed" in verdict.reason


def test_clusters_decide_where_they_are_worse() -> None:
    def together(result: SuiteResult) -> SuiteResult:
        samples = [
            sample.model_copy(update={"cluster": f"c{index // 40}"})
            for index, sample in enumerate(result.samples)
        ]
        return result.model_copy(update={"samples": tuple(samples)})

    spread = suites(lost=12, won=6)
    assert judged(ACCURACY, spread).outcome == "PASS"
    assert judged(ACCURACY, changed(spread, SuiteResult, together)).outcome == "INCONCLUSIVE"


def first_sample(**fields: Any) -> Any:
    def change(result: SuiteResult) -> SuiteResult:
        head = result.samples[0].model_copy(update=fields)
        return result.model_copy(update={"samples": (head, *result.samples[1:])})

    return change


def unanswered(count: int) -> Any:
    def change(result: SuiteResult) -> SuiteResult:
        gone = [sample.model_copy(update={"is_correct": None}) for sample in result.samples[:count]]
        return result.model_copy(update={"samples": (*gone, *result.samples[count:])})

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (dropped, "did not answer"),
        (updated(path="artifact"), "results of tool-calling"),
        (updated(items_sha256="other"), "different item sets"),
        (updated(num_issued=401), "401 items"),
        (updated(samples=()), "came back"),
        (first_sample(item="x"), "in one arm only"),
        (first_sample(item="i1"), "there twice"),
        (first_sample(prompt_sha256="x"), "another prompt"),
    ],
)
def test_contradictory_suites_are_inconclusive(change: Any, said: str) -> None:
    verdict = judged(ACCURACY, changed(suites(), SuiteResult, change, arm="variant"))
    assert verdict.outcome == "INCONCLUSIVE"
    assert said in verdict.reason


def test_a_suite_recorded_twice_is_inconclusive() -> None:
    verdict = judged(ACCURACY, added(suites(), suite("tool-calling", "variant")))
    assert verdict.outcome == "INCONCLUSIVE"


def test_missing_answers_count_against_the_variant() -> None:
    few = changed(suites(lost=0, won=0), SuiteResult, unanswered(4))
    verdict = judged(ACCURACY, few)
    assert verdict.estimate == pytest.approx(4 / 400)  # wrong in the variant, right in the baseline
    many = changed(suites(), SuiteResult, unanswered(5), arm="baseline")
    assert judged(ACCURACY, many).outcome == "INCONCLUSIVE"  # 5 of 400 is above 1 %


def test_a_baseline_at_chance_is_not_applicable() -> None:
    at_chance = changed(suites(), SuiteResult, updated(chance=0.5))
    assert judged(ACCURACY, at_chance).outcome == "NOT_APPLICABLE"  # 60 % > 50, not > 60


def test_an_artifact_path_of_the_baseline_alone_blocks_all_but_lossless() -> None:
    on_artifact = suite("tool-calling", "baseline").model_copy(update={"path": "artifact"})
    both = added(suites(), on_artifact)
    assert judged(ACCURACY, both).outcome == "INCONCLUSIVE"
    built = added(both, BASELINE_ARTIFACT)
    records = (*built.records, baseline_record(BASELINE_ARTIFACT))
    same_weights = built.model_copy(update={"change_class": "lossless", "records": records})
    assert judged(ACCURACY, same_weights).outcome == "PASS"


@pytest.mark.parametrize(
    ("fields", "outcome"),
    [
        ({}, "PASS"),
        ({"num_nonfinite": 1}, "FAIL"),
        ({"mean_kl": 0.4}, "PASS"),
        ({"mean_kl": 0.4001}, "FAIL"),
        ({"top1_agreement": 0.74}, "FAIL"),
        ({"perplexity_ratio": 1.21}, "FAIL"),
        ({"num_positions": 0}, "INCONCLUSIVE"),
        ({"null_mean_kl": 0.5}, "INCONCLUSIVE"),
    ],
)
def test_fidelity_four_bit_up_to_3b(fields: dict[str, Any], outcome: str) -> None:
    verdict = judged("fidelity", changed(evidence(), Fidelity, updated(**fields)))
    assert verdict.outcome == outcome, verdict.reason


@pytest.mark.parametrize(
    ("mean_kl", "null", "outcome"),
    [(4e-4, 1e-5, "PASS"), (6e-4, 1e-5, "FAIL"), (8e-4, 3e-4, "PASS"), (1e-3, 3e-4, "FAIL")],
)
def test_lossless_fidelity_follows_the_null_arm(mean_kl: float, null: float, outcome: str) -> None:
    near = updated(mean_kl=mean_kl, null_mean_kl=null, top1_agreement=0.997, perplexity_ratio=1.0)
    lossless = changed(evidence(change_class="lossless"), Fidelity, near)
    assert judged("fidelity", lossless).outcome == outcome


def test_no_worse_rows_are_the_envelope() -> None:
    verdict = judged("tpot", evidence(speedup=0.7))
    assert verdict.outcome == "FAIL"  # 1 / .7 = 43 % slower
    assert [row.label for row in verdict.details] == ["closed-1", "poisson-2.5"]
    assert verdict.estimate == pytest.approx(0.43, abs=0.01)
    assert [row.label for row in judged("throughput", evidence()).details] == ["closed-1"]


def test_throughput_damage_is_relative_to_the_baseline() -> None:
    assert judged("throughput", evidence(speedup=0.9)).estimate == pytest.approx(0.1, abs=0.005)


@pytest.mark.parametrize(
    "change",
    [
        dropped,
        updated(invalid=("late sends",)),
        updated(metrics={"tpot_ms_mean": None}),
        updated(metrics={"tpot_ms_mean": 0.0}),
        updated(repeat=1),
        updated(num_offered=0),
        updated(num_ok=19),
        updated(traces_sha256="closed-1-baseline-0"),
    ],
)
def test_a_repeat_that_does_not_count_leaves_too_few(change: Any) -> None:
    spoilt = changed(evidence(), Cell, change, name="closed-1", arm="variant", repeat=0)
    verdict = judged("tpot", spoilt)
    assert verdict.outcome == "INCONCLUSIVE"
    assert verdict.details[0].outcome == "INCONCLUSIVE"
    assert verdict.details[1].outcome == "PASS"


@pytest.mark.parametrize(
    ("metric", "direction", "cells"),
    [
        ("joules", "lower", "all"),
        ("tpot_ms", "higher", "all"),
        ("tpot_ms", "lower", ("closed-9",)),
        ("goodput_rps", "higher", "closed"),
        ("weight_bytes", "lower", "all"),
    ],
)
def test_what_a_policy_may_not_ask(metric: str, direction: Any, cells: Any) -> None:
    gate = NoWorseGate(
        id="g", tier="required", metric=metric, direction=direction, cells=cells, margin=0.1
    )
    assert judged(gate, evidence()).outcome == "INCONCLUSIVE"


def attaining(arm: str, share: float, start: Evidence | None = None) -> Evidence:
    def change(cell: Cell) -> Cell:
        return cell.model_copy(update={"metrics": cell.metrics | {"attainment": share}})

    return changed(start or evidence(), Cell, change, name="poisson-2.5", arm=arm)


def lasting(arm: str, length: float | None, num_ok: int = 20) -> Evidence:
    """Give one arm's open cells answers of another length, and every other arm's 30 tokens."""

    def change(cell: Any) -> Any:
        is_that = cell.arm == arm and cell.name == "poisson-2.5"
        tokens = length if is_that else 30.0
        fields: dict[str, Any] = {"metrics": cell.metrics | {"output_tokens_mean": tokens}}
        if is_that and num_ok < 20:
            share = {"attainment": num_ok / 20, "slo_use_log_mean": None}
            fields = {"metrics": fields["metrics"] | share, "num_ok": num_ok}
        return cell.model_copy(update=fields)

    return changed(evidence(), Cell, change)


@pytest.mark.parametrize(("length", "is_fair"), [(30.0, True), (32.9, True), (33.1, False)])
def test_arms_that_answer_at_different_length_are_not_compared(
    length: float, is_fair: bool
) -> None:
    verdict = judged("attainment", lasting("variant", length))
    assert verdict.outcome == ("PASS" if is_fair else "INCONCLUSIVE")
    assert is_fair or "1.10 times as long" in str(verdict.details)
    assert judged("attainment", lasting("variant", None)).outcome == "INCONCLUSIVE"


def test_an_arm_that_answers_nothing_in_time_fails_whatever_its_length() -> None:
    """Every request timed out: attainment 0, and no answer has a length."""
    assert judged("attainment", lasting("variant", None, num_ok=0)).outcome == "FAIL"
    assert judged("attainment", lasting("variant", 5.0, num_ok=4)).outcome == "FAIL"


def test_attainment() -> None:
    assert judged("attainment", evidence()).outcome == "PASS"  # 100 of 100: at least 97 %
    assert judged("attainment", attaining("variant", 0.5)).outcome == "FAIL"
    assert judged("attainment", attaining("variant", 1.5)).outcome == "INCONCLUSIVE"


def using(found: Evidence, **fields: float | None) -> Evidence:
    """Change what the open cells used of the SLO."""

    def change(cell: Cell) -> Cell:
        named = {f"slo_use_{name}": value for name, value in fields.items()}
        return cell.model_copy(update={"metrics": cell.metrics | named})

    return changed(found, Cell, change, name="poisson-2.5")


def test_few_requests_attain_by_their_distance_from_the_limit() -> None:
    few = changed(evidence(), Cell, updated(num_offered=5, num_ok=5))
    assert judged("attainment", few).outcome == "PASS"  # d = 2.3 / .2 = 11.5
    near = using(few, log_mean=-0.2)
    assert judged("attainment", near).outcome == "INCONCLUSIVE"  # 25 of 25: at least 88.7 % only
    assert judged("attainment", using(evidence(), log_mean=-0.2)).outcome == "PASS"  # 100 of 100


def test_requests_that_hang_together_count_for_fewer() -> None:
    near = using(evidence(), log_mean=-0.2, correlation=5.0)
    assert judged("attainment", near).outcome == "INCONCLUSIVE"  # 20 of 20: at least 86 %
    assert judged("attainment", using(evidence(), correlation=None)).outcome == "INCONCLUSIVE"


def test_repeats_that_differ_count_for_fewer() -> None:
    def change(cell: Cell) -> Cell:
        moved = cell.metrics | {"slo_use_log_mean": -0.3 + 0.1 * cell.repeat}
        return cell.model_copy(update={"metrics": moved})

    # means .1 apart: variance .025 of .025 + .2^2 in all: 20 * .025 / .065 = 7.7 count as one
    spread = changed(evidence(), Cell, change, name="poisson-2.5")
    assert judged("attainment", spread).outcome == "INCONCLUSIVE"  # 13 of 13: at least 79 %


def test_repeats_stay_independent_however_alike_their_requests() -> None:
    """Requests of a repeat all alike, repeats far apart: five independent ones, far inside."""

    def change(cell: Cell) -> Cell:
        moved = {"slo_use_log_mean": -2.3 + 0.1 * cell.repeat, "slo_use_log_sd": 1e-4}
        return cell.model_copy(update={"metrics": cell.metrics | moved})

    alike = changed(evidence(), Cell, change, name="poisson-2.5")
    # mean -2.1, deviation .158: d = 13; n = 5 asks 3.4 for 90 % (Natrella, table A-7)
    assert judged("attainment", alike).outcome == "PASS"


def test_a_cell_the_baseline_misses_is_not_held_against_the_variant() -> None:
    both = attaining("baseline", 0.5, attaining("variant", 0.5))
    verdict = judged("attainment", both)
    assert verdict.outcome == "NOT_APPLICABLE"
    assert "baseline" in verdict.details[0].note
    # .9 of 100 asked, 17 of 20 seen: the baseline is not shown to miss it, so nothing is excused.
    unclear = attaining("baseline", 0.85, attaining("variant", 0.5))
    assert judged("attainment", unclear).outcome == "FAIL"


def test_benefit_of_smaller_weights_alone() -> None:
    verdict = judged("benefit", evidence(speedup=1.0, weight_share=0.3))
    assert (verdict.outcome, verdict.metric) == ("PASS", "weight_bytes")
    assert verdict.lower == verdict.upper == pytest.approx(0.7)


def test_benefit_needs_every_hope_dead_to_fail() -> None:
    assert judged("benefit", evidence(speedup=0.8, weight_share=1.0)).outcome == "FAIL"
    unweighed = changed(evidence(speedup=0.8), Memory, dropped)
    assert judged("benefit", unweighed).outcome == "INCONCLUSIVE"
    twice = added(evidence(speedup=0.8), memory("variant", 999))
    assert judged("benefit", twice).outcome == "INCONCLUSIVE"  # two counts that differ


def test_benefit_shares_alpha_among_its_intervals() -> None:
    options = tuple(
        BenefitOption(metric=metric, direction=direction, cells="closed")
        for metric, direction in (("tpot_ms", "lower"), ("output_tokens_per_s", "higher"))
    )
    one = BenefitGate(id="b", tier="required", any_of=options[:1])
    two = BenefitGate(id="b", tier="required", any_of=options)
    alone, shared = judged(one, evidence()).details[0], judged(two, evidence()).details[0]
    assert shared.lower is not None and alone.lower is not None
    assert shared.lower < alone.lower
    assert shared.note == "bounds at 0.9750"


def test_noise_alone_seldom_shows_a_benefit() -> None:
    """An identical copy under 3 % noise: at most 5 % may pass; with min_gain 5 % nearly none."""
    rng = np.random.default_rng(11)
    passed = 0
    for _ in range(60):
        noisy = changed(
            evidence(speedup=1.0, weight_share=1.0),
            Cell,
            lambda cell: cell.model_copy(
                update={
                    "metrics": {
                        key: value and value * float(np.exp(rng.normal(0, 0.03)))
                        for key, value in cell.metrics.items()
                    }
                }
            ),
        )
        passed += judged("benefit", noisy).outcome == "PASS"
    assert passed <= 3


def test_nan_is_refused_at_the_door() -> None:
    with pytest.raises(ValidationError):
        Cell.model_validate(
            evidence().records[9].payload.model_dump() | {"metrics": {"tpot_ms_mean": float("nan")}}
        )
    with pytest.raises(ValidationError):
        Sample(item="a", cluster="c", prompt_sha256="p", is_correct=True, margin=float("inf"))


def test_an_error_of_programming_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    from evals.gates import judging

    def broken(*_: Any) -> Verdict:
        raise KeyError("typing error")

    monkeypatch.setitem(judging.JUDGES, "attainment", broken)
    with pytest.raises(KeyError):
        judged(AttainmentGate(id="a", tier="required"), evidence())
