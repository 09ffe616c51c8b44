"""What makes a cell unable to support a verdict, each reason with its value.

Source: the table "Validity" of design/measurement.md. A check is one function and one line in
CHECKS. Drift of the baseline is judged over a whole profile, and other processes on the device and
its clocks by whoever holds the device.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from evals.performance.client.sending import SentCell
from evals.performance.engine_metrics import EngineWindow
from evals.performance.latency import LEFT, send_lag_ms
from evals.performance.percentiles import observed_p99
from evals.performance.steady_state import saturation
from evals.performance.telemetry import Taken
from evals.results import Trace
from evals.workload.plan import Plan
from evals.workload.slo import Slo

# How a fault of the client or of the schedule begins. Neither depends on how fast the server was,
# so such a repeat may be measured again; any other fault may be the server's own.
SATURATION, ARRIVALS = "client saturation:", "arrivals:"
CLIENT_FAULTS = (SATURATION, ARRIVALS)
SATURATED = "saturated:"  # by the server: it was asked more than it can do
MAX_SEND_LAG_MS = 5.0
MAX_SHARE_OF_LIMIT = 0.05
MAX_RATE_ERROR = 0.01
MAX_PREFIX_SHARE = 0.03  # between the share that came from the cache and the one planned
MAX_PROMPT_ERROR = 0.05


@dataclass(frozen=True, slots=True)
class CellEvidence:
    """All that is known about one cell."""

    plan: Plan
    sent: SentCell
    slo: Slo
    engine: EngineWindow
    is_idle_before: bool
    recovery_ms: float | None
    taken: Taken = field(default_factory=Taken)

    @property
    def arrived(self) -> list[Trace]:
        """Requests that arrived inside the window."""
        return [trace for trace in self.sent.traces if trace.is_judged]

    @property
    def judged(self) -> list[Trace]:
        """Those of them whose callers stayed."""
        return [trace for trace in self.arrived if trace.outcome not in LEFT]

    @property
    def ok(self) -> list[Trace]:
        """Judged requests that ended well."""
        return [trace for trace in self.judged if trace.outcome == "ok"]


def find_faults(evidence: CellEvidence) -> tuple[str, ...]:
    """Give every reason why the cell is invalid; none is a valid cell."""
    return tuple(reason for check in CHECKS for reason in check(evidence))


def is_client_fault(fault: str) -> bool:
    """Whether the client or the schedule, and not the server, made the cell invalid."""
    return fault.startswith(CLIENT_FAULTS)


def _client_saturation(evidence: CellEvidence) -> Iterable[str]:
    limit = min(MAX_SEND_LAG_MS, MAX_SHARE_OF_LIMIT * evidence.slo.ttft_ms)
    lag = observed_p99([send_lag_ms(trace) for trace in evidence.arrived])
    if lag is not None and lag > limit:
        yield f"{SATURATION} p99 send lag {lag:.2f} ms > {limit:.2f} ms"
    loop_limit = MAX_SHARE_OF_LIMIT * evidence.slo.tpot_ms
    loop_lag = observed_p99(evidence.sent.loop_lag_ms)
    if loop_lag is None:
        yield f"{SATURATION} no heartbeat of the sender fell inside the window"
    elif loop_lag > loop_limit:
        yield f"{SATURATION} p99 event-loop lag {loop_lag:.2f} ms > {loop_limit:.2f} ms"


def _arrivals(evidence: CellEvidence) -> Iterable[str]:
    """Compare what was sent with the plan; the lag of single arrivals is client saturation."""
    is_open = evidence.plan.is_open
    num_planned = sum(request.phase == "window" for request in evidence.plan.requests)
    if is_open and not num_planned:
        yield "plan: no request was due inside the window; ask a higher rate or a longer window"
        return
    if not evidence.arrived:  # a closed loop waits for the server, an open one does not
        yield f"{ARRIVALS if is_open else 'server:'} no request arrived inside the window"
    if not is_open or evidence.sent.is_given_up:
        return
    if len(evidence.arrived) != num_planned:
        yield f"{ARRIVALS} {len(evidence.arrived)} arrived of {num_planned} planned in the window"
    planned_ns = _span([trace.scheduled_ns for trace in evidence.arrived])
    realised_ns = _span([trace.sent_ns for trace in evidence.arrived])
    if planned_ns and abs(planned_ns / max(realised_ns, 1) - 1) > MAX_RATE_ERROR:
        yield f"{ARRIVALS} realised rate is {planned_ns / max(realised_ns, 1):.3f} of the planned"


def _span(stamps_ns: Sequence[int]) -> int:
    return max(stamps_ns) - min(stamps_ns) if stamps_ns else 0


def _prefix_cache(evidence: CellEvidence) -> Iterable[str]:
    measured = _hit_share(evidence)
    if measured is None:
        return
    planned = planned_hit_share(evidence)
    # a chat's template and tools may be known of all prompts but the first
    most = planned_hit_share(evidence, _added_tokens(evidence))
    if not planned - MAX_PREFIX_SHARE <= measured <= most + MAX_PREFIX_SHARE:
        yield (
            f"prefix cache: {measured:.1%} of prompt tokens came from it, {planned:.1%} planned "
            f"(at most {MAX_PREFIX_SHARE:.0%} apart)"
        )


def _hit_share(evidence: CellEvidence) -> float | None:
    """Return the share that came from the cache: as each answer says, else as the engine counts.

    The engine's counters hold a few requests of before and after the window, whose share may be
    another; they are what is left where its answers do not say.
    """
    told = [(trace.cached_tokens, trace.prompt_tokens) for trace in evidence.ok]
    known = [(cached, size) for cached, size in told if cached is not None and size is not None]
    if known and len(known) == len(told):
        return sum(cached for cached, _ in known) / sum(size for _, size in known)
    values = evidence.engine.values
    hits, queries = values["prefix_hit_tokens_total"], values["prefix_query_tokens_total"]
    return hits / queries if hits is not None and queries else None


def planned_hit_share(evidence: CellEvidence, num_added: int = 0) -> float:
    """Return the share of prompt tokens that a warm prefix cache holds, in whole blocks.

    Example: 288 of 384 tokens were sent before and a block has 128: two blocks, 256 / 384 = .667.
    An engine that caches no prefix, or does not say its block, is planned at 0.
    """
    block = evidence.engine.values["prefix_block_tokens"]
    plan = evidence.plan
    asked = [plan.requests[trace.index] for trace in evidence.ok or evidence.arrived]
    if not block or not asked:
        return 0.0
    sizes = [plan.prompt_tokens(request) + num_added for request in asked]
    known = [request.num_known + num_added for request in asked]
    # the last token of a prompt is always computed
    held = [min(one, size - 1) // block * block for one, size in zip(known, sizes, strict=True)]
    return sum(held) / sum(sizes)


def _added_tokens(evidence: CellEvidence) -> int:
    """Return what a chat's template and tools add to a prompt; text is sent as it is planned."""
    plan = evidence.plan
    if plan.ask == "text":
        return 0
    added = [
        trace.prompt_tokens - plan.prompt_tokens(plan.requests[trace.index])
        for trace in evidence.ok
        if trace.prompt_tokens is not None
    ]
    return max(0, round(float(np.median(added)))) if added else 0


