import pytest

from evals.statistics import PairedCounts
from evals.suites.flips import flips, told
from variants.errors import MeasurementError


def test_flips_are_counted_both_ways_by_task() -> None:
    tasks = ["b", "a", "b", "b", "b"]
    baseline = [True, True, False, True, False]
    variant = [False, True, True, True, False]
    found = flips(tasks, baseline, variant)
    assert list(found) == ["b", "a"]
    assert found["b"] == PairedCounts(1, 1, 4)
    assert (found["b"].damage, found["b"].discordance) == (0.0, 0.5), "equal accuracy, half flipped"
    assert found["a"] == PairedCounts(0, 0, 1)


def test_the_worked_example_is_told_in_columns() -> None:
    # 9 turn wrong, 8 turn right, 60 stay right, 23 stay wrong.
    baseline = [True] * 69 + [False] * 31
    variant = [False] * 9 + [True] * 60 + [True] * 8 + [False] * 23
    assert told(flips(["sums"] * 100, baseline, variant)).splitlines() == [
        "task                       items  right->wrong  wrong->right   flipped      lost",
        "sums                         100             9             8     17.0%      1.0%",
    ]


@pytest.mark.parametrize(
    ("tasks", "baseline", "variant"),
    [([], [], []), (["a"], [True, True], [True, True]), (["a", "a"], [True, True], [True])],
)
def test_items_without_a_pair_are_refused(
    tasks: list[str], baseline: list[bool], variant: list[bool]
) -> None:
    with pytest.raises(MeasurementError, match="one each an item"):
        flips(tasks, baseline, variant)
