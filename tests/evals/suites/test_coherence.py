import pytest

from evals.suites.coherence import PROMPTS, check_coherence, repeated_share
from tests.evals.suites.conftest import Start


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("the the the the the the", 0.75),  # 4 runs, 3 seen before
        ("one two three four", 0.0),  # 2 runs, both new
        ("a b c a b c", 0.25),  # abc bca cab abc: 1 of 4
        ("two words", 0.0),
        ("", 0.0),
    ],
)
def test_repeated_share(text: str, share: float) -> None:
    assert repeated_share(text) == share


def test_a_server_that_speaks_passes(served: Start) -> None:
    checks = check_coherence(served(), 5.0)
    assert [check.name for check in checks] == ["prompt-0", "prompt-1", "prompt-2"]
    assert all(check.passed for check in checks)
    assert checks[0].values["num_words"] == 64  # " t1" to " t64"
    assert checks[0].values["repeated_share"] == 0.0
    assert len(checks) == len(PROMPTS)


def test_a_server_that_says_nothing_fails(served: Start) -> None:
    checks = check_coherence(served(missing_tokens=64), 5.0)
    assert not any(check.passed for check in checks)
    assert checks[0].reason.startswith("0 words, 0% of its runs of 3 words repeated (limit 50%)")


class Parrot:
    def post(self, path: str, body: dict[str, object], timeout_s: float) -> object:
        return {"choices": [{"message": {"content": "no " * 64}}]}


def test_a_server_that_says_one_thing_for_ever_fails() -> None:
    check = check_coherence(Parrot(), 5.0)[0]
    assert check.passed is False
    assert check.stage == "coherence"
    assert "64 words, 98% of its runs" in check.reason  # 61 of 62
