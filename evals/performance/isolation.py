"""Does a tenant's salt keep its prefix cache to itself, and what does the cache save?

One long prompt is asked by a tenant twice, then by another, then twice without a salt. With salts
the second tenant must find nothing; without them the leak is shown: what one has sent, another's
request is answered faster for (NDSS 2025, "I Know What You Asked": timing of shared KV caches).

Example: 512 tokens in blocks of 128: the tenant itself finds 384 (the last token is always
computed), the other 0; without salts the second caller finds 384.
"""

import time
from collections.abc import Sequence
from typing import Any

from evals.results import Check
from evals.suites.served_scores import Served

PROMPT_TOKENS = 512
ASKED = (("own", "tenant-a"), ("own again", "tenant-a"), ("other", "tenant-b"),
         ("unsalted", None), ("unsalted again", None))  # fmt: skip


def check_isolation(served: Served, stream: Sequence[int], deadline_s: float) -> Check:
    """Ask five times; passed is None where the engine caches nothing or does not say."""
    prompt = list(stream[-PROMPT_TOKENS:])
    cached: dict[str, int | None] = {}
    took_ms: dict[str, float] = {}
    for name, salt in ASKED:
        cached[name], took_ms[name] = _ask(served, prompt, salt, deadline_s)
    own, other, leak = (cached[name] for name in ("own again", "other", "unsalted again"))
    saved_ms = took_ms["own"] - took_ms["own again"]
    values: dict[str, float | str | None] = {
        "own_cached_tokens": own, "other_cached_tokens": other, "unsalted_cached_tokens": leak,
        "prefill_saved_ms": saved_ms,
    }  # fmt: skip
    if not own or other is None:
        told = "the engine caches no prefix, or does not say how many tokens came from its cache"
        return Check(stage="isolation", name="tenants", passed=None, reason=told, values=values)
    told = (
        f"of {PROMPT_TOKENS} tokens a tenant found its own {own} again ({saved_ms:.0f} ms saved), "
        f"another tenant {other}; without salts another caller finds {leak}"
    )
    if other:
        told += ": the engine does not keep salted caches apart; serve tenants apart"
    return Check(stage="isolation", name="tenants", passed=not other, reason=told, values=values)


def _ask(
    served: Served, prompt: list[int], salt: str | None, deadline_s: float
) -> tuple[int | None, float]:
    body: dict[str, object] = {"prompt": prompt, "max_tokens": 1, "temperature": 0}
    if salt is not None:
        body["cache_salt"] = salt
    started = time.monotonic()
    answer: dict[str, Any] = served.post("/v1/completions", body, deadline_s)
    took_ms = (time.monotonic() - started) * 1000
    details = (answer.get("usage") or {}).get("prompt_tokens_details") or {}
    cached = details.get("cached_tokens")
    return cached if isinstance(cached, int) else None, took_ms
