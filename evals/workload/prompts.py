"""The texts that prompts are made of, and what a prefix cache will know of them by plan.

A text is a seeded nonce and a window of a real token stream: natural text behind a beginning that
no other has, so that no cache can answer it unless it was sent before (vLLM issue #52884).
"""

from collections.abc import Hashable, Sequence

from numpy.random import Generator

from evals.workload.plan import Text
from variants.errors import StudyError

NONCE_TOKENS = 8  # 64 distinct ids give 64**8 = 2.8e14 beginnings
MIN_DISTINCT_IDS = 64


class Texts:
    """Draws texts and numbers them."""

    def __init__(self, stream: Sequence[int], rng: Generator) -> None:
        """Cut from this stream.

        Raises:
            StudyError: too few distinct ids to begin differently.
        """
        self._ids = sorted(set(stream))
        if len(self._ids) < MIN_DISTINCT_IDS:
            raise StudyError(
                f"the token stream has {len(self._ids)} distinct ids; at least {MIN_DISTINCT_IDS} "
                "are needed so that prompts begin differently; give a longer text"
            )
        self._num_stream = len(stream)
        self._rng = rng
        self.drawn: list[Text] = []

    def draw(self, sizes: Sequence[int]) -> list[int]:
        """Draw a text of each size, and return their numbers.

        Raises:
            StudyError: the stream is shorter than a text.
        """
        if max(sizes, default=0) > self._num_stream:
            raise StudyError(
                f"the token stream has {self._num_stream} tokens and a prompt takes {max(sizes)}; "
                "give a longer text"
            )
        nonces = self._rng.choice(self._ids, size=(len(sizes), NONCE_TOKENS)).tolist()
        places = self._rng.random(len(sizes))
        first = len(self.drawn)
        for size, nonce, place in zip(sizes, nonces, places, strict=True):
            num_window = size - min(size, NONCE_TOKENS)
            start = int(place * (self._num_stream - num_window + 1))
            text = Text(nonce=tuple(nonce[:size]), start=start, num_tokens=num_window)
            self.drawn.append(text)
        return list(range(first, len(self.drawn)))


class PrefixCache:
    """Which beginnings have been sent, as a cache that forgets nothing would know them."""

    def __init__(self, texts: Sequence[Text]) -> None:
        """Know nothing yet."""
        self._texts = texts
        self._known: set[tuple[Hashable, tuple[int, ...]]] = set()

    def ask(self, prompt: tuple[int, ...], owner: Hashable) -> int:
        """Return how many leading tokens of a prompt its owner has sent before, and learn it.

        Example: texts of 40 and 8 tokens; (0, 1) is asked twice by one owner: 0, then 48. Asked
        as (0, 2) it is 40, and by another owner 0.
        """
        num_known, is_known = 0, True
        for end, place in enumerate(prompt, 1):
            beginning = owner, prompt[:end]
            is_known = is_known and beginning in self._known
            num_known += self._texts[place].size if is_known else 0
            self._known.add(beginning)
        return num_known
