from collections.abc import Sequence

import pytest

from evals.performance.client.sending import SentCell
from evals.performance.engine_metrics import CANONICAL, EngineWindow
from evals.performance.steady_state import saturation, trend
from evals.performance.validity import CellEvidence, find_faults, is_client_fault
from evals.results import Trace
from evals.workload.asks import Ask
from evals.workload.slo import Slo
from tests.evals.performance.traces import MS, plan, trace

SLO = Slo(ttft_ms=1000, tpot_ms=100)


def engine(
    missing: tuple[str, ...] = (), restarts: tuple[str, ...] = (), **values: float
) -> EngineWindow:
    return EngineWindow({**dict.fromkeys(CANONICAL, 0.0), **values}, missing, restarts)


def faults(
    traces: Sequence[Trace],
    *,
    lags: tuple[float, ...] = (0.1,),
    said: EngineWindow | None = None,
    is_idle: bool = True,
    num_planned: int | None = None,
    closed: int | None = None,
    input_tokens: int = 8,
    num_known: int = 0,
    recovery_ms: float | None = 5.0,
    ask: Ask = "text",
) -> tuple[str, ...]:
    sent = SentCell(tuple(traces), 0, 0, 0, 1000 * MS, lags, over_ns=1000 * MS)
    num = len(traces) if num_planned is None else num_planned
    planned = plan(num, closed=closed, input_tokens=input_tokens, num_known=num_known)
    planned = planned.model_copy(update={"ask": ask})
    said = said or engine()
    return find_faults(CellEvidence(planned, sent, SLO, said, is_idle, recovery_ms))


def good(count: int = 3) -> list[Trace]:
    return [trace(scheduled=100 * i, first=100 * i + 50, last=100 * i + 600) for i in range(count)]


def test_a_sound_cell_is_valid() -> None:
    assert faults(good()) == ()


@pytest.mark.parametrize(
    ("reasons", "words"),
    [
        (faults([*good(), trace(sent=6)]), "p99 send lag 6.00 ms > 5.00 ms"),
        (faults(good(), lags=(0.1, 5.5)), "p99 event-loop lag 5.50 ms > 5.00 ms"),
        (faults(good(), lags=()), "no heartbeat"),
        (faults([]), "no request was due inside the window"),
        (faults([], closed=2), "server: no request arrived inside the window"),
        (faults(good(), num_planned=4), "3 arrived of 4 planned"),
        (faults([trace(), trace(100, 102)]), "realised rate is 0.980 of the planned"),
        (
            faults(good(), said=engine(prefix_hit_tokens_total=4, prefix_query_tokens_total=100)),
            "4.0% of prompt tokens came from it",
        ),
        (faults([trace(prompt_tokens=9)]), "median error 12.5% against the tokens planned"),
        (faults([trace(prompt_tokens=None)]), "usage is missing in 1 of 1"),
        (faults([trace(tokens=10)]), "1 of 1 differ from the 11 tokens planned, e.g. 10"),
        (faults([trace(tokens=None)]), "e.g. None"),
        (faults(good(), is_idle=False), "not idle before"),
        (faults(good(), recovery_ms=None), "not at rest 10 s after"),
        (faults(good(), said=engine(restarts=("x fell",))), "server restarted: x fell"),
        (faults(good(), said=engine(missing=("running",))), "metrics missing: running"),
    ],
)
def test_each_fault_is_named_with_its_value(reasons: tuple[str, ...], words: str) -> None:
    assert len(reasons) == 1
    assert words in reasons[0]


