import math

import pytest

from evals.performance import latency
from evals.performance.metrics import METRICS, Window, output_tokens_per_s, summarize
from evals.performance.percentiles import observed_p99, percentile
from evals.results import Trace
from evals.workload.slo import Slo
from tests.evals.performance.traces import MS, trace

SLO = Slo(ttft_ms=200, tpot_ms=60)


def window(*, is_open: bool = True, start: int = 0, end: int = 5000) -> Window:
    return Window(start * MS, end * MS, is_open, SLO)


def test_worked_example_of_one_request() -> None:
    request = trace(0, 2, 102, 602)
    assert latency.ttft_ms(request) == 102
    assert latency.ttft_send_ms(request) == 100
    assert latency.tpot_ms(request) == 50
    assert latency.e2e_ms(request) == 602
    assert latency.send_lag_ms(request) == 2


def test_one_token_has_no_tpot_and_is_judged_on_ttft() -> None:
    assert latency.tpot_ms(trace(last=100, tokens=1)) is None
    assert latency.is_good(trace(last=100, tokens=1), SLO)
    assert not latency.is_good(trace(first=201, last=201, tokens=1), SLO)


def test_goodput_counts_failures_as_not_good() -> None:
    """8 good, 1 slow (tpot 100 > 60), 1 failed, window 5 s."""
    traces = [trace() for _ in range(8)]
    traces += [trace(last=1100), trace(first=None, last=None, tokens=None, outcome="timeout")]
    numbers = summarize(traces, window())
    assert numbers["attainment"] == 0.8
    assert numbers["goodput_rps"] == 1.6
    assert numbers["goodput_tokens_per_s"] == pytest.approx(8 * 11 / 5)
    assert numbers["num_errors"] == 1
    assert numbers["request_rate_rps"] == 2
    assert numbers["tpot_ms_p50"] == 50


def test_slo_use_is_the_share_of_the_tightest_limit() -> None:
    """TTFT 100 of 200 ms, TPOT 50 of 60 ms: .833; and TTFT 180 of 200 with TPOT 42 of 60: .9."""
    slow = trace(first=180, last=600)
    assert latency.slo_use(trace(), SLO) == pytest.approx(50 / 60)
    assert latency.slo_use(slow, SLO) == pytest.approx(0.9)
    numbers = summarize([trace(), slow], window())
    logs = math.log(50 / 60), math.log(0.9)
    assert numbers["slo_use_log_mean"] == pytest.approx(sum(logs) / 2)
    assert numbers["slo_use_log_sd"] == pytest.approx((logs[1] - logs[0]) / math.sqrt(2))
    assert numbers["slo_use_correlation"] == 1


def test_a_request_without_an_answer_leaves_slo_use_unmeasured() -> None:
    failed = trace(first=None, last=None, tokens=None, outcome="timeout")
    assert summarize([trace(), trace(), failed], window())["slo_use_log_mean"] is None
    assert summarize([trace(), trace()], window(is_open=False))["slo_use_log_sd"] is None


def test_a_closed_loop_has_no_goodput() -> None:
    numbers = summarize([trace()], window(is_open=False))
    assert numbers["goodput_rps"] is numbers["goodput_tokens_per_s"] is None
    assert numbers["attainment"] is None


def test_cancelled_by_plan_leaves_the_denominator() -> None:
    assert summarize([trace(), trace(outcome="client_cancelled")], window())["attainment"] == 1


def test_unjudged_requests_count_for_throughput_only() -> None:
    numbers = summarize([trace(is_judged=False)], window())
    assert numbers["ttft_ms_p50"] is None
    assert numbers["attainment"] is None
    assert numbers["output_tokens_per_s"] == pytest.approx(11 / 5)


def test_tokens_are_counted_where_they_arrive() -> None:
    """First at 900 ms, 10 more until 1900 ms; from 1000 ms on 9 of them arrive."""
    request = trace(first=900, last=1900)
    assert output_tokens_per_s([request], window(start=1000, end=3000)) == pytest.approx(9 / 2)
    assert output_tokens_per_s([request], window(start=0, end=1000)) == pytest.approx(2)
    assert output_tokens_per_s([trace(tokens=None)], window()) is None


def test_nothing_measured_is_none_and_never_nan() -> None:
    numbers = summarize([], window())
    assert list(numbers) == list(METRICS)
    assert numbers["ttft_ms_mean"] is numbers["tpot_ms_p50"] is numbers["attainment"] is None
    assert not any(isinstance(x, float) and math.isnan(x) for x in numbers.values())


@pytest.mark.parametrize(("percent", "floor"), [(90, 64), (95, 130), (99, 662)])
def test_tails_need_their_floor(percent: int, floor: int) -> None:
    assert percentile([1.0] * (floor - 1), percent) is None
    assert percentile([1.0] * floor, percent) == 1.0


def test_observed_p99_is_a_value_that_was_seen() -> None:
    assert observed_p99(list(range(1, 201))) == 198
    assert observed_p99([1, 2, 3]) == 3
    assert observed_p99([]) is None


def test_every_request_failing_is_a_goodput_of_zero() -> None:
    failed = [trace(first=None, last=None, tokens=None, outcome="http_error") for _ in range(4)]
    numbers = summarize(failed, window())
    assert (numbers["goodput_rps"], numbers["attainment"], numbers["num_errors"]) == (0, 0, 4)
    assert numbers["ttft_ms_p50"] is None


def test_who_left_by_plan_is_not_judged() -> None:
    gone = trace(first=None, last=None, tokens=None, outcome="client_disconnected")
    numbers = summarize([trace(), gone, gone], window())
    assert (numbers["attainment"], numbers["num_judged"], numbers["num_errors"]) == (1, 1, 0)


def whole(end: float, tokens: int = 11) -> Trace:
    return trace(first=None, last=end, tokens=tokens).model_copy(update={"last_token_ns": None})


def test_a_whole_answer_is_judged_by_its_end() -> None:
    """11 tokens, limits 200 and 60 ms: 200 + 10 x 60 = 800 ms, or what the SLO says of E2E."""
    assert latency.is_good(whole(800), SLO)
    assert not latency.is_good(whole(801), SLO)
    strict = SLO.model_copy(update={"e2e_ms": 500.0})
    assert not latency.is_good(whole(501), strict)
    assert latency.slo_use(whole(400), SLO) == 0.5


def test_limits_on_end_and_gap_are_kept() -> None:
    assert latency.is_good(trace(), Slo(ttft_ms=200, tpot_ms=60, e2e_ms=600))
    assert not latency.is_good(trace(), Slo(ttft_ms=200, tpot_ms=60, e2e_ms=599))
    stalled = trace().model_copy(update={"max_gap_ns": 90 * MS})
    assert not latency.is_good(stalled, Slo(ttft_ms=200, tpot_ms=60, max_gap_ms=80))


def test_tokens_of_a_whole_answer_arrive_at_its_end() -> None:
    """Two of 11 tokens end at 0.8 s, one at 6 s behind a window of 5 s: 22 / 5."""
    traces = [whole(800), whole(800), whole(6000)]
    assert output_tokens_per_s(traces, window()) == pytest.approx(22 / 5)
