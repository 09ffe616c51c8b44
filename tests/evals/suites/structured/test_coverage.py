import pytest

from evals.suites.structured import Constrained, Coverage, constrained_coverage
from variants.errors import MeasurementError

KEPT, BROKEN, REFUSED = Constrained(True, True), Constrained(True, False), Constrained(False, False)


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ([KEPT] * 6 + [BROKEN] * 2 + [REFUSED] * 2, Coverage(10, 0.8, 0.6, 0.75)),
        ([KEPT] * 3, Coverage(3, 1.0, 1.0, 1.0)),
        ([BROKEN, REFUSED], Coverage(2, 0.5, 0.0, 0.0)),
        ([REFUSED], Coverage(1, 0.0, 0.0, None)),
        ([], Coverage(0, None, None, None)),
    ],
)
def test_shares_of_what_was_promised_and_kept(seen: list[Constrained], expected: Coverage) -> None:
    assert constrained_coverage(seen) == expected


def test_a_valid_answer_of_a_refused_schema_is_a_contradiction() -> None:
    with pytest.raises(MeasurementError, match="1 of 2 schemas were refused and yet have a valid"):
        constrained_coverage([KEPT, Constrained(False, True)])
