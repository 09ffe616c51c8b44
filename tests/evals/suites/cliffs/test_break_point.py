"""Break points worked by hand: which level is surely below the halfway line."""

import pytest

from evals.results import Sample, SuiteResult
from evals.suites.cliffs import compare, curve_of
from evals.suites.cliffs.comparing import finding, is_earlier
from variants.errors import MeasurementError

LEVELS = (1, 2, 4, 8, 16, 32)


def samples(right: dict[float, int], num: int = 25) -> tuple[Sample, ...]:
    """At each level the first base items are right."""
    return tuple(
        Sample(
            item=f"b{index}@{level:g}",
            cluster=f"c{index}",
            level=level,
            prompt_sha256="p",
            is_correct=index < num_right,
        )
        for level, num_right in right.items()
        for index in range(num)
    )


def result(*right: int, arm: str = "baseline", chance: float = 0.0) -> SuiteResult:
    found = samples(dict(zip(LEVELS, right, strict=False)))
    return SuiteResult.model_validate(
        {
            "suite": "cliff-tools", "arm": arm, "path": "engine", "chance": chance,
            "num_issued": len(found), "samples": found, "items_sha256": "i", "rule": "r",
            "axis": "tools offered", "seconds": 1,
        }
    )  # fmt: skip


def test_the_worked_example() -> None:
    """8 of 25: at most .504, above .40; 2 of 25: at most .231 (Clopper and Pearson)."""
    curve = curve_of(result(20, 19, 18, 8, 2, 0).samples, 0.0)
    assert [one.level for one in curve.standings] == list(LEVELS)
    assert curve.standings[0].share.estimate == 0.8
    assert curve.standings[3].share.upper == pytest.approx(0.504, abs=5e-4)
    assert curve.standings[4].share.upper == pytest.approx(0.231, abs=5e-4)
    assert (curve.break_point, curve.is_at_floor) == (16, False)


def test_what_is_lost_since_the_lowest_level_is_paired() -> None:
    curve = curve_of(result(20, 20, 8).samples, 0.0)
    lost = [one.lost for one in curve.standings]
    assert lost[0] is None
    assert lost[1] is not None and lost[1].estimate == 0
    assert lost[1].upper == pytest.approx(2.706 / 27.706, abs=1e-3)  # z^2 / (n + z^2)
    assert lost[2] is not None and lost[2].estimate == pytest.approx(12 / 25)


def test_the_halfway_line_lies_above_chance() -> None:
    """Chance .25, .80 at first: halfway is .525; 7 of 25 is at most .462, 9 of 25 at most .544."""
    assert curve_of(result(20, 7).samples, 0.25).break_point == 2
    assert curve_of(result(20, 9).samples, 0.25).break_point is None
    assert curve_of(result(20, 7).samples, 0.0).break_point is None


def test_few_items_show_no_break() -> None:
    """0 of 2 is at most .776: nothing is sure."""
    few = samples({1: 2, 32: 0}, num=2)
    curve = curve_of(few, 0.0)
    assert curve.standings[1].share.upper == pytest.approx(1 - 0.05**0.5)
    assert curve.break_point is None


def test_a_model_at_the_floor_has_no_break_point() -> None:
    """4 of 25 is at least .057: not surely more than 10 points above chance."""
    curve = curve_of(result(4, 0, 0).samples, 0.0)
    assert curve.is_at_floor
    assert curve.break_point is None


def test_an_item_without_an_answer_is_not_right() -> None:
    silent = [one.model_copy(update={"is_correct": None}) for one in samples({2: 25})]
    assert curve_of([*samples({1: 25}), *silent], 0.0).break_point == 2


def test_without_levels_there_is_no_curve() -> None:
    (one, *_) = samples({1: 1})
    with pytest.raises(MeasurementError, match="has no level"):
        curve_of([one.model_copy(update={"level": None})], 0.0)
    with pytest.raises(MeasurementError, match="at least one level"):
        curve_of([], 0.0)


def test_the_variant_breaks_earlier() -> None:
    found = compare(result(20, 19, 18, 18, 2, 0), result(20, 19, 18, 2, 0, 0, arm="variant"))
    assert found.is_earlier
    assert found.finding == "breaks at 8 tools offered, the baseline at 16"
    assert found.damages[8].estimate == pytest.approx(16 / 25)
    assert found.damages[1].estimate == 0
    assert found.damages[8].lower > 0.3


@pytest.mark.parametrize(
    ("baseline", "variant", "said", "earlier"),
    [
        ((20, 20), (20, 2), "breaks at 2 tools offered, the baseline nowhere up to 2", True),
        ((20, 2), (20, 20), "breaks nowhere up to 2 tools offered, the baseline at 2", False),
        ((20, 2), (20, 2), "breaks at 2 tools offered, the baseline at 2", False),
        ((20, 20), (0, 0), "breaks at once, at 1 tools offered, the baseline nowhere up to 2",
         True),
        ((0, 0), (0, 0), "the baseline is right in 0% at 1 tools offered, not clearly above "
         "chance: no break point is defined", False),
    ],
)  # fmt: skip
def test_what_is_found_in_words(
    baseline: tuple[int, ...], variant: tuple[int, ...], said: str, earlier: bool
) -> None:
    theirs, mine = (curve_of(result(*right).samples, 0.0) for right in (baseline, variant))
    assert finding(theirs, mine, "tools offered") == said
    assert is_earlier(theirs, mine) is earlier


def test_other_items_are_not_compared() -> None:
    with pytest.raises(MeasurementError, match="25 items are in one arm only"):
        compare(result(20, 20), result(20))
