"""Names of figures and cells in words that need no glossary.

Example: `objective_words(study)` is "time per output token in cell closed-1 (one user at a time)".
"""

from evals.study import Study
from evals.workload.cell import CellSpec
from evals.workload.replay import Replay

SUITES = {  # what a suite asks; its id stands behind it
    "continuation-choice": "how texts go on",
    "mmlu": "general knowledge",
    "tool-calling": "choosing the right tool call",
    "written-calls": "writing tool calls",
    "api-calls": "tool calls through the API",
    "irrelevance": "calling no tool where none fits",
    "multi-turn-calls": "tool calls over several turns",
    "json-free": "JSON written freely",
    "json-constrained": "JSON held to a schema",
    "json-at-load": "JSON under load",
    "calls-at-load": "tool calls under load",
    "instructions": "following instructions",
    "short-answers": "short answers",
    "safety": "refusing what is unsafe",
    "safety-canaries": "unsafe requests that must be refused",
    "over-refusal": "answering what is safe",
    "refusal-odds": "leaning to refuse what is unsafe",
    "answer-odds": "leaning to answer what is safe",
    "long-context-needle": "finding a fact in a long text",
    "long-context-pairs": "looking up pairs in a long text",
    "long-context-variables": "following variables in a long text",
    "cliff-tools": "tool calls among many tools",
    "cliff-turns": "tool calls after many turns",
    "cliff-context": "tool calls after a long text",
    "cliff-tools-written": "writing tool calls among many tools",
    "cliff-turns-written": "writing tool calls after many turns",
    "cliff-context-written": "writing tool calls after a long text",
}
FIGURES = {
    "tpot_ms": "time per output token",
    "ttft_ms": "time to the first token",
    "e2e_ms": "time to the whole answer",
    "output_tokens_per_s": "output tokens per second",
    "request_rate_rps": "requests per second",
    "goodput_rps": "requests per second answered in time",
    "attainment": "share of requests answered in time",
    "energy_j_per_token": "energy per output token",
    "cost_usd_per_million_tokens": "cost per million output tokens",
    "weight_bytes": "memory of the weights",
    "peak_process_bytes": "peak memory of the engine",
    "cold_start_s": "cold start",
    "warm_start_s": "warm start",
}


def figure_words(metric: str | None) -> str:
    """Say a metric in words; one that nobody named says itself."""
    return FIGURES.get(metric or "", metric or "figure")


def load_words(spec: CellSpec) -> str:
    """Say what load a cell sends."""
    if spec.closed is not None:
        return "one user at a time" if spec.closed == 1 else f"{spec.closed} users at once"
    arrivals = spec.arrivals
    if arrivals is None or isinstance(arrivals, Replay):
        return "arrivals of a log"
    rate = f"{arrivals.rate:g} requests a second, "
    named = {"constant": "evenly", "gamma": "irregularly", "bursts": "in bursts"}
    given = (words for name, words in named.items() if getattr(spec, name) is not None)
    return f"{rate}{next(given, 'in waves' if spec.periodic else 'at random')}"


def cell_words(study: Study, name: str) -> str:
    """Say a cell by its name, and its load in words."""
    for spec in study.workload.cells:
        if spec.name == name:
            return f"{name} ({load_words(spec)})"
    return name


def objective_words(study: Study) -> str:
    """Say what the champion is chosen by."""
    cell = cell_words(study, study.objective.cell)
    return f"{figure_words(study.objective.metric)} in cell {cell}"


def suite_words(suite: str) -> str:
    """Say what a suite asks, and its id; a suite of the user's own has its id alone.

    Example: irrelevance -> "calling no tool where none fits (irrelevance)".
    """
    return f"{SUITES[suite]} ({suite})" if suite in SUITES else suite
