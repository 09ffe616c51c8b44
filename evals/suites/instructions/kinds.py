"""The kinds of instruction, and how the parameters of each are drawn: one entry each.

To add a kind: a class in the module of its group, an entry here, its conflicts in
`evals.suites.instructions.conflicts`.
"""

from collections.abc import Callable

from evals.suites.instructions.counting import (
    SentencesAtLeast,
    SentencesAtMost,
    WordsAtLeast,
    WordsAtMost,
    WordsBetween,
)
from evals.suites.instructions.framing import BeginsWith, EndsWith, Postscript, RepeatsTask
from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.json_object import JsonKeys, JsonObject
from evals.suites.instructions.layout import (
    Bullets,
    NumberedList,
    Paragraphs,
    Sections,
    TwoVersions,
)
from evals.suites.instructions.letters import (
    Capitals,
    CapitalWords,
    LetterTimes,
    LowerCase,
    NoCommas,
)
from evals.suites.instructions.marking import Highlights, Placeholders, Quoted, Title
from evals.suites.instructions.occasion import Occasion
from evals.suites.instructions.vocabulary import (
    ENDINGS,
    FORBIDDEN,
    JSON_KEYS,
    KEYWORDS,
    LABELS,
    LETTERS,
    OPENINGS,
    PARAGRAPH_MARKS,
    POSTSCRIPT_MARKS,
    SECTION_MARKS,
)
from evals.suites.instructions.wording import ForbiddenWords, Keywords, KeywordTimes, OneLabel

SPAN_WORDS = 40  # of a count that lies between two limits

KINDS: dict[str, Callable[[Occasion], Instruction]] = {
    "words-at-least": lambda draw: WordsAtLeast(draw.number(40, 120, 10)),
    "words-at-most": lambda draw: WordsAtMost(draw.number(60, 120, 10)),
    "words-between": lambda draw: _words_between(draw.number(40, 120, 10)),
    "sentences-at-least": lambda draw: SentencesAtLeast(draw.number(4, 7)),
    "sentences-at-most": lambda draw: SentencesAtMost(draw.number(3, 6)),
    "lower-case": lambda _: LowerCase(),
    "capitals": lambda _: Capitals(),
    "capital-words": lambda draw: CapitalWords(draw.number(2, 5)),
    "no-commas": lambda _: NoCommas(),
    "letter-times": lambda draw: LetterTimes(draw.one(LETTERS), draw.number(5, 10)),
    "keywords": lambda draw: Keywords(draw.some(KEYWORDS, 2, 3)),
    "keyword-times": lambda draw: KeywordTimes(draw.one(KEYWORDS), draw.number(2, 4)),
    "forbidden-words": lambda draw: ForbiddenWords(draw.some(FORBIDDEN, 3, 4)),
    "one-label": lambda draw: OneLabel(draw.one(LABELS)),
    "begins-with": lambda draw: BeginsWith(draw.one(OPENINGS)),
    "ends-with": lambda draw: EndsWith(draw.one(ENDINGS)),
    "postscript": lambda draw: Postscript(draw.one(POSTSCRIPT_MARKS)),
    "repeats-task": lambda draw: RepeatsTask(draw.task),
    "title": lambda _: Title(),
    "quoted": lambda _: Quoted(),
    "highlights": lambda draw: Highlights(draw.number(2, 4)),
    "placeholders": lambda draw: Placeholders(draw.number(2, 4)),
    "paragraphs": lambda draw: Paragraphs(draw.number(2, 4), draw.one(PARAGRAPH_MARKS)),
    "bullets": lambda draw: Bullets(draw.number(2, 5)),
    "numbered-list": lambda draw: NumberedList(draw.number(3, 6)),
    "sections": lambda draw: Sections(draw.number(2, 4), draw.one(SECTION_MARKS)),
    "two-versions": lambda _: TwoVersions(),
    "json-object": lambda _: JsonObject(),
    "json-keys": lambda draw: JsonKeys(draw.some(JSON_KEYS, 2, 3)),
}


def _words_between(low: int) -> WordsBetween:
    return WordsBetween(low, low + SPAN_WORDS)
