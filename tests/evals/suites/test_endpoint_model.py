import math
import time

import pytest

from evals.suites.endpoint_model import EndpointModel
from tests.evals.suites.conftest import Start
from tests.evals.suites.toy import CharacterTokenizer
from variants.engines.scripted.answers import log_probability
from variants.errors import MeasurementError

CONTEXT, OPTIONS = [5, 6], [[7, 8], [9, 10]]


def summed(option: list[int]) -> float:
    first = log_probability(CONTEXT, option[0])
    return first + log_probability([*CONTEXT, option[0]], option[1])


def test_an_option_scores_the_sum_of_its_own_tokens(served: Start) -> None:
    model = EndpointModel(served().url, "scripted", CharacterTokenizer())
    scores = model.score_options(CONTEXT, OPTIONS)
    assert scores == pytest.approx([summed(option) for option in OPTIONS])


def test_options_may_differ_in_length(served: Start) -> None:
    model = EndpointModel(served().url, "scripted", CharacterTokenizer())
    options = [[7, 8], [9], [7, 8, 11]]
    third = log_probability([*CONTEXT, 7, 8], 11)
    assert model.score_options(CONTEXT, options) == pytest.approx(
        [summed([7, 8]), log_probability(CONTEXT, 9), summed([7, 8]) + third]
    )


def requests(num_items: int) -> list[tuple[tuple[str, str], list[int], list[int]]]:
    return [(("", ""), [item, 6], option) for item in range(1, 1 + num_items) for option in OPTIONS]


def test_answers_come_back_in_the_order_asked(served: Start) -> None:
    model = EndpointModel(served(ttft_ms=2).url, "scripted", CharacterTokenizer())
    answers = model._loglikelihood_tokens(requests(20))
    assert len(answers) == 40
    for item in range(20):
        first = log_probability([item + 1, 6], 7) + log_probability([item + 1, 6, 7], 8)
        assert answers[2 * item] == (pytest.approx(first), False)


def test_a_failed_request_is_an_item_without_an_answer(served: Start) -> None:
    url = served(fault="http_500", fault_every=5).url
    model = EndpointModel(url, "scripted", CharacterTokenizer())
    scores = [score for score, _ in model._loglikelihood_tokens(requests(20))]
    assert len(scores) == 40
    missing = [math.isnan(score) for score in scores]
    assert sum(missing) == 8  # 20 requests, each fifth fails, two options each
    assert missing[::2] == missing[1::2]  # never one option without the other


NOWHERE = "http://127.0.0.1:9"


def test_a_server_that_is_gone_answers_nothing() -> None:
    model = EndpointModel(NOWHERE, "scripted", CharacterTokenizer())
    assert all(math.isnan(score) for score in model.score_options(CONTEXT, OPTIONS))


def test_a_server_that_hangs_is_given_up_after_eight_requests(served: Start) -> None:
    url = served(ttft_ms=60_000).url
    model = EndpointModel(url, "scripted", CharacterTokenizer(), timeout_s=0.2)
    started = time.monotonic()
    with pytest.raises(MeasurementError, match=r"\d+ requests in a row"):
        model._loglikelihood_tokens(requests(400))
    assert time.monotonic() - started < 5  # 400 items, 8 at once, would take 10 s


def test_an_answer_starts_the_count_anew(served: Start) -> None:
    model = EndpointModel(NOWHERE, "scripted", CharacterTokenizer())
    for url in [*[NOWHERE] * 7, served().url, *[NOWHERE] * 7]:
        model._client.base_url = url  # type: ignore[assignment]
        model.score_options(CONTEXT, OPTIONS)
    with pytest.raises(MeasurementError, match=r"\d+ requests in a row"):
        model.score_options(CONTEXT, OPTIONS)


def test_an_error_is_an_answer(served: Start) -> None:
    model = EndpointModel(served(fault="http_500").url, "scripted", CharacterTokenizer())
    assert all(math.isnan(score) for score, _ in model._loglikelihood_tokens(requests(20)))
