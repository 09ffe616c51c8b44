"""Beside the published checker, on every fifth item; `make bench-calls` takes all of them."""

from pathlib import Path

import pytest

from evals.suites.calls import ABSTAINING, CALLING, Row
from tests.bench.calls.agreement import compare, explain
from tests.bench.calls.mutations import MUTATIONS
from tests.bench.calls.published import read_rows


@pytest.fixture(scope="module")
def calling(wheel: Path) -> list[Row]:
    return read_rows(wheel, CALLING)


def test_as_many_items_as_are_documented(wheel: Path, calling: list[Row]) -> None:
    abstaining = read_rows(wheel, ABSTAINING)
    assert len(calling) == 2343
    assert len(abstaining) == 1124
    assert len({row.id for row in calling + abstaining}) == 2343 + 1124


def test_verdicts_agree_or_a_documented_exception_explains_why(
    wheel: Path, calling: list[Row]
) -> None:
    compared = compare(calling[::5], wheel)
    right = [one for one in compared if one.mutation == "right"]
    assert len(right) == 469
    assert all(one.ours is None and one.published.is_valid for one in right)
    assert {one.mutation for one in compared} == set(MUTATIONS)
    explained = explain(compared, wheel)
    assert [
        (one.row.id, one.mutation, one.ours, one.published)
        for at, one in enumerate(compared)
        if not one.is_agreed and at not in explained
    ] == []
