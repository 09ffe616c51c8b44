"""Which kinds of instruction are never asked together: one would break the other, or leave it open.

Two kinds are in conflict when one stands on the left and the other on the right of a line below.
What parameters could spoil (a keyword that is forbidden too) is kept apart in
`evals.suites.instructions.vocabulary`.

Example: `no-commas` and `json-object` are in conflict, since two keys need a comma between them;
`no-commas` and `keywords` are not.
"""

from dataclasses import dataclass

from evals.suites.instructions.kinds import KINDS

WORD_COUNTS = frozenset({"words-at-least", "words-at-most", "words-between"})
SENTENCE_COUNTS = frozenset({"sentences-at-least", "sentences-at-most"})
CASES = frozenset({"lower-case", "capitals"})
LISTS = frozenset({"bullets", "numbered-list"})
JSON = frozenset({"json-object", "json-keys"})
BESIDE_JSON = WORD_COUNTS | {
    "lower-case", "capital-words", "letter-times", "keywords", "keyword-times", "forbidden-words",
}  # fmt: skip
BESIDE_TWO_VERSIONS = CASES | {
    "capital-words", "no-commas", "letter-times", "keywords", "forbidden-words", "highlights",
    "placeholders",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conflict:
    """Kinds that are never asked together, and why."""

    reason: str
    left: frozenset[str]
    right: frozenset[str]


def _one(name: str) -> frozenset[str]:
    return frozenset({name})


def _all_but(kinds: frozenset[str]) -> frozenset[str]:
    return frozenset(KINDS) - kinds


CONFLICTS: tuple[Conflict, ...] = (
    Conflict("one count of words is enough", WORD_COUNTS, WORD_COUNTS),
    Conflict("one count of sentences is enough", SENTENCE_COUNTS, SENTENCE_COUNTS),
    Conflict(
        "120 words in 3 sentences is no text",
        frozenset({"words-at-least", "words-between"}),
        _one("sentences-at-most"),
    ),
    Conflict(
        "whether it is a sentence is open",
        SENTENCE_COUNTS,
        LISTS | {"sections", "title", "postscript", "repeats-task", "one-label"},
    ),
    Conflict("one case excludes the others", CASES, CASES | {"capital-words"}),
    Conflict(
        "what is given to be written has both cases",
        CASES,
        frozenset({"one-label", "begins-with", "ends-with", "sections", "repeats-task"}),
    ),
    Conflict("the mark has capitals", _one("lower-case"), _one("postscript")),
    Conflict(
        "the task may break the rule when it is repeated",
        _one("repeats-task"),
        frozenset({"words-at-most", "words-between", "no-commas", "keyword-times"})
        | {"forbidden-words", "paragraphs"},
    ),
    Conflict(
        "only one thing can stand first",
        frozenset({"begins-with", "repeats-task", "title"}),
        frozenset({"begins-with", "repeats-task", "title"}),
    ),
    Conflict("only one thing can stand last", _one("ends-with"), _one("postscript")),
    Conflict(
        "the quotation mark stands first and last",
        _one("quoted"),
        frozenset({"begins-with", "ends-with", "repeats-task"}),
    ),
    Conflict("a text is divided once", _one("sections"), _one("paragraphs")),
    Conflict("one list is enough", LISTS, LISTS | {"sections"}),
    Conflict(
        "whether it holds for each version or for both is open",
        _one("two-versions"),
        _all_but(BESIDE_TWO_VERSIONS),
    ),
    Conflict("it stands outside of the object, or breaks it", JSON, _all_but(BESIDE_JSON)),
)


def is_conflict(one: str, other: str) -> bool:
    """Whether two kinds are never asked together; a kind is never asked twice."""
    return one == other or any(
        (one in conflict.left and other in conflict.right)
        or (other in conflict.left and one in conflict.right)
        for conflict in CONFLICTS
    )