def _prompt_length(evidence: CellEvidence) -> Iterable[str]:
    """Compare with the plan; a chat adds its template and its tools, as much to every prompt."""
    plan = evidence.plan
    pairs = [(x.prompt_tokens, plan.prompt_tokens(plan.requests[x.index])) for x in evidence.ok]
    known = [(counted, planned) for counted, planned in pairs if counted is not None]
    if len(known) < len(pairs):
        yield f"prompt length: usage is missing in {len(pairs) - len(known)} of {len(pairs)}"
    if known:
        added = _added_tokens(evidence)
        errors = [abs((counted - added) / planned - 1) for counted, planned in known]
        if (error := float(np.median(errors))) > MAX_PROMPT_ERROR:
            yield f"prompt length: median error {error:.1%} against the tokens planned"


def _output_length(evidence: CellEvidence) -> Iterable[str]:
    """Where the length is fixed, any difference is a fault; other answers end when they like."""
    if evidence.plan.ask != "text":
        return
    requests = evidence.plan.requests
    wrong = [x for x in evidence.ok if x.output_tokens != requests[x.index].output_tokens]
    if wrong:
        planned = requests[wrong[0].index].output_tokens
        yield (
            f"output length: {len(wrong)} of {len(evidence.ok)} differ from the {planned} tokens "
            f"planned, e.g. {wrong[0].output_tokens}"
        )


def _steady_state(evidence: CellEvidence) -> Iterable[str]:
    """Look for growth in an open loop; a closed loop holds its load by construction."""
    sent = evidence.sent
    if sent.is_given_up:
        yield f"{SATURATED} given up when attainment could no longer reach the SLO's"
    elif evidence.plan.is_open:
        growth = saturation(sent.traces, sent.window_start_ns, sent.window_end_ns)
        if growth:
            yield f"{SATURATED} {growth}"


def _server(evidence: CellEvidence) -> Iterable[str]:
    if not evidence.is_idle_before:
        yield "server: it was not idle before the cell"
    if evidence.recovery_ms is None:
        yield "server: it was not at rest 10 s after its last caller had gone"
    for restart in evidence.engine.restarts[:1]:
        yield f"server restarted: {restart}"
    if evidence.taken.is_missing:
        yield "server: what it took could not be read around the window"
    if evidence.taken.troubles:
        yield f"server: the device was throttled ({', '.join(evidence.taken.troubles)})"
    if evidence.engine.missing:
        yield f"engine metrics missing: {', '.join(evidence.engine.missing)}"


CHECKS: tuple[Callable[[CellEvidence], Iterable[str]], ...] = (
    _client_saturation,
    _arrivals,
    _prefix_cache,
    _prompt_length,
    _output_length,
    _steady_state,
    _server,
)
