import pytest

from evals.suites.coherence import MAX_TOKENS, PROMPTS, check_coherence
from evals.suites.language import repeated_share
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
    (check,) = check_coherence(served(), 5.0)
    assert check.passed
    assert check.values["num_degenerate"] == 0
    assert check.values["num_answers"] == len(PROMPTS)


def test_a_server_that_says_nothing_fails(served: Start) -> None:
    (check,) = check_coherence(served(missing_tokens=MAX_TOKENS), 5.0)
    assert check.passed is False
    assert check.reason.startswith(f"{len(PROMPTS)} of {len(PROMPTS)} answers are empty")


class Parrot:
    """Repeats one word for the first `num_broken` prompts, and speaks afterwards."""

    def __init__(self, num_broken: int) -> None:
        self.left = num_broken

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> object:
        self.left -= 1
        text = "no " * 48 if self.left >= 0 else "A plain answer of several words."
        return {"choices": [{"message": {"content": text}}]}


@pytest.mark.parametrize(("num_broken", "passed"), [(0, True), (3, True), (4, False), (7, False)])
def test_most_answers_must_be_text(num_broken: int, passed: bool) -> None:
    (check,) = check_coherence(Parrot(num_broken), 5.0)
    assert check.stage == "coherence"
    assert check.passed is passed
    assert check.values["num_degenerate"] == num_broken
