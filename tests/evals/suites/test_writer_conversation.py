"""Questions whose next message depends on the answers so far."""

import httpx
import pytest

from evals.suites.tokenizer import tokenizer_of
from evals.suites.writer import Writer
from evals.suites.written import Answer, Mark, Message, Question, questions_sha256
from tests.byte_tokenizer import write_tokenizer
from tests.evals.suites.conftest import Start

TURNS = 3


def follow(answer: Answer) -> list[Message] | None:
    """Ask three times, each time with everything before."""
    texts = (*answer.earlier, answer.text)
    if len(texts) == TURNS:
        return None
    return [{"role": "user", "content": "Again?"}, {"role": "assistant", "content": "".join(texts)}]


def mark(answer: Answer) -> Mark:
    return Mark((*answer.earlier, answer.text) == ("yes",) * TURNS, False)


def question(number: int = 0) -> Question:
    return Question(f"q{number}", "c", f"Is it {number}?", 8, mark, follow=follow)


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> object:
    return write_tokenizer(tmp_path_factory.mktemp("artifact"))


def written(folder: object, url: str, *questions: Question) -> list[tuple[Answer | None, int]]:
    writer = Writer(url, "scripted", tokenizer_of(folder))  # type: ignore[arg-type]
    return [(one.answer, one.num_tokens) for one in writer.write(questions)]


def num_requests(url: str) -> float:
    text = httpx.get(f"{url}/metrics").text
    lines = [one for one in text.splitlines() if "request_success_total" in one and one[0] != "#"]
    return sum(float(one.split()[-1]) for one in lines)


def test_a_conversation_is_one_answer_with_the_earlier_ones(folder: object, served: Start) -> None:
    url = served(words="yes", ends="stop", tpot_ms=1).url
    ((answer, num_tokens),) = written(folder, url, question())
    assert answer == Answer("yes", earlier=("yes", "yes"))
    assert num_tokens == 8 * TURNS
    assert question().mark(answer).is_correct


def test_questions_are_answered_in_their_order_whoever_talks_longer(
    folder: object, served: Start
) -> None:
    url = served(words="yes", ends="stop", tpot_ms=1).url
    single = Question("s", "c", "Is it?", 8, mark)
    found = written(folder, url, question(1), single, question(2))
    assert [tokens for _, tokens in found] == [24, 8, 24]
    assert [answer and len(answer.earlier) for answer, _ in found] == [2, 0, 2]


def test_a_conversation_is_cut_where_one_of_its_answers_was(folder: object, served: Start) -> None:
    ((answer, _),) = written(folder, served(words="yes").url, question())
    assert answer == Answer("yes", is_cut=True, earlier=("yes", "yes"))


def test_a_conversation_fails_with_any_of_its_answers(folder: object, served: Start) -> None:
    url = served(words="yes", ends="stop", fault="http_500", fault_every=2).url
    ((answer, num_tokens),) = written(folder, url, question())
    assert answer is None
    assert num_tokens == 8  # the first was written


def test_a_refusal_ends_a_conversation(folder: object, served: Start) -> None:
    url = served(words="yes", ends="stop", fault="http_400", fault_every=2).url
    ((answer, _),) = written(folder, url, question())
    assert answer is not None
    assert answer.refusal
    assert answer.earlier == ("yes",)


def test_what_follows_is_no_part_of_the_digest_of_the_questions() -> None:
    single = Question("q0", "c", "Is it 0?", 8, mark)
    assert questions_sha256((single,)) == questions_sha256((question(),))
