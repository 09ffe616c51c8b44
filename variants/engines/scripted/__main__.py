"""A deterministic OpenAI-compatible endpoint: `python -m variants.engines.scripted`."""

import argparse
from collections.abc import Callable
from pathlib import Path

from variants.engines.scripted.answers import (
    Answer,
    error_object,
    models,
    parse_request,
    tokenization,
)
from variants.engines.scripted.counters import Counters
from variants.engines.scripted.script import Script
from variants.engines.scripted.server import Server
from variants.engines.scripted.timeline import Timelines, whole
from variants.engines.scripted.wire import Call, Reply


class ScriptedEndpoint:
    """Routes calls, keeps the counters, and answers by the script."""

    def __init__(self, script: Script) -> None:
        """Listen nowhere yet."""
        self._script = script
        self._counters = Counters(script)
        self._timelines = Timelines(script)
        self._server = Server(self.answer, script.num_slots, script.accept_delay_ms)
        self._routes: dict[tuple[str, str], Callable[[Call], Reply]] = {
            ("GET", "/health"): lambda call: Reply(),
            ("GET", "/v1/models"): lambda call: Reply.of_json(models(script.model)),
            ("GET", "/metrics"): lambda call: Reply.of_text(self._counters.render()),
            ("GET", "/truth"): lambda call: Reply.of_json(self._server.truth.render()),
            ("POST", "/tokenize"): lambda call: Reply.of_json(tokenization(call.json())),
            ("POST", "/reset_prefix_cache"): self._reset_prefix_cache,
            ("POST", "/v1/completions"): self._complete,
            ("POST", "/v1/chat/completions"): self._complete,
        }

    def serve(self, port: int) -> None:
        """Serve until killed."""
        self._server.run(port)

    def answer(self, call: Call) -> Reply:
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
        script, number = self._script, self._counters.count_request()
        fault = script.fault_of(number)
        if fault in ("http_400", "http_500"):
            return Reply.of_json(error_object("scripted failure"), status=int(fault[-3:]))
        answer = Answer(
            model=script.model,
            is_chat=request.is_chat,
            num_prompt=len(request.prompt),
            num_tokens=max(0, request.max_tokens - script.missing_tokens),
            num_reasoning=script.num_reasoning,
            is_tool_call=script.is_tool_call,
            is_accented=script.is_accented,
            words=script.words,
            tool=script.tool,
            ends=script.ends,
        )
        watcher = self._counters.track(request.prompt)
        if not request.is_streaming:
            return Reply(timeline=whole(script, answer, request), watcher=watcher)
        dies = script.die_after is not None and number > script.die_after
        return Reply(
            content_type="text/event-stream",
            timeline=self._timelines.streamed(answer, fault, dies),
            watcher=watcher,
        )


def main() -> None:
    """Serve until killed; the first line of standard output gives the address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--script", type=Path, help="JSON of a Script")
    options = parser.parse_args()
    script = Script()
    if options.script:
        script = Script.model_validate_json(options.script.read_bytes())
    ScriptedEndpoint(script).serve(options.port)


if __name__ == "__main__":
    main()
