"""So many in flight, and no more; answers in the order of the questions."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from evals.suites.cliffs import base_of, load
from evals.suites.cliffs.load import levels_for
from evals.suites.item import Request
from evals.suites.writer import Writer
from evals.suites.written import Answer, Mark, Question
from tests.evals.suites.toy import CharacterTokenizer

LEVELS = (1, 2, 4, 8, 16, 32)


@pytest.mark.parametrize(
    ("num_items", "levels"),
    [
        (400, LEVELS),  # 66 questions at each
        (192, LEVELS),  # 32
        (191, LEVELS[:5]),  # 31 would never be 32; at five levels they are 38
        (60, LEVELS[:4]),  # 12 would never be 16
        (2, (1,)),  # 1 at each of two levels: never two at once
    ],
)
def test_a_number_in_flight_needs_as_many_questions(
    num_items: int, levels: tuple[int, ...]
) -> None:
    assert levels_for(num_items) == levels


def base_questions(request: Request) -> tuple[Question, ...]:
    return tuple(question(f"q{number}") for number in range(request.num_items))


def question(name: str, in_flight: int | None = None) -> Question:
    return Question(name, "c", name, 8, lambda _: Mark(True, False), in_flight=in_flight)


def test_all_base_questions_are_asked_at_each_number_before_the_next() -> None:
    found = load.questions(base_questions, Request(8, 1, CharacterTokenizer()))
    assert [one.id for one in found] == [
        *(f"q{n}@1" for n in range(4)), *(f"q{n}@2" for n in range(4)),
    ]  # fmt: skip
    assert [(one.level, one.in_flight) for one in found] == [(1, 1)] * 4 + [(2, 2)] * 4
    assert {one.words for one in found} == {base_of(one.id) for one in found}


def test_the_suites_ask_what_they_are_named_for() -> None:
    assert (load.JSON.id, load.JSON.axis) == ("json-at-load", "requests in flight")
    assert load.CALLS.rule.startswith("greedy")
    assert load.JSON.data and load.CALLS.data


class Crowd:
    """Counts how many requests are open at once, by what they ask; each waits for its company."""

    def __init__(self, expected: dict[str, int]) -> None:
        self.most: dict[str, int] = {}
        self._open: dict[str, int] = {}
        self._gates = {kind: threading.Barrier(num) for kind, num in expected.items()}
        self._lock = threading.Lock()

    def enter(self, kind: str) -> None:
        with self._lock:
            self._open[kind] = self._open.get(kind, 0) + 1
            self.most[kind] = max(self.most.get(kind, 0), sum(self._open.values()))
        self._gates[kind].wait(20)
        with self._lock:
            self._open[kind] -= 1


@contextmanager
def endpoint(crowd: Crowd) -> Iterator[str]:
    """Serve completions that name the first letter of what is asked."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            letter = chr(int(body.split('"prompt":[')[1].split(",")[0]))
            crowd.enter(letter)
            answer = (
                f'{{"choices": [{{"text": "{letter}", "finish_reason": "stop"}}], '
                '"usage": {"completion_tokens": 1}}'
            ).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.request_queue_size = 64
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def test_the_writer_keeps_exactly_so_many_in_flight() -> None:
    """Mixed questions: 20 at 20 (more than its usual 16), 3 at 1, 4 at 2; order as given."""
    crowd = Crowd({"a": 20, "b": 1, "c": 2})
    asked = [
        *(question(f"a{n}", 20) for n in range(20)),
        *(question(f"b{n}", 1) for n in range(3)),
        *(question(f"c{n}", 2) for n in range(4)),
    ]
    mixed = asked[::3] + asked[1::3] + asked[2::3]
    with endpoint(crowd) as url:
        written = list(Writer(url, "m", CharacterTokenizer()).write(tuple(mixed)))
    assert crowd.most == {"a": 20, "b": 1, "c": 2}
    assert [one.answer for one in written] == [Answer(one.words[0]) for one in mixed]
