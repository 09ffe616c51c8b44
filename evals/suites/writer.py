"""Have a served variant write its answers to a suite (adapter over httpx).

Questions are rendered by the artifact's own chat template and sent as token ids, so no second
tokenization can differ between the arms; only those with tools go as a chat, for it is the server
that knows how its model is told of tools. Answers are greedy and end when the model ends them.
Enough questions are in flight that the engine always has a batch. One that fails is an item without
an answer, never a repeated one; a conversation fails with any of its answers.
"""

import json
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import httpx

from evals.suites.item import Tokenizer
from evals.suites.silence import Silence
from evals.suites.written import Answer, Message, Question

IN_FLIGHT = 16
TIMEOUT_S = 300.0
REFUSED = (400, 422)  # this request, and every time: a schema the engine does not take
MAX_WORDS = 300  # characters
ENDINGS = ("stop", "length", "tool_calls")


@dataclass(frozen=True, slots=True)
class Written:
    """One answer, or the last of a conversation with the earlier ones, and what it took."""

    answer: Answer | None  # None: none came
    num_tokens: int
    why: str = ""  # none came


class Writer:
    """Asks one endpoint."""

    def __init__(
        self, url: str, served_name: str, tokenizer: Tokenizer, timeout_s: float = TIMEOUT_S
    ) -> None:
        """Keep one connection pool, and one count of silence."""
        self._served_name = served_name
        self._tokenizer = tokenizer
        # the threads of a level bound it; a kept connection may be closed just as it is used
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=0)
        self._client = httpx.Client(base_url=url, timeout=timeout_s, limits=limits)
        self._silence = Silence(IN_FLIGHT)

    def prompt(self, question: Question) -> list[int]:
        """Return the token ids that a question is asked by, at first."""
        return self._encoded(question.messages)

    def write(self, questions: tuple[Question, ...]) -> Generator[Written]:
        """Ask all, and give the answers in the order of the questions.

        Questions that name a number in flight are asked together, so many at once, and nothing else
        meanwhile: one number after the other, as they first come.

        Raises:
            MeasurementError: the last 16 requests brought nothing back, not even an error.
        """
        ready: dict[int, Written] = {}
        num_given = 0
        for place, written in self._by_level(questions):
            ready[place] = written
            while num_given in ready:
                yield ready.pop(num_given)
                num_given += 1

    def _by_level(self, questions: tuple[Question, ...]) -> Iterator[tuple[int, Written]]:
        """Give each answer with its question's place, level by level."""
        for level in dict.fromkeys(question.in_flight for question in questions):
            places = [at for at, one in enumerate(questions) if one.in_flight == level]
            pool = ThreadPoolExecutor(level or IN_FLIGHT)
            try:
                answers = pool.map(self._ask, [questions[place] for place in places])
                yield from zip(places, answers, strict=True)
            finally:  # nobody reads on: what has not begun never does
                pool.shutdown(cancel_futures=True)

    def _ask(self, question: Question) -> Written:
        """Ask until the conversation is over; most are after one answer."""
        said = self._say(question, question.messages)
        while question.follow and said.answer is not None and not said.answer.refusal:
            messages = question.follow(said.answer)
            if messages is None:
                break
            said = _joined(said.answer, said.num_tokens, self._say(question, messages))
        return said

    def _say(self, question: Question, messages: list[Message]) -> Written:
        self._silence.check()
        path = "/v1/chat/completions" if question.tools else "/v1/completions"
        try:
            answer = self._client.post(path, json=self._body(question, messages))
            self._silence.end()
            if answer.status_code in REFUSED:
                return Written(Answer("", refusal=answer.text[:MAX_WORDS]), 0)
            answer.raise_for_status()
            return _read(answer.json())
        except httpx.TransportError as error:
            self._silence.add(error)
            return Written(None, 0, _told(error))
        except (httpx.HTTPError, AttributeError, KeyError, IndexError, TypeError, ValueError) as e:
            return Written(None, 0, _told(e))

    def _body(self, question: Question, messages: list[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self._served_name,
            "max_tokens": question.max_tokens,
            "temperature": 0,
        }
        if question.tools:
            tools = json.loads(question.tools)
            return body | {"messages": messages, "tools": tools, "tool_choice": "auto"}
        body["prompt"] = self._encoded(messages)
        if question.schema:
            schema = {"name": "answer", "schema": json.loads(question.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return body

    def _encoded(self, messages: list[Message]) -> list[int]:
        return self._tokenizer.encode(self._tokenizer.render_chat(messages))


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:MAX_WORDS]


def _joined(before: Answer, num_tokens: int, written: Written) -> Written:
    """Put an answer behind those before it."""
    answer = written.answer and replace(
        written.answer,
        earlier=(*before.earlier, before.text),
        is_cut=before.is_cut or written.answer.is_cut,
    )
    return Written(answer, num_tokens + written.num_tokens, written.why)


def _read(body: dict[str, Any]) -> Written:
    choice = body["choices"][0]
    said = choice.get("message")
    text = choice["text"] if said is None else said.get("content") or ""
    reason = choice["finish_reason"]
    if not isinstance(text, str) or reason not in ENDINGS:
        raise ValueError(f"no whole answer: finish_reason {reason!r}")
    called = (one["function"] for one in (said or {}).get("tool_calls") or ())
    calls = tuple((str(one["name"]), str(one["arguments"])) for one in called)
    return Written(Answer(text, reason == "length", calls), int(body["usage"]["completion_tokens"]))
