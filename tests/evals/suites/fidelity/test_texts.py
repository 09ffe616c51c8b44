import json
from collections import Counter

import pytest

from evals.suites.fidelity import chats as written
from evals.suites.fidelity.chats import CHATS, Chat, Piece, chats
from evals.suites.fidelity.texts import (
    DOCUMENTS,
    LONG_PASSAGES,
    PROMPT_TOKENS,
    TOKENS,
    TOKENS_PER_BUCKET,
    Text,
    digest_of,
    read_chat,
    texts,
)
from evals.suites.fidelity.token_rows import LABELS
from evals.suites.item import Spanned
from evals.suites.safety.answer_class import classify
from variants.errors import MeasurementError


class Characters:
    """A tokenizer: a token is a character; a chat is its words and a colon."""

    def encode(self, text: str) -> list[int]:
        return [ord(character) for character in text]

    def spans(self, text: str) -> list[Spanned]:
        return [Spanned(ord(mark), at, at + 1) for at, mark in enumerate(text)]

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        return "".join(f"{one['role']} {one['content']}\n" for one in messages) + "assistant:"


@pytest.fixture(scope="module")
def every() -> tuple[Text, ...]:
    return texts(Characters(), 8192)


def told(text: Text, label: str) -> str:
    scored = zip(text.positions, text.labels, strict=True)
    return "".join(chr(text.tokens[at]) for at, one in scored if one == label)


def test_the_screen_is_what_it_was(every: tuple[Text, ...]) -> None:
    """The gate's limits are about 16 passages of 128 tokens, each scored from the second on."""
    screen = [text for text in every if text.part == "screen"]
    assert len(screen) == DOCUMENTS == 16
    for text in screen:
        assert len(text.tokens) == TOKENS + 1 == 129
        assert text.positions == tuple(range(1, 129))
        assert set(text.labels) == {"prose"}


def test_every_slice_has_as_many_passages_as_there_are_chats_of_its_kind(
    every: tuple[Text, ...],
) -> None:
    chat = [text for text in every if text.part == "chat"]
    found = Counter(label for text in chat for label in set(text.labels))
    assert found == {
        "prompt": 4 * CHATS, "answer": 3 * CHATS, "tool-call": CHATS, "json-punctuation": CHATS,
        "refusal-prefix": CHATS,
    }  # fmt: skip
    assert set(found) | {"prose"} == set(LABELS)


def test_only_the_end_of_a_prompt_is_scored(every: tuple[Text, ...]) -> None:
    for text in every:
        if text.part == "chat":
            assert told(text, "prompt").endswith("assistant:")
            assert len(told(text, "prompt")) == PROMPT_TOKENS


def test_the_parts_of_a_turn_are_told_apart(every: tuple[Text, ...]) -> None:
    by_id = {text.passage: text for text in every}
    for chat in chats():
        text = by_id[chat.id]
        for label in ("tool-call", "refusal-prefix"):
            said = "".join(piece.text for piece in chat.pieces if piece.label == label)
            assert told(text, label) == said
    compact = told(by_id["object-0"], "json-punctuation")
    assert set(compact) <= set('{}[]":,')
    assert compact.startswith('{"":"",')
    assert "{" not in told(by_id["object-0"], "answer")


def test_a_token_belongs_to_where_it_begins() -> None:
    """Tokens of two characters over the prompt `ask:` and the pieces `No.` and ` Go`."""

    class Pairs(Characters):
        def spans(self, text: str) -> list[Spanned]:
            return [Spanned(at, at, min(at + 2, len(text))) for at in range(0, len(text), 2)]

        def render_chat(self, messages: list[dict[str, str]]) -> str:
            return "ask:"

    pieces = (Piece("No.", "refusal-prefix"), Piece(" Go", "answer"))
    only = Chat("one", (("user", "u"),), pieces)
    text = read_chat(Pairs(), only)
    # as|k:|No|. |Go
    assert text.labels == ("prompt", "refusal-prefix", "refusal-prefix", "answer")


def test_long_passages_are_scored_alike_in_every_bucket(every: tuple[Text, ...]) -> None:
    found = [text for text in every if text.part == "long"]
    assert len(found) == LONG_PASSAGES
    for text in found:
        assert len(text.tokens) == 2048
        buckets = Counter(max(8, position.bit_length()) for position in text.positions)
        assert buckets == dict.fromkeys((8, 9, 10, 11), TOKENS_PER_BUCKET)
        assert (text.positions[0], text.positions[-1]) == (1, 2047)
        assert list(text.positions) == sorted(set(text.positions))


def test_a_short_context_has_fewer_buckets() -> None:
    assert {len(t.tokens) for t in texts(Characters(), 1500) if t.part == "long"} == {1024}
    assert [t for t in texts(Characters(), 200) if t.part == "long"] == []


def test_texts_are_the_same_every_time_and_named_by_content(every: tuple[Text, ...]) -> None:
    assert digest_of(texts(Characters(), 8192)) == digest_of(every)
    assert digest_of(every[1:]) != digest_of(every)


def test_a_text_with_nothing_to_score_is_refused() -> None:
    for tokens, positions, labels in (((1,), (), ()), ((1, 2), (2,), ("prose",)),
                                      ((1, 2), (0,), ("prose",))):  # fmt: skip
        with pytest.raises(MeasurementError, match="nothing to score"):
            Text("a", "long", tokens, positions, labels)


def test_chats_are_drawn_by_seed() -> None:
    assert chats(3) == chats(3)
    assert chats(3) != chats(4)
    assert len({chat.id for chat in chats()}) == 4 * CHATS


def test_no_slot_is_left_open() -> None:
    frames = written.FILE.read_text()
    for chat in chats():
        said = " ".join(
            [*(content for _, content in chat.messages), *(p.text for p in chat.pieces)]
        )
        for slot in ("name", "city", "day", "item", "food", "count"):
            assert f"{{{slot}}}" in frames
            assert f"{{{slot}}}" not in said


def test_objects_and_half_of_the_calls_are_json() -> None:
    objects = [chat.pieces[0].text for chat in chats() if chat.id.startswith("object")]
    assert all(isinstance(json.loads(text), dict) for text in objects)
    assert sum("\n" in text for text in objects) == CHATS / 2
    calls = [chat.pieces[0].text for chat in chats() if chat.id.startswith("call")]
    as_json = [json.loads(text) for text in calls if text.startswith("{")]
    assert len(as_json) == CHATS / 2
    assert all(set(call) == {"name", "arguments"} for call in as_json)
    counts = [value for call in as_json for value in call["arguments"].values()]
    assert any(isinstance(value, int) for value in counts), "a number stays a number"


def test_refusals_are_refusals() -> None:
    found = [chat for chat in chats() if chat.id.startswith("refusal")]
    for chat in found:
        prefix, rest = chat.pieces
        assert classify(prefix.text).answer_class == "refusal", prefix.text
        assert rest.text.startswith(" ")
    assert len({chat.messages for chat in found}) == CHATS
