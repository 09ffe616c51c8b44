import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from evals.results import SuiteResult
from evals.suites import SUITES, WRITTEN
from evals.suites.asking import ask
from evals.suites.assignment import Assignment
from evals.suites.item import Request
from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer
from evals.suites.written import Answer, Mark, Question, WrittenSuite, questions_sha256
from tests.byte_tokenizer import write_tokenizer
from tests.evals.suites.cliffs.toy import other_row
from tests.evals.suites.conftest import Start
from tests.evals.suites.toy import AREA
from variants.engines.process import free_port
from variants.errors import MeasurementError

NUM = 40
ROWS: list[dict[str, object]] = [
    {
        "id": f"row-{base}",
        "question": [[{"role": "user", "content": f"The area of base {base} and height 5?"}]],
        "function": [AREA],
        "ground_truth": [{"area": {"base": [base], "height": [5], "unit": ["", "cm"]}}],
    }
    for base in range(70)
]
OTHERS: list[dict[str, object]] = [
    {
        "id": name,
        "question": [[{"role": "user", "content": asked}]],
        "function": functions,
        "ground_truth": truth,
    }
    for name, asked, functions, truth in map(other_row, range(40))
]  # tools to offer beside the one that is called
LISTED = {"simple_python.json": ROWS, "irrelevance.json": ROWS, "multiple.json": OTHERS}
Ask = Callable[..., SuiteResult]
# Those whose items these files can make; a conversation needs the APIs of the wheel.
MADE = {name: suite for name, suite in WRITTEN.items() if name != "multi-turn-calls"}


def mark(answer: Answer) -> Mark:
    is_right = answer.text == "yes"
    return Mark(is_right, not answer.text, "" if is_right else "no")


