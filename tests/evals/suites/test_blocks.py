from dataclasses import replace

import pytest

from evals.results import Sample, Stop, SuiteResult
from evals.suites.assignment import Assignment
from evals.suites.blocks import block_ends, go_on, in_blocks, merge
from variants.errors import MeasurementError

PLANNED = 10
ASKED = Assignment("toy", "variant", "engine", PLANNED, 1, {})


def measured(assignment: Assignment) -> SuiteResult:
    items = range(PLANNED)[assignment.begin : assignment.end]
    return SuiteResult(
        suite="toy",
        arm="variant",
        path="engine",
        chance=0.0,
        num_issued=len(items),
        num_planned=PLANNED,
        samples=tuple(
            Sample(item=f"i{n}", cluster="c", prompt_sha256="p", is_correct=True) for n in items
        ),
        items_sha256="items",
        rule="says yes",
        seconds=1.0,
    )


@pytest.mark.parametrize(
    ("num_planned", "smallest", "ends"),
    [
        (2000, 250, (250, 500, 1000, 2000)),
        (510, 64, (127, 255, 510)),  # 127 / 2 = 63 is too small a block
        (100, 64, (100,)),
        (0, 64, (0,)),
    ],
)
def test_blocks_double_up_to_the_whole(
    num_planned: int, smallest: int, ends: tuple[int, ...]
) -> None:
    assert block_ends(num_planned, smallest) == ends


def test_blocks_join_to_the_whole() -> None:
    found = in_blocks(ASKED, (2, 5, None), measured, go_on)
    assert [sample.item for sample in found.samples] == [f"i{n}" for n in range(PLANNED)]
    assert (found.num_issued, found.num_spared, found.stopped, found.seconds) == (10, 0, None, 3.0)


def test_a_look_ends_it_and_what_was_not_asked_is_told() -> None:
    def look(found: SuiteResult) -> Stop | None:
        return "fail" if found.num_issued >= 5 else None

    found = in_blocks(ASKED, (2, 5, None), measured, look)
    assert (found.num_issued, found.num_spared, found.stopped) == (5, 5, "fail")
    assert "5 items spared (failed already)" in found.told()


def test_nothing_is_looked_at_once_all_is_in() -> None:
    found = in_blocks(ASKED, (10, None), measured, lambda _: "fail")
    assert (found.num_issued, found.stopped) == (10, None)


def test_blocks_of_different_items_do_not_join() -> None:
    one = measured(replace(ASKED, end=5))
    other = measured(replace(ASKED, begin=5)).model_copy(update={"items_sha256": "others"})
    with pytest.raises(MeasurementError, match="had other items"):
        merge([one, other], 2.0)
