"""Whether a text is language at all: neither empty nor mostly repeating itself.

Degenerate: more than half of the runs of three words stand earlier in the text. Greedy text of a
small model now and then falls into a loop by itself, so one such answer decides nothing.

Example: "the the the the the the": 4 runs of three words, 3 of them seen before: share .75.
"""

RUN_WORDS = 3
MAX_REPEATED = 0.5


def is_degenerate(text: str) -> bool:
    """Whether a text is empty or mostly repeats itself."""
    return not text.split() or repeated_share(text) > MAX_REPEATED


def repeated_share(text: str) -> float:
    """Return the share of three-word runs that stand earlier in the text."""
    words = text.split()
    runs = [tuple(words[start : start + RUN_WORDS]) for start in range(len(words) - RUN_WORDS + 1)]
    return 1 - len(set(runs)) / len(runs) if runs else 0.0
