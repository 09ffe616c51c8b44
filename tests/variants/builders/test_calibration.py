import pytest

from variants.builders.calibration import Reader, draw, reader_of
from variants.calibration import Request, requests_of
from variants.errors import RecipeError
from variants.fingerprint import fingerprint
from variants.prose import passages
from variants.spec import Calibration


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
