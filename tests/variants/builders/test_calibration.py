from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from tests.byte_tokenizer import write_tokenizer
from variants.builders.calibration import Reader, draw, reader_of
from variants.calibration import Request, requests_of
from variants.errors import RecipeError
from variants.fingerprint import fingerprint
from variants.prose import passages
from variants.specs.spec import Calibration


def encode(text: str) -> list[int]:
    return list(text.encode())


READER = Reader(encode, lambda request: f"<{request.words}>")
SMALL = Calibration(num_samples=3, sequence_tokens=64, seed=7)
PROSE = requests_of(SMALL, {})


def chats(*words: str) -> list[Request]:
    return [Request(messages=({"role": "user", "content": one},)) for one in words]


def test_a_draw_has_its_shape_and_the_digest_of_its_content() -> None:
    sequences, digest = draw(SMALL, PROSE, READER)
    assert [len(sequence) for sequence in sequences] == [64, 64, 64]
    assert digest == fingerprint(sequences)


@pytest.mark.parametrize("requests", [PROSE, chats(*("ab" * number for number in range(1, 60)))])
def test_the_seed_decides_the_draw(requests: list[Request]) -> None:
    assert draw(SMALL, requests, READER) == draw(SMALL, requests, READER)
    other = draw(SMALL.model_copy(update={"seed": 8}), requests, READER)
    assert other[1] != draw(SMALL, requests, READER)[1]


def test_what_is_drawn_stands_in_the_calibration_half_alone() -> None:
    calibration = "\n\n".join(passages("calibration").values())
    evaluation = "\n\n".join(passages("evaluation").values())
    for sequence in draw(SMALL, PROSE, READER)[0]:
        text = bytes(sequence).decode(errors="ignore")
        assert text in calibration
        assert text not in evaluation


def test_a_corpus_shorter_than_a_sequence_is_refused() -> None:
    with pytest.raises(RecipeError, match="corpus holds 5 tokens, one sequence needs 64"):
        draw(SMALL, [Request(text="abcde")], READER)


def test_a_sequence_begins_with_a_chat_and_is_filled_with_the_next() -> None:
    asked = Calibration(num_samples=2, sequence_tokens=16)
    sequences, _ = draw(asked, chats(*["abcdefgh"] * 4), READER)  # <abcdefgh> has 10 tokens
    assert [bytes(row).decode() for row in sequences] == ["<abcdefgh><abcde"] * 2


def test_no_chat_is_used_twice() -> None:
    asked = Calibration(num_samples=3, sequence_tokens=16)
    with pytest.raises(RecipeError, match="of 4 requests fills 2 sequences of 16 tokens, 3 are"):
        draw(asked, chats(*["abcdefgh"] * 4), READER)


def test_a_base_without_a_template_takes_no_chats() -> None:
    class Tokenizer:
        chat_template = None

    with pytest.raises(RecipeError, match="has no chat template"):
        reader_of(Tokenizer()).render(chats("a")[0])


CALL = Request(
    messages=(
        {"role": "user", "content": "Rome?"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"function": {"name": "load", "arguments": {"city": "Rome"}}}],
        },
    ),
    tools=({"type": "function", "function": {"name": "load", "parameters": {}}},),
)


@pytest.mark.parametrize(
    ("template", "rendered"),
    [
        # knows tools, and writes them its own way
        (
            "{% for t in tools or [] %}<{{ t.function.name }}>{% endfor %}"
            "{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}"
            "<{{ c.function.name }}!>{% endfor %}{% endfor %}",
            "<load>Rome?<load!>",
        ),
        # knows none: they are written out in words
        (
            "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}",
            "[system]You may call these functions; to call, answer with JSON of name and "
            'arguments:\n{"name": "load", "parameters": {}}[user]Rome?'
            '[assistant][{"name": "load", "arguments": {"city": "Rome"}}]',
        ),
    ],
)
def test_tools_are_never_dropped(tmp_path: Path, template: str, rendered: str) -> None:
    assert reader_of(tokenizer(tmp_path, template)).render(CALL) == rendered


def test_a_template_that_refuses_is_a_verdict(tmp_path: Path) -> None:
    refusing = tokenizer(tmp_path, "{{ raise_exception('no system here') }}")
    with pytest.raises(RecipeError, match="refuses a calibration request of user: no system here"):
        reader_of(refusing).render(chats("a")[0])


def tokenizer(folder: Path, template: str) -> Any:
    loaded = AutoTokenizer.from_pretrained(write_tokenizer(folder))
    loaded.chat_template = template
    return loaded
