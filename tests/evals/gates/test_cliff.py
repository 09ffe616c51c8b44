"""A cliff at one level is not averaged away, and one unlucky level among six is no cliff."""

from typing import Any

import pytest

from evals.gates import Verdict, explain, judge_gate
from evals.gates.kinds import CliffGate
from evals.gates.policy import Policy
from evals.results import Evidence, Sample, SuiteResult
from tests.evals.gates.worked import QUICK, STUDY, changed, gathered, updated

LEVELS = (1, 2, 4, 8, 16, 32)
NUM = 60
Lost = tuple[int, ...]


def gate(**fields: Any) -> CliffGate:
    known: dict[str, Any] = {"id": "tools", "tier": "required", "suite": "cliff-tools"}
    return CliffGate(**(known | {"margin": 0.10} | fields))


def result(arm: str, right: tuple[int, ...], lost: Lost) -> SuiteResult:
    """At each level the baseline's first items are right, of which the variant loses some."""
    samples = tuple(
        Sample(
            item=f"b{index}@{level}",
            cluster=f"c{index}",
            level=level,
            prompt_sha256="p",
            is_correct=index < num_right and (arm == "baseline" or index >= num_lost),
        )
        for level, num_right, num_lost in zip(LEVELS, right, lost, strict=True)
        for index in range(NUM)
    )
    return SuiteResult.model_validate(
        {
            "suite": "cliff-tools", "arm": arm, "path": "engine", "chance": 0.0,
            "num_issued": len(samples), "samples": samples, "items_sha256": "i", "rule": "r",
            "axis": "tools offered", "cluster_key": "function", "seconds": 1,
        }
    )  # fmt: skip


def evidence(lost: Lost, right: tuple[int, ...] = (50,) * 6) -> Evidence:
    return gathered([result(arm, right, lost) for arm in ("baseline", "variant")])


def judged(found: Evidence, **fields: Any) -> Verdict:
    return judge_gate(gate(**fields), found, STUDY, QUICK)


def test_a_cliff_at_one_level_fails() -> None:
    """40 of 60 at one level: 67 points, at least 51 by Tango at 1 - .05 / 6; the mean is 11."""
    verdict = judged(evidence((0, 0, 0, 0, 40, 0)))
    assert verdict.outcome == "FAIL"
    assert verdict.estimate == pytest.approx(40 / 60)
    assert verdict.lower is not None and 0.45 < verdict.lower < 0.52
    assert (verdict.baseline_only, verdict.variant_only, verdict.n) == (40, 0, 60)
    assert "at 16 tools offered (engine) loses 66.7 points" in verdict.reason
    assert "breaks at 16 tools offered, the baseline nowhere up to 32" in verdict.reason
    assert [row.outcome for row in verdict.details] == ["PASS"] * 4 + ["FAIL", "PASS"]
    assert verdict.details[4].label == "engine@16"


def test_no_damage_passes_at_every_level() -> None:
    """No discordant item of 60: at most 2.706 / 62.706 = 4.3 points."""
    verdict = judged(evidence((0,) * 6))
    assert verdict.outcome == "PASS"
    assert verdict.upper == pytest.approx(0.0432, abs=2e-3)
    assert judged(evidence((0,) * 6), margin=0.04).outcome == "INCONCLUSIVE"


def test_a_lower_bound_holds_for_all_levels_together() -> None:
    """14 of 60 are 23 points, with a deviation of sqrt(.233 * .767 / 60) = 5.5.

    Alone, 1.645 of them down, 14.4 points would lie beyond a margin of 12; at 1 - .05 / 6 it is
    2.394 of them, 10.3 points, and nothing is sure.
    """
    verdict = judged(evidence((14, 0, 0, 0, 0, 0)), margin=0.12)
    assert verdict.outcome == "INCONCLUSIVE"
    assert verdict.lower == pytest.approx(0.103, abs=0.01)


def test_levels_where_the_baseline_is_at_the_floor_decide_nothing() -> None:
    high = judged(evidence((0,) * 6, right=(50, 50, 50, 50, 3, 0)))
    assert high.outcome == "PASS"
    assert [row.outcome for row in high.details] == ["PASS"] * 4 + ["NOT_APPLICABLE"] * 2
    none = judged(evidence((0,) * 6, right=(2, 1, 0, 0, 0, 0)))
    assert none.outcome == "NOT_APPLICABLE"
    assert "no break point is defined" in none.reason


def test_a_missing_answer_is_lost() -> None:
    def silent(found: SuiteResult) -> SuiteResult:
        gone = tuple(
            one.model_copy(update={"is_correct": None}) if one.level == 8 else one
            for one in found.samples
        )
        return found.model_copy(update={"samples": gone})

    verdict = judged(changed(evidence((0,) * 6), SuiteResult, silent, arm="variant"))
    assert verdict.outcome == "FAIL"
    assert "at 8 tools offered" in verdict.reason


def without_levels(found: SuiteResult) -> SuiteResult:
    bare = tuple(one.model_copy(update={"level": None}) for one in found.samples)
    return found.model_copy(update={"samples": bare})


def raised(found: SuiteResult) -> SuiteResult:
    first = found.samples[0].model_copy(update={"level": 2})
    return found.model_copy(update={"samples": (first, *found.samples[1:])})


@pytest.mark.parametrize(
    ("change", "arm", "said"),
    [
        (without_levels, None, "has no level"),
        (raised, "variant", "at another level"),
        (updated(axis="turns"), "variant", "along different axes"),
        (updated(items_sha256="other"), "variant", "different item sets"),
        (lambda _: None, "variant", "did not answer cliff-tools"),
        (lambda _: None, "baseline", "0 results of cliff-tools"),
    ],
)
def test_what_cannot_be_paired_is_inconclusive(change: Any, arm: str | None, said: str) -> None:
    where = {"arm": arm} if arm else {}
    verdict = judged(changed(evidence((0,) * 6), SuiteResult, change, **where))
    assert verdict.outcome == "INCONCLUSIVE"
    assert said in verdict.reason


def test_too_few_items_at_a_level_are_inconclusive() -> None:
    verdict = judged(evidence((0,) * 6), min_per_level=61)
    assert verdict.outcome == "INCONCLUSIVE"
    assert "60 items at this level, 61 are needed" in verdict.reason


def test_a_policy_explains_it() -> None:
    words = explain(Policy(name="p", description="d", gates=(gate(),)))
    assert "at every level of cliff-tools, at most 10 points may be lost" in words
