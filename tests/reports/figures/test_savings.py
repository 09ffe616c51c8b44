from reports.figures.savings import savings
from tests.evals.suites.test_blocks import ASKED, measured


def test_what_was_spared_and_what_was_never_asked_both_count() -> None:
    whole = measured(ASKED)  # 10 items
    given_up = whole.model_copy(
        update={"num_issued": 4, "samples": whole.samples[:4], "stopped": "fail"}
    )
    other = whole.model_copy(update={"suite": "other"})
    found = savings({"baseline": [whole, other], "a": [given_up]})
    assert (found.num_asked, found.num_spared) == (24, 6 + 10)
    assert str(found) == "24 of 40 items asked, 16 (40%) spared"


def test_a_run_that_asked_nothing_spared_nothing() -> None:
    assert str(savings({"a": []})) == "0 of 0 items asked, 0 (0%) spared"
