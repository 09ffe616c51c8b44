import pytest

from evals.suites.coherence import MAX_TOKENS, PROMPTS, check_coherence
from evals.suites.language import repeated_share
from tests.evals.suites.conftest import Start
from variants.errors import MeasurementError


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
    """Repeats one word for the first `num_broken` prompts, and speaks afterwards.

    A token is a word; its log-probability is `believed` after the words of the prompts, else -1.
    """

    def __init__(self, num_broken: int, text: str = "no " * 48, believed: float = -1.0) -> None:
        self.left = num_broken
        self.text = text
        self.believed = believed

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> object:
        if path == "/v1/completions":
            return self.scored(str(body["prompt"]).split())
        self.left -= 1
        text = self.text if self.left >= 0 else "A plain answer of several words."
        return {"choices": [{"message": {"content": text}}]}

    def scored(self, words: list[str]) -> object:
        broken = set(self.text.split())
        scores = [None, *(self.believed if word in broken else -1.0 for word in words[1:]), -1e9]
        return {
            "choices": [{"logprobs": {"token_logprobs": scores}}],  # the last was generated
            "usage": {"prompt_tokens": len(words)},
        }


@pytest.mark.parametrize(("num_broken", "passed"), [(0, True), (3, True), (4, False), (7, False)])
def test_most_answers_must_be_text(num_broken: int, passed: bool) -> None:
    (check,) = check_coherence(Parrot(num_broken), 5.0)
    assert check.stage == "coherence"
    assert check.passed is passed
    assert check.values["num_degenerate"] == num_broken


DRAWN = "bondingolks statueshed antihistamines Homer furnacesarctic Planet juxtap"


@pytest.mark.parametrize(
    ("believed", "num_broken"),
    [
        (-13.0, 4),  # tokens drawn at random
        (-10.1, 4),
        (-10.0, 0),  # at the limit
        (float("nan"), 4),
    ],
)
def test_a_text_that_its_own_prefill_does_not_believe_is_none(
    believed: float, num_broken: int
) -> None:
    (check,) = check_coherence(Parrot(4, DRAWN, believed), 5.0)
    assert check.values["num_degenerate"] == num_broken
    assert check.passed is (num_broken == 0)


def test_surprise_is_the_mean_over_the_tokens_of_the_answer_alone() -> None:
    (check,) = check_coherence(Parrot(7, DRAWN, -5.0), 5.0)
    assert check.values["most_nats"] == 5.0  # the prompts' words, at 1, are left out


def test_a_server_that_scores_nothing_cannot_be_looked_at() -> None:
    class Silent(Parrot):
        def scored(self, words: list[str]) -> object:
            return {"choices": [{"logprobs": None}], "usage": {"prompt_tokens": len(words)}}

    with pytest.raises(MeasurementError, match="no log-probabilities"):
        check_coherence(Silent(0), 5.0)
