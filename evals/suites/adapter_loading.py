"""Take an adapter out of a running engine and put it back: how long, and is it the same again?

By vLLM's `/v1/unload_lora_adapter` and `/v1/load_lora_adapter` (VLLM_ALLOW_RUNTIME_LORA_UPDATING).
An engine may load lazily, so the first token after a load is timed apart from the next one.

Example: loaded in .05 s, first token after .60 s, the next request's after .20 s: .40 s of the load
were paid by the first request.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from evals.results import Check
from evals.suites.adapter_effect import AskedAs, probe
from evals.suites.identity import MEAN_FLOOR_NATS, gap_between
from variants.engines.adapter import ServedAdapter
from variants.errors import EngineError

LOADING = "adapter-loading-"  # begins the name of the look
UNLOAD, LOAD = "/v1/unload_lora_adapter", "/v1/load_lora_adapter"


class Loadable(Protocol):
    """What is asked of an endpoint."""

    def post(self, path: str, body: dict[str, object], timeout_s: float) -> Any:
        """Return the JSON of a POST."""
        ...

    def order(self, path: str, body: dict[str, object], timeout_s: float) -> str:
        """Return the words that answer a POST."""
        ...


@dataclass(frozen=True, slots=True)
class Loading:
    """Seconds of each step."""

    unload_s: float
    load_s: float
    first_token_s: float
    next_token_s: float


def check_loading(
    endpoint: Loadable, adapter: ServedAdapter, tokens: list[int], deadline_s: float
) -> Check:
    """Unload and load an adapter; it must be gone in between, and itself afterwards."""
    (before,) = probe(endpoint, adapter.name, [tokens], deadline_s)
    try:
        was_gone, took = _reload(endpoint, adapter, deadline_s)
    except EngineError as error:
        return _check(adapter.name, False, f"{adapter.name} could not be loaded again: {error}", {})
    (after,) = probe(endpoint, adapter.name, [tokens], deadline_s)
    gap = gap_between(after, before).mean
    is_same = gap <= MEAN_FLOOR_NATS
    told = (
        f"{adapter.name}: unloaded in {took.unload_s:.3f} s, loaded in {took.load_s:.3f} s, first "
        f"token after {took.first_token_s:.3f} s, the next request's after {took.next_token_s:.3f}"
        + ("" if was_gone else "; it still answered when it was unloaded")
        + ("" if is_same else f"; loaded again it differs from itself by {gap:.3f} nats")
    )
    values = {
        "unload_s": took.unload_s,
        "load_s": took.load_s,
        "first_token_s": took.first_token_s,
        "next_token_s": took.next_token_s,
    }
    return _check(adapter.name, was_gone and is_same, told, values)


def _reload(endpoint: Loadable, adapter: ServedAdapter, deadline_s: float) -> tuple[bool, Loading]:
    unload: dict[str, object] = {"lora_name": adapter.name}
    unload_s = _timed(lambda: endpoint.order(UNLOAD, unload, deadline_s))
    was_gone = not _answers(endpoint, adapter.name, deadline_s)
    load: dict[str, object] = {"lora_name": adapter.name, "lora_path": str(adapter.folder)}
    load_s = _timed(lambda: endpoint.order(LOAD, load, deadline_s))
    first_s, next_s = (
        _timed(lambda: _ask(endpoint, adapter.name, deadline_s)) for _ in ("first", "next")
    )
    return was_gone, Loading(unload_s, load_s, first_s, next_s)


def _timed(act: Any) -> float:
    started = time.monotonic()
    act()
    return time.monotonic() - started


def _ask(endpoint: Loadable, name: str, deadline_s: float) -> None:
    body: dict[str, object] = {"prompt": "Hello", "max_tokens": 1, "temperature": 0}
    AskedAs(endpoint, name).post("/v1/completions", body, deadline_s)


def _answers(endpoint: Loadable, name: str, deadline_s: float) -> bool:
    try:
        _ask(endpoint, name, deadline_s)
    except EngineError:
        return False
    return True


def _check(name: str, passed: bool, reason: str, values: Mapping[str, float]) -> Check:
    return Check(
        stage="identity",
        name=f"{LOADING}{name}",
        passed=passed,
        reason=reason,
        values=dict(values),
    )
