"""Traces and plans of tests, in milliseconds from an origin."""

from evals.results import Outcome, Trace
from evals.workload.plan import Plan, PlannedRequest, Text

MS = 1_000_000


def trace(
    scheduled: float = 0,
    sent: float | None = None,
    first: float | None = 100,
    last: float | None = 600,
    *,
    tokens: int | None = 11,
    in_first: int | None = 1,
    outcome: Outcome = "ok",
    is_judged: bool = True,
    prompt_tokens: int | None = 8,
) -> Trace:
    sent = scheduled if sent is None else sent
    return Trace(
        index=0,
        scheduled_ns=round(scheduled * MS),
        sent_ns=round(sent * MS),
        first_token_ns=None if first is None else round(first * MS),
        last_token_ns=None if last is None else round(last * MS),
        end_ns=round((last or sent) * MS),
        prompt_tokens=prompt_tokens,
        output_tokens=tokens,
        first_read_tokens=in_first,
        outcome=outcome,
        is_judged=is_judged,
    )


def plan(
    num_window: int, *, closed: int | None = None, input_tokens: int = 8, num_known: int = 0
) -> Plan:
    requests = tuple(
        PlannedRequest(
            index=i, offset_ns=i, phase="window", texts=(0,), output_tokens=11, num_known=num_known
        )
        for i in range(num_window)
    )
    return Plan(
        cell="closed-1" if closed else "poisson-1",
        repeat=0,
        seed=0,
        closed=closed,
        ramp_ns=0,
        window_ns=1000 * MS,
        timeout_ns=1000 * MS,
        stream=tuple(range(100)),
        texts=(Text(nonce=(1,), start=0, num_tokens=input_tokens - 1),),
        requests=requests,
    )
