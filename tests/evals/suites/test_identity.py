import math
from typing import Any

import pytest

from evals.suites.identity import (
    Gap,
    Limits,
    check_config,
    check_decode,
    check_prefill,
    gap_between,
    limits_from,
)
from evals.suites.served_scores import prompt_logprobs
from tests.evals.suites.conftest import Start
from variants.engines.scripted.answers import log_probability
from variants.errors import EngineError, MeasurementError

TOKENS = [list(range(10, 20)), list(range(30, 80)), list(range(100, 300))]


def expected(tokens: list[int]) -> list[float]:
    return [log_probability(tokens[:i], tokens[i]) for i in range(1, len(tokens))]


def reference() -> dict[str, Any]:
    scores = [expected(tokens) for tokens in TOKENS]
    return {"tokens": TOKENS, "logprobs": scores, "null": [list(row) for row in scores]}


def test_the_worked_example_of_a_gap() -> None:
    assert gap_between((-1.0, -2.0), (-1.5, -2.25)) == Gap(0.375, 0.5, 1, 2)
    assert gap_between((-1.0, -2.0, -3.0), (-1.0, -2.0, -1.0)) == Gap(2 / 3, 2.0, 3, 3)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_non_finite_score_is_an_infinite_gap_on_either_side(bad: float) -> None:
    assert gap_between((-1.0, bad), (-1.0, -2.0)) == Gap(math.inf, math.inf, 2, 2)
    assert gap_between((-1.0, -2.0), (-1.0, bad)) == Gap(math.inf, math.inf, 2, 2)
    assert gap_between((bad,), (bad,)) == Gap(math.inf, math.inf, 1, 1)


def test_limits_have_a_floor_and_grow_with_the_null_arm() -> None:
    assert limits_from(reference()) == Limits(0.10, 1.0)
    # two canaries of 1 and 3 positions: mean gap (.4 + 3 x .1) / 4 = .175, worst .5
    noisy = {"logprobs": [[-1.0], [-1.0, -1.0, -1.0]], "null": [[-0.6], [-1.0, -1.0, -1.3]]}
    limits = limits_from(noisy)
    assert limits.mean == pytest.approx(3 * 0.175)
    assert limits.worst == pytest.approx(1.2)  # 3 x .4


def test_a_server_that_computes_what_the_artifact_holds_passes(served: Start) -> None:
    checks = check_prefill(served(), reference(), 5.0)
    assert [check.name for check in checks] == ["prefill-short", "prefill-medium", "prefill-long"]
    assert all(check.passed for check in checks)
    assert [check.values["num_positions"] for check in checks] == [9, 49, 199]


def test_wrong_text_is_named_with_its_gap_and_position(served: Start) -> None:
    shifted = reference()
    shifted["logprobs"][2][149] -= 25.0  # position 150 of the long canary alone
    shifted["null"] = [list(row) for row in shifted["logprobs"]]
    short, medium, long = check_prefill(served(), shifted, 5.0)
    assert short.passed
    assert medium.passed
    assert long.passed is False
    assert "by 25.000 nats at position 150 (limit 1.000), 199 positions" in long.reason
    assert "differ by 0.126 nats on average (limit 0.100)" in long.reason  # 25 / 199
    assert long.reason.endswith("the server does not compute what the artifact holds")
    assert long.values["worst_position"] == 150
    assert long.stage == "identity"


def test_a_small_gap_everywhere_fails_by_its_mean(served: Start) -> None:
    shifted = reference()
    shifted["logprobs"][0] = [score + 0.2 for score in shifted["logprobs"][0]]
    shifted["null"][0] = list(shifted["logprobs"][0])
    short, medium, _ = check_prefill(served(), shifted, 5.0)
    assert short.passed is False
    assert medium.passed
    assert "by 0.200 nats on average (limit 0.100)" in short.reason


class NonFinite:
    """A server whose answer holds a null where the OpenAI format allows none."""

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        scores: list[float | None] = [None, *expected(list(body["prompt"]))]  # type: ignore[call-overload]
        scores[3] = None
        return {"choices": [{"logprobs": {"token_logprobs": scores}}]}


def test_a_non_finite_answer_fails_and_is_kept_as_none() -> None:
    checks = check_prefill(NonFinite(), reference(), 5.0)
    assert not any(check.passed for check in checks)
    assert "a non-finite number of nats at position 3" in checks[0].reason
    assert checks[0].values["worst_gap_nats"] is None
    assert checks[0].values["mean_gap_nats"] is None


def test_every_prompt_token_but_the_first_is_scored(served: Start) -> None:
    assert prompt_logprobs(served(), [5, 6, 7], 5.0) == expected([5, 6, 7])


