"""Items that a calibration text has seen: they share a run of 13 words with it.

The rule is that of Brown et al., "Language Models are Few-Shot Learners" (2020), appendix C: an
overlap of 13-grams. Words are runs of letters and digits, in lower case. What is said in 6 to 12
words is shared where it is the same throughout: "Find the area of a triangle" is no 13-gram.

Example: of the 2,415 continuations cut from the evaluation half of the standard library's prose, 52
share 13 words with its calibration half (pdb's manual is there twice, as a module and as a topic).
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from evals.results import Check
from evals.suites.item import Item
from evals.suites.written import Question

DISJOINT = "calibration-disjoint"  # name of the look; a calibrated artifact needs it to pass
RUN = 13
SHORTEST = 6  # words that tell a question; "You are a helpful assistant." has 5
WORD = re.compile(r"\w+")
Runs = frozenset[tuple[str, ...]]


def runs_of(texts: Iterable[str]) -> Runs:
    """Collect every run of 13 words."""
    return frozenset(run for text in texts for run in _runs(text))


def has_seen(seen: Runs, item: Item | Question) -> bool:
    """Whether an item's context with its gold answer, or a question's messages, share a run."""
    return any(run in seen for text in _texts(item) for run in _runs(text))


def overlap_check(items: Sequence[Item | Question], texts: Iterable[str]) -> Check:
    """Look for items that the texts hold; any one fails."""
    seen = runs_of(texts)
    shared = [item.id for item in items if has_seen(seen, item)]
    told = f"{len(shared)} of {len(items)} items share {RUN} words with the calibration text"
    if shared:
        told += f", such as {shared[0]!r}; calibrate on other text, or leave them out of the suite"
    return Check(stage="audit", name=DISJOINT, passed=not shared, reason=told)


def _texts(item: Item | Question) -> list[str]:
    """Return a question's messages, each by itself and all together."""
    if isinstance(item, Question):
        said = [message["content"] for message in item.messages]
        return [*said, " ".join(said)]
    return [item.context + item.options[0]]


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    words = WORD.findall(text.lower())
    if SHORTEST <= len(words) < RUN:
        yield tuple(words)
    yield from (tuple(words[start : start + RUN]) for start in range(len(words) - RUN + 1))