def questions(request: Request) -> tuple[Question, ...]:
    return tuple(
        Question(f"q{number}", f"c{number % 5}", f"Is it {number}?", 8, mark)
        for number in range(request.num_items)
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write an artifact's tokenizer, and list a suite of our own."""
    suite = WrittenSuite("toy", "here", "Apache-2.0", 0.0, "remainder", "says yes", questions)
    monkeypatch.setitem(SUITES, "toy", suite)
    return write_tokenizer(tmp_path / "artifact")


def asked(folder: Path, url: str, **fields: int) -> SuiteResult:
    writer = Writer(url, "scripted", tokenizer_of(folder))
    assignment = Assignment("toy", "variant", "engine", NUM, 1, {}, **fields)
    return ask(assignment, folder, writer)


def test_every_question_is_in_the_result_as_it_was_marked(folder: Path, served: Start) -> None:
    found = asked(folder, served(words="yes", ends="stop", tpot_ms=1).url)
    assert [sample.item for sample in found.samples] == [f"q{n}" for n in range(NUM)]
    assert {(s.is_correct, s.is_degenerate, s.is_cut, s.error) for s in found.samples} == {
        (True, False, False, "")
    }
    assert (found.num_issued, found.output_tokens) == (NUM, 8 * NUM)
    assert "40 of 40 right" in found.told()


def test_a_look_ends_a_suite_and_calls_off_what_has_not_begun(folder: Path, served: Start) -> None:
    server = served(words="no", ends="stop", tpot_ms=1)
    writer = Writer(server.url, "scripted", tokenizer_of(folder))
    assignment = Assignment("toy", "variant", "engine", 512, 1, {})
    found = ask(assignment, folder, writer, look=lambda so_far: "fail")
    assert (found.num_issued, found.num_planned, found.stopped) == (32, 512, "fail")
    told = httpx.get(f"{server.url}/metrics").text
    (line,) = [one for one in told.splitlines() if one.startswith("vllm:generation_tokens_total")]
    assert float(line.split()[-1]) < 8 * 256  # those in flight ended, the rest never began
    assert [sample.item for sample in found.samples] == [f"q{n}" for n in range(32)]


def test_a_cut_answer_is_marked_as_it_stands(folder: Path, served: Start) -> None:
    found = asked(folder, served(words="no").url)
    assert {(s.is_correct, s.is_cut, s.error) for s in found.samples} == {(False, True, "no")}


def test_a_question_that_fails_is_an_item_without_an_answer(folder: Path, served: Start) -> None:
    found = asked(folder, served(words="yes", fault="http_500", fault_every=4).url)
    unanswered = [s for s in found.samples if s.is_correct is None]
    assert len(unanswered) == NUM // 4
    assert {(s.is_degenerate, s.is_cut, s.error) for s in unanswered} == {(None, None, None)}


def test_a_baseline_that_does_not_answer_is_not_recorded(folder: Path, served: Start) -> None:
    writer = Writer(served(fault="http_500", fault_every=4).url, "scripted", tokenizer_of(folder))
    assignment = Assignment("toy", "baseline", "engine", NUM, 1, {})
    with pytest.raises(MeasurementError, match="10 of 40 questions of toy"):
        ask(assignment, folder, writer)


def test_what_the_engine_will_not_do_is_wrong(folder: Path, served: Start) -> None:
    found = asked(folder, served(words="yes", fault="http_400").url)
    assert {(s.is_correct, s.error) for s in found.samples} == {(False, "refused")}


def test_level_and_axis_reach_the_record(
    folder: Path, served: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def levelled(request: Request) -> tuple[Question, ...]:
        return tuple(
            replace(one, level=float(at % 2), in_flight=1 + at % 2)
            for at, one in enumerate(questions(request))
        )

    suite = replace(SUITES["toy"], items=levelled, axis="requests in flight")
    monkeypatch.setitem(SUITES, "toy", suite)
    found = asked(folder, served(words="yes", fault="http_500", fault_every=4).url)
    assert found.axis == "requests in flight"
    assert [sample.item for sample in found.samples] == [f"q{n}" for n in range(NUM)]
    assert [sample.level for sample in found.samples] == [float(n % 2) for n in range(NUM)]


def test_what_was_said_before_is_sent(folder: Path) -> None:
    writer = Writer("http://127.0.0.1:9", "m", tokenizer_of(folder))
    told = Question("q", "c", "Now?", 8, mark, before=(("system", "Be brief. "), ("user", "Hm. ")))
    assert tokenizer_of(folder).decode(writer.prompt(told)) == "Be brief. Hm. Now?"
    assert questions_sha256((told,)) != questions_sha256((replace(told, before=()),))


def test_a_silent_server_is_given_up(folder: Path) -> None:
    with pytest.raises(MeasurementError, match="in a row"):
        asked(folder, f"http://127.0.0.1:{free_port()}")


def test_both_arms_are_asked_the_same(folder: Path, served: Start) -> None:
    first, second = (asked(folder, served(words=words).url) for words in ("yes", "no"))
    assert first.items_sha256 == second.items_sha256
    assert [s.prompt_sha256 for s in first.samples] == [s.prompt_sha256 for s in second.samples]
    assert len({s.prompt_sha256 for s in first.samples}) == NUM
    fewer = asked(folder, served().url, num_asked=10)
    assert (fewer.num_issued, fewer.items_sha256) == (10, first.items_sha256)


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Give the leaderboard's files: 110 rows that want a call, 70 that want none."""
    found = {}
    for address in {address for suite in MADE.values() for address in suite.data}:
        member = address.rpartition("BFCL_v4_")[2]
        rows = LISTED.get(member, [])
        kept = (
            ["id", "ground_truth"]
            if "possible_answer" in address
            else ["id", "question", "function"]
        )
        path = tmp_path / f"{len(found)}.jsonl"
        path.write_text("".join(json.dumps({key: row[key] for key in kept}) + "\n" for row in rows))
        found[address] = str(path)
    return found


DRAWN = {name: suite for name, suite in MADE.items() if name != "safety-canaries"}  # always asked


@pytest.mark.parametrize("suite", list(DRAWN.values()), ids=list(DRAWN))
def test_items_of_every_suite_depend_on_the_seed_alone(
    suite: WrittenSuite, folder: Path, files: dict[str, str]
) -> None:
    requests = [Request(60, seed, tokenizer_of(folder), files) for seed in (1, 1, 2)]
    one, again, other = ([(q.id, q.words) for q in suite.items(r)] for r in requests)
    assert one == again != other
    assert len({name for name, _ in one}) == len(one) == 60


@pytest.mark.parametrize("suite", list(MADE.values()), ids=list(MADE))
def test_nothing_and_noise_are_never_right(
    suite: WrittenSuite, folder: Path, files: dict[str, str]
) -> None:
    for question in suite.items(Request(60, 1, tokenizer_of(folder), files)):
        for text in ("", " \n", "the the the the the the", "\ufffd\ufffd"):
            assert not question.mark(Answer(text)).is_correct, (question.id, text)
        assert question.mark(Answer("")).is_degenerate


def test_a_call_is_right_where_it_is_wanted(folder: Path, files: dict[str, str]) -> None:
    calling, abstaining = (
        [
            question
            for question in WRITTEN[name].items(Request(70, 1, tokenizer_of(folder), files))
            if question.id.startswith("row-")
        ]
        for name in ("written-calls", "irrelevance")
    )
    base = calling[0].id.removeprefix("row-")
    call = f"[area(base={base}, height=5)]"
    assert "The area of base" in calling[0].words
    assert calling[0].mark(Answer(call)).is_correct
    assert calling[0].mark(Answer(f"[area(base={base})]")).error == "missing_argument"
    assert calling[0].mark(Answer("It is 25.")).error == "parse_error"
    assert abstaining[0].mark(Answer("No function fits.")).is_correct
    assert abstaining[0].mark(Answer(call)).error == "called"


def test_a_call_through_the_api_is_no_text(folder: Path, files: dict[str, str]) -> None:
    drawn = WRITTEN["api-calls"].items(Request(70, 1, tokenizer_of(folder), files))
    first = next(question for question in drawn if question.id.startswith("row-"))
    base = first.id.removeprefix("row-")
    right = f'{{"base": {base}, "height": 5}}'
    (tool,) = json.loads(first.tools)
    assert (tool["type"], tool["function"]["name"]) == ("function", "area")
    assert tool["function"]["parameters"]["required"] == ["base", "height"]
    assert first.mark(Answer("", calls=(("area", right),))).is_correct
    assert first.mark(Answer("", calls=(("area", "{"),))).error == "parse_error"
    assert first.mark(Answer("", calls=(("volume", right),))).error == "hallucinated_call"
    assert first.mark(Answer(f"[area(base={base}, height=5)]")).error == "as_text"
    assert first.mark(Answer("It is large.")).error == "dropped"


def test_calls_come_back_as_the_server_gives_them(folder: Path, served: Start) -> None:
    asked_for = '[{"type": "function", "function": {"name": "area", "parameters": {}}}]'
    question = Question("q", "c", "Call it.", 8, mark, tools=asked_for)
    url = served(is_tool_call=True, tool="area", words='{"base": 10}').url
    (written,) = Writer(url, "scripted", tokenizer_of(folder)).write((question,))
    assert written.answer is not None
    assert written.answer.calls == (("area", '{"base": 10}'),)
    assert not written.answer.is_cut


def test_gold_is_right_and_a_fence_only_where_nothing_is_enforced(
    folder: Path, files: dict[str, str]
) -> None:
    free, held = (
        {q.id: q for q in WRITTEN[name].items(Request(200, 1, tokenizer_of(folder), files))}
        for name in ("json-free", "json-constrained")
    )
    gold = '{"plate": "KLM-4821"}'
    fenced = f"```json\n{gold}\n```"
    assert free["pattern-plate"].mark(Answer(gold)).is_correct
    assert free["pattern-plate"].mark(Answer(fenced)).is_correct
    assert free["pattern-plate"].mark(Answer('{"plate": "XYZ-9999"}')).is_correct
    assert held["pattern-plate"].mark(Answer(gold)).is_correct
    assert held["pattern-plate"].mark(Answer(fenced)).error == "text_around_json"
    assert held["pattern-plate"].mark(Answer('{"plate": "XYZ-9999"}')).error == "wrong_value"
    assert held["pattern-plate"].mark(Answer(gold, is_cut=True)).error == "cut_off"
    assert json.loads(held["pattern-plate"].schema)["required"] == ["plate"]
    assert free["pattern-plate"].schema == ""