class Decoder:
    """A server that decodes 48 tokens after a prompt.

    `shift`: its scores leave those of its own prefill at the 40th; `ahead`: how far prefill ranks
    another token before the 31st; `tops`: what prefill says it ranks first, if not this.
    """

    def __init__(self, shift: float = 0.0, ahead: float = 0.0, tops: Any = None) -> None:
        self.shift, self.ahead, self.tops = shift, ahead, tops
        self.asked: list[dict[str, object]] = []

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        self.asked.append(body)
        prompt = list(body["prompt"])  # type: ignore[call-overload]
        if body.get("echo"):
            return {"choices": [{"logprobs": self.prefill(prompt)}]}
        generated = list(range(500, 548))
        scores = expected(prompt + generated)[-48:]
        scores[39] += self.shift
        choice = {"token_ids": generated, "logprobs": {"token_logprobs": scores}}
        return {"choices": [choice]}

    def prefill(self, prompt: list[int]) -> dict[str, Any]:
        scores = expected(prompt)
        tops: list[Any] = [None, *({"own": score} for score in scores)]
        tops[-18]["first"] = scores[-18] + self.ahead  # 31st of the last 48
        return {"token_logprobs": [None, *scores], "top_logprobs": self.tops or tops}


def test_decoding_is_held_against_the_engines_own_prefill() -> None:
    assert all(check.passed for check in check_decode(Decoder(), reference(), 5.0))
    short, *_ = check_decode(Decoder(shift=9.0), reference(), 5.0)
    assert short.passed is False
    assert "by 9.000 nats at position 40" in short.reason


def test_a_generated_token_that_prefill_ranks_low_fails() -> None:
    """Greedy decoding picks what prefill ranks first, but for ties within the limit of 1 nat."""
    near, *_ = check_decode(Decoder(ahead=0.9), reference(), 5.0)
    assert near.passed
    assert near.values["worst_rank_gap_nats"] == pytest.approx(0.9)
    assert near.values["worst_rank_position"] == 31
    low, *_ = check_decode(Decoder(ahead=2.5), reference(), 5.0)
    assert low.passed is False
    assert low.values["worst_gap_nats"] == 0.0  # decode and prefill agree on the wrong token
    assert "ranks a token 2.500 nats above the one generated at position 31" in low.reason
    assert low.reason.endswith("the server does not compute what the artifact holds")


@pytest.mark.parametrize("bad", [None, math.nan, math.inf])
def test_a_rank_that_is_no_number_fails(bad: float | None) -> None:
    tops = [{"first": bad, "own": -9.0}] * 400
    for check in check_decode(Decoder(tops=tops), reference(), 5.0):
        assert check.passed is False
        assert check.values["worst_rank_gap_nats"] is None


def test_no_filter_of_the_sampler_may_leave_out_what_prefill_ranks_first() -> None:
    """vLLM bans the end of text until `min_tokens`, and prefill may rank it first."""
    decoder = Decoder()
    check_decode(decoder, reference(), 5.0)
    decoded, ranked = decoder.asked[:2]
    assert "min_tokens" not in decoded
    assert (decoded["max_tokens"], decoded["ignore_eos"]) == (48, True)
    assert (ranked["echo"], ranked["logprobs"]) == (True, 1)


@pytest.mark.parametrize("tops", [[None] * 58, [{}] * 58, [{"own": -1.0}] * 3])
def test_a_server_that_ranks_nothing_is_no_measurement(tops: list[Any]) -> None:
    with pytest.raises(MeasurementError, match="rank"):
        check_decode(Decoder(tops=tops), reference(), 5.0)


def test_a_server_that_returns_no_token_ids_is_no_measurement(served: Start) -> None:
    with pytest.raises(MeasurementError, match="token ids"):
        check_decode(served(), reference(), 5.0)


def test_a_hanging_server_meets_the_deadline(served: Start) -> None:
    with pytest.raises(EngineError, match=r"within 0\.3 s"):
        check_prefill(served(ttft_ms=60_000), reference(), 0.3)


def test_the_effective_configuration_is_compared() -> None:
    reported = {"max_model_len": "2048", "enforce_eager": "False", "dtype": "bfloat16"}
    right = check_config(reported, {"max_model_len": "2048"})
    assert right.passed
    assert right.reason == "the engine reports what was asked (1 settings)"
    assert right.values == reported
    wrong = check_config(reported, {"enforce_eager": "True", "custom_ops": "['none']"})
    assert wrong.passed is False
    assert wrong.reason == (
        "enforce_eager asked True, reported False; custom_ops asked ['none'], reported missing"
    )
