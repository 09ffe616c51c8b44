import pytest

from evals.performance.activity import Asked, check_activity
from evals.performance.endpoint import Endpoint
from evals.results import Check
from tests.evals.suites.conftest import Start, served
from variants.specs.spec import Serving, Speculation

__all__ = ["served"]  # the fixture
CACHING = {"prefix_caching": "True"}
SPECULATING = Serving(speculation=Speculation())


def looked(
    served: Start, serving: Serving, reported: dict[str, str], **script: object
) -> list[Check]:
    endpoint = served(**script)
    address = Endpoint(
        base_url=endpoint.url, model="scripted", engine="scripted", engine_version="1"
    )
    return check_activity(Asked(endpoint, address, range(5000), 5.0), serving, reported)


def test_a_prefix_cache_is_proven_by_its_hits(served: Start) -> None:
    (check,) = looked(served, Serving(), CACHING)
    assert check.passed
    assert check.values["prefix_hit_tokens_total"] == 512  # all 32 blocks of 16
    assert check.stage == "identity"


def test_a_flag_that_was_taken_and_does_nothing_stops(served: Start) -> None:
    (check,) = looked(served, Serving(), CACHING, has_prefix_cache=False)
    assert check.passed is False
    assert "512 tokens sent twice: 0 found in the prefix cache" in check.reason
    assert "reports prefix caching and caches nothing" in check.reason


def test_what_is_off_is_not_looked_at(served: Start) -> None:
    assert looked(served, Serving(), {"prefix_caching": "False"}, has_prefix_cache=False) == []


def test_a_prompt_fits_a_short_context(served: Start) -> None:
    (check,) = looked(served, Serving(max_model_len=256), CACHING)
    assert check.values["prefix_hit_tokens_total"] == 160  # 256 less room for 96


def test_speculation_is_proven_by_its_drafts(served: Start) -> None:
    """48 tokens at 3 accepted of 4 drafted are 12 steps."""
    (check,) = looked(served, SPECULATING, {}, num_drafted=4, num_accepted=3)
    assert check.passed
    assert check.reason == "over 48 tokens 48 drafted and 36 accepted"


@pytest.mark.parametrize(
    ("num_drafted", "told"), [(0, "0 drafted"), (None, "an untold number drafted")]
)
def test_speculation_whose_counters_stand_still_stops(
    served: Start, num_drafted: int | None, told: str
) -> None:
    (check,) = looked(served, SPECULATING, {}, num_drafted=num_drafted)
    assert check.passed is False
    assert told in check.reason
    assert "took the flag and drafts nothing" in check.reason


def test_drafts_of_which_none_is_accepted_are_active_all_the_same(served: Start) -> None:
    """That it costs and gains nothing is for the benefit gate."""
    (check,) = looked(served, SPECULATING, {}, num_drafted=4)
    assert check.passed
    assert check.values["spec_accepted_total"] == 0
