"""Seeded calibration data: token sequences whose content digest travels with the artifact.

The text is the calibration half of `variants.prose`, disjoint from everything a suite or the
fidelity screen reads.
"""

import random
from collections.abc import Callable

from variants.errors import BuildError
from variants.fingerprint import fingerprint, sha256_text
from variants.prose import passages
from variants.spec import Calibration

Encode = Callable[[str], list[int]]


def calibration_texts() -> tuple[str, ...]:
    """Return the passages that calibration is drawn from."""
    return tuple(passages("calibration").values())


def corpus_sha256() -> str:
    """Digest the whole text that calibration is drawn from (it depends on the Python version)."""
    return sha256_text("\n".join(calibration_texts()))


def draw(calibration: Calibration, encode: Encode) -> tuple[list[list[int]], str]:
    """Cut `num_samples` sequences at seeded places; return them and their digest.

    Shapes: num_samples x sequence_tokens.

    Raises:
        BuildError: the corpus is shorter than one sequence.
    """
    tokens = encode("\n\n".join(calibration_texts()))
    length = calibration.sequence_tokens
    if len(tokens) <= length:
        raise BuildError(
            f"calibration corpus holds {len(tokens)} tokens, one sequence needs {length}; "
            "ask for shorter sequences"
        )
    generator = random.Random(calibration.seed)
    starts = [generator.randrange(len(tokens) - length) for _ in range(calibration.num_samples)]
    sequences = [tokens[start : start + length] for start in starts]
    return sequences, fingerprint(sequences)
