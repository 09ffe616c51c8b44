"""A deterministic OpenAI-compatible endpoint: `python -m variants.engines.scripted`.

It stands in for an engine in known-answer tests of our own instruments: what it is told to do is
the right answer. It computes nothing; a number taken from it is never evidence about a model.

Example: ttft_ms=1000, tpot_ms=50, first_read_tokens=4 and 11 output tokens give a first read of 4
tokens after 1.0 s and 7 reads of one token 50 ms apart.
"""

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Literal

from pydantic import Field

from variants.engines.scripted_answers import (
    Answer,
    chunk,
    completion,
    error_object,
    models,
    parse_request,
    token_text,
    tokenization,
    usage_chunk,
)
from variants.engines.scripted_counters import Counters
from variants.engines.scripted_http import Call, Reply, serve
from variants.spec import Spec

DONE = b"data: [DONE]\n\n"
PING = b": ping\n\n"


class Script(Spec):
    """What the endpoint does with every completion it is asked for."""

    model: str = "scripted"
    ttft_ms: float = Field(default=0, ge=0, description="request read to first token")
    tpot_ms: float = Field(default=0, ge=0, description="per token after the first read")
    first_read_tokens: int = Field(default=1, ge=1, description="tokens in the first read")
    tokens_per_read: int = Field(default=1, ge=1, description="tokens in each later read")
    num_slots: int | None = Field(default=None, ge=1, description="requests run at once; None: all")
    has_role_chunk: bool = Field(default=False, description="a chunk without text comes at once")
    has_comments: bool = Field(default=False, description="a comment goes before every read")
    usage: Literal["each", "end", "none"] = Field(default="each", description="chunks with usage")
    missing_tokens: int = Field(default=0, ge=0, description="output tokens short of those asked")
    fault: Literal["none", "error", "no_finish", "no_done", "http_500", "hang"] = "none"
    fault_every: int = Field(default=1, ge=1, description="the fault strikes each n-th request")
    die_after: int | None = Field(
        default=None, ge=0, description="requests served before the process dies in mid-stream"
    )


class ScriptedEndpoint:
    """Routes calls, keeps the counters, and plays the script."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._counters = Counters(script.model)
        self._slots = asyncio.Semaphore(script.num_slots or sys.maxsize)
        self._routes: dict[tuple[str, str], Callable[[Call], Reply]] = {
            ("GET", "/health"): lambda call: Reply(),
            ("GET", "/v1/models"): lambda call: Reply.of_json(models(script.model)),
            ("GET", "/metrics"): lambda call: Reply.of_text(self._counters.render()),
            ("POST", "/tokenize"): lambda call: Reply.of_json(tokenization(call.json())),
            ("POST", "/reset_prefix_cache"): self._reset_prefix_cache,
            ("POST", "/v1/completions"): self._complete,
            ("POST", "/v1/chat/completions"): self._complete,
        }

    async def answer(self, call: Call) -> Reply:
        """Answer one HTTP call."""
        route = self._routes.get((call.method, call.path))
        if route is None:
            return Reply.of_json(error_object(f"no route {call.method} {call.path}"), status=404)
        return route(call)

    def _reset_prefix_cache(self, call: Call) -> Reply:
        self._counters.reset_prefix_cache()
        return Reply()

    def _complete(self, call: Call) -> Reply:
        request = parse_request(call.json(), is_chat="chat" in call.path)
        number = self._counters.count_request()
        fault = self._script.fault if number % self._script.fault_every == 0 else "none"
        if fault == "http_500":
            return Reply.of_json(error_object("scripted failure"), status=500)
        num_tokens = max(0, request.max_tokens - self._script.missing_tokens)
        answer = Answer(request, self._script.model, number, num_tokens)
        if request.is_streaming:
            return Reply(parts=self._stream(answer, fault), content_type="text/event-stream")
        return Reply(parts=self._whole(answer))

    async def _whole(self, answer: Answer) -> AsyncGenerator[bytes, None]:
        async with aclosing(self._reads(answer)) as reads:
            async for _ in reads:
                pass
        yield completion(answer)

    async def _stream(self, answer: Answer, fault: str) -> AsyncGenerator[bytes, None]:
        if self._script.has_role_chunk:
            yield chunk(answer, "", None, None)
        if fault == "hang":
            await asyncio.Event().wait()
        num_sent = 0
        async with aclosing(self._reads(answer)) as reads:
            async for num_new in reads:
                yield self._read(answer, range(num_sent + 1, num_sent + num_new + 1), fault)
                num_sent += num_new
                self._die_if_due(answer.number)
                if fault == "error":
                    break
        if fault == "error":
            yield f"data: {error_object('scripted error')}\n\n".encode()
        if self._script.usage != "none":
            yield usage_chunk(answer, num_sent)
        if fault != "no_done":
            yield DONE

    def _read(self, answer: Answer, indices: range, fault: str) -> bytes:
        """Shape one read: an event per token, in one write."""
        has_usage = self._script.usage == "each"
        return (PING if self._script.has_comments else b"") + b"".join(
            chunk(
                answer,
                token_text(index),
                self._finish(index, answer, fault),
                index if has_usage else None,
            )
            for index in indices
        )

    def _finish(self, index: int, answer: Answer, fault: str) -> str | None:
        return "length" if index == answer.num_tokens and fault != "no_finish" else None

    def _die_if_due(self, number: int) -> None:
        if self._script.die_after is not None and number > self._script.die_after:
            os._exit(1)

    async def _reads(self, answer: Answer) -> AsyncGenerator[int, None]:
        """Give the number of tokens of each read, when it is due."""
        with self._counters.track(answer.request.prompt) as track:
            async with self._slots:
                track.start()
                left, count = answer.num_tokens, self._script.first_read_tokens
                await asyncio.sleep(self._script.ttft_ms / 1e3)
                while left > 0:
                    count = min(count, left)
                    track.add_tokens(count)
                    yield count
                    left -= count
                    count = min(self._script.tokens_per_read, left)
                    await asyncio.sleep(count * self._script.tpot_ms / 1e3)


def main() -> None:
    """Serve until killed; the first line of standard output gives the address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--script", type=Path, help="JSON of a Script")
    options = parser.parse_args()
    script = Script()
    if options.script:
        script = Script.model_validate_json(options.script.read_bytes())
    asyncio.run(serve(ScriptedEndpoint(script).answer, options.port))


if __name__ == "__main__":
    main()