@pytest.mark.parametrize(
    ("reasons", "is_clients"),
    [
        (faults([*good(), trace(sent=6)]), True),
        (faults(good(), lags=(0.1, 5.5)), True),
        (faults(good(), lags=()), True),
        (faults(good(), num_planned=4), True),
        (faults([trace(), trace(100, 102)]), True),
        (faults([], num_planned=3), True),
        (
            faults([]),
            False,
        ),  # nothing was due: the plan's own doing  # an open loop sends whatever the server does
        (faults([], closed=1), False),  # a closed one waits for the server
        (faults([trace(prompt_tokens=9)]), False),
        (faults([trace(tokens=10)]), False),
        (faults(good(), is_idle=False), False),
        (faults(good(), said=engine(restarts=("x fell",))), False),
        (faults(good(), said=engine(missing=("running",))), False),
    ],
)
def test_the_faults_of_client_and_schedule_are_marked(
    reasons: tuple[str, ...], is_clients: bool
) -> None:
    assert {is_client_fault(reason) for reason in reasons} == {is_clients}


@pytest.mark.parametrize(
    ("num_hits", "is_valid"), [(0, False), (64, True), (66, True), (67, False)]
)
def test_a_shared_prefix_is_found_in_the_cache_in_whole_blocks(
    num_hits: int, is_valid: bool
) -> None:
    """40 of 48 tokens are shared, 2 blocks of 16 are 32 / 48 = 66.7 %; 67 / 96 is 69.8 %."""
    said = engine(
        prefix_hit_tokens_total=num_hits, prefix_query_tokens_total=96, prefix_block_tokens=16
    )
    reasons = faults([trace(prompt_tokens=48)] * 3, said=said, input_tokens=48, num_known=40)
    assert (reasons == ()) == is_valid
    assert is_valid or "66.7% planned" in reasons[0]


@pytest.mark.parametrize(("cached", "is_valid"), [(32, True), (33, True), (48, False), (0, False)])
def test_what_each_answer_says_of_the_cache_comes_before_the_counters(
    cached: int, is_valid: bool
) -> None:
    """32 of 48 are planned; the counters hold a cold request of the ramp, and say 50 %."""
    said = engine(prefix_hit_tokens_total=96, prefix_query_tokens_total=192, prefix_block_tokens=16)
    one = trace(prompt_tokens=48).model_copy(update={"cached_tokens": cached})
    assert (faults([one] * 3, said=said, input_tokens=48, num_known=40) == ()) == is_valid


@pytest.mark.parametrize(("num_hits", "is_valid"), [(0, True), (96, True), (106, False)])
def test_what_a_chats_template_adds_may_come_from_the_cache(num_hits: int, is_valid: bool) -> None:
    """48 tokens of each of 3 prompts are planned and 40 added: two blocks of 16 are 96 / 264."""
    said = engine(
        prefix_hit_tokens_total=num_hits, prefix_query_tokens_total=264, prefix_block_tokens=16
    )
    traces = [
        trace(prompt_tokens=88, tokens=count) for count in (7, 9, 11)
    ]  # and end when they like
    reasons = faults(traces, said=said, input_tokens=48, ask="json")
    assert (reasons == ()) == is_valid
    assert faults(traces, said=engine(), input_tokens=48) != ()  # as text it is too long


def test_who_left_by_plan_neither_failed_nor_answered() -> None:
    gone = trace(first=None, last=None, tokens=None, outcome="client_disconnected")
    assert faults([*good(), gone]) == ()


def test_mann_kendall_of_a_rise() -> None:
    assert trend(range(10)) == 45
    assert trend([1] * 10) == 0


def test_growth_is_saturation_and_a_level_load_is_not() -> None:
    """One arrival per 10 ms: each takes 50 ms (5 in flight), or none ends.

    Then the mean over batch b of 100 ms is 10 b + 5.5: first three 15.5, last three 85.5.
    """
    grows = [trace(10 * i, first=990, last=1000) for i in range(100)]
    level = [trace(10 * i, first=10 * i + 1, last=10 * i + 50) for i in range(-5, 100)]
    assert "in flight grew from 15.5 to 85.5" in (saturation(grows, 0, 1000 * MS) or "")
    assert saturation(level, 0, 1000 * MS) is None
    assert saturation(grows[:29], 0, 1000 * MS) is None
    assert any("saturated" in reason for reason in faults(grows))
