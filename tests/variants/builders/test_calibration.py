import pytest

from variants.builders.calibration import corpus_sha256, draw
from variants.errors import BuildError
from variants.fingerprint import fingerprint
from variants.prose import passages
from variants.spec import Calibration


def encode(text: str) -> list[int]:
    return list(text.encode())


SMALL = Calibration(num_samples=3, sequence_tokens=64, seed=7)


def test_a_draw_has_its_shape_and_the_digest_of_its_content() -> None:
    sequences, digest = draw(SMALL, encode)
    assert [len(sequence) for sequence in sequences] == [64, 64, 64]
    assert digest == fingerprint(sequences)


def test_the_seed_decides_the_draw() -> None:
    assert draw(SMALL, encode) == draw(SMALL, encode)
    other = draw(SMALL.model_copy(update={"seed": 8}), encode)
    assert other[1] != draw(SMALL, encode)[1]


def test_what_is_drawn_stands_in_the_calibration_half_alone() -> None:
    calibration = "\n\n".join(passages("calibration").values())
    evaluation = "\n\n".join(passages("evaluation").values())
    for sequence in draw(SMALL, encode)[0]:
        text = bytes(sequence).decode(errors="ignore")
        assert text in calibration
        assert text not in evaluation


def test_the_corpus_has_one_digest() -> None:
    assert corpus_sha256() == corpus_sha256()
    assert len(corpus_sha256()) == 64


def test_a_corpus_shorter_than_a_sequence_is_refused() -> None:
    with pytest.raises(BuildError, match="corpus holds 5 tokens, one sequence needs 64"):
        draw(SMALL, lambda text: encode(text[:5]))
