"""Whether a text is language at all: neither empty nor mostly repeating itself.

Degenerate: more than half of the runs of three words stand earlier in the text, or, where it is
written without spaces, more than half of the runs of eight characters. Greedy text of a small model
now and then falls into a loop by itself, so one such answer decides nothing.

Example: "the the the the the the": 4 runs of three words, 3 of them seen before: share .75.
"assistant" sixty times in one word: 533 runs of eight characters, 9 of them new: share .98.
"""

from collections.abc import Hashable, Sequence

RUN_WORDS = 3
RUN_CHARACTERS = 8
FEWEST_CHARACTERS = 32  # below, a word may well repeat a syllable
MAX_REPEATED = 0.5


def is_degenerate(text: str) -> bool:
    """Whether a text is empty or mostly repeats itself."""
    return not text.split() or max(repeated_share(text), _repeated_characters(text)) > MAX_REPEATED


def repeated_share(text: str) -> float:
    """Return the share of three-word runs that stand earlier in the text."""
    words = text.split()
    return _seen_before(
        [tuple(words[at : at + RUN_WORDS]) for at in range(len(words) - RUN_WORDS + 1)]
    )


def _repeated_characters(text: str) -> float:
    """Return the same of runs of characters, within the longest word."""
    longest = max(text.split(), key=len, default="")
    if len(longest) < FEWEST_CHARACTERS:
        return 0.0
    places = range(len(longest) - RUN_CHARACTERS + 1)
    return _seen_before([longest[at : at + RUN_CHARACTERS] for at in places])


def _seen_before(runs: Sequence[Hashable]) -> float:
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
