from typing import Any

import pytest

from evals.performance.isolation import PROMPT_TOKENS, check_isolation

BLOCK = 128


class Engine:
    """Caches whole blocks but for the last token, under the salt, if it heeds salts."""

    def __init__(self, *, heeds: bool = True, caches: bool = True, tells: bool = True) -> None:
        self.heeds, self.caches, self.tells = heeds, caches, tells
        self.known: set[object] = set()

    def post(self, path: str, body: dict[str, Any], timeout_s: float) -> Any:
        salt = body.get("cache_salt") if self.heeds else None
        is_known = salt in self.known
        self.known |= {salt} if self.caches else set()
        cached = (len(body["prompt"]) - 1) // BLOCK * BLOCK if is_known else 0
        usage = {"prompt_tokens_details": {"cached_tokens": cached}} if self.tells else {}
        return {"usage": usage}


@pytest.mark.parametrize(
    ("engine", "passed", "words"),
    [
        (Engine(), True, "found its own 384 again"),
        (Engine(heeds=False), False, "does not keep salted caches apart"),
        (Engine(caches=False), None, "caches no prefix"),
        (Engine(tells=False), None, "does not say"),
    ],
)
def test_isolation(engine: Engine, passed: bool | None, words: str) -> None:
    check = check_isolation(engine, range(2000), 1.0)
    assert check.passed is passed
    assert words in check.reason
    assert PROMPT_TOKENS == 512


def test_without_salts_the_leak_is_shown() -> None:
    check = check_isolation(Engine(), range(2000), 1.0)
    assert check.values["other_cached_tokens"] == 0
    assert check.values["unsalted_cached_tokens"] == 384
    assert "without salts another caller finds 384" in check.reason
