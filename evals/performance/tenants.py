"""What each tenant of a cell had: requests, tokens, attainment, and its share of the work.

The share is what a bill would follow: tokens that were computed, prompt tokens less those from the
prefix cache and all output tokens, of the judged requests that ended well.

Example: tenant a had 300 prompt tokens, 100 of them cached, and 50 output tokens; b 100, 0 and 150:
both 250 tokens computed, so each has a share of .5.
"""

from collections.abc import Sequence

from evals.performance import latency
from evals.performance.latency import LEFT
from evals.performance.metrics import Window
from evals.results import TenantUse, Trace
from evals.workload.plan import Plan


def tenant_uses(traces: Sequence[Trace], plan: Plan, window: Window) -> tuple[TenantUse, ...]:
    """Account for every tenant of the plan, also for one that nothing was judged of."""
    judged = [trace for trace in traces if trace.is_judged and trace.outcome not in LEFT]
    groups = [
        [trace for trace in judged if plan.requests[trace.index].tenant == place]
        for place in range(len(plan.tenants))
    ]
    computed = [sum(map(_num_computed, group)) for group in groups]
    return tuple(
        _use(tenant.name, group, window, work / sum(computed) if work else 0.0)
        for tenant, group, work in zip(plan.tenants, groups, computed, strict=True)
    )


def _use(name: str, judged: Sequence[Trace], window: Window, share: float) -> TenantUse:
    ok = [trace for trace in judged if trace.outcome == "ok"]
    cached = [trace.cached_tokens for trace in ok]
    num_good = sum(latency.is_good(trace, window.slo) for trace in judged)
    return TenantUse(
        name=name,
        num_judged=len(judged),
        num_ok=len(ok),
        attainment=num_good / len(judged) if judged and window.is_open else None,
        prompt_tokens=sum(trace.prompt_tokens or 0 for trace in ok),
        cached_tokens=None if None in cached else sum(count or 0 for count in cached),
        output_tokens=sum(trace.output_tokens or 0 for trace in ok),
        share=share,
    )


def _num_computed(trace: Trace) -> int:
    if trace.outcome != "ok":
        return 0
    return (trace.prompt_tokens or 0) - (trace.cached_tokens or 0) + (trace.output_tokens or 0)
