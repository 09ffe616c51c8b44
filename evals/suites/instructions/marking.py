"""Marks around parts of the answer: title, quotation marks, highlights, placeholders.

Example: `<<Lake>> Dear [name], it is *cold*.` has a title, one placeholder and one highlight.
"""

import re
from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import is_empty

TITLE = re.compile(r"<<([^<>\n]+)>>")
# Text touches the asterisks inside, so that the asterisk of a bullet point opens no highlight.
HIGHLIGHT = re.compile(r"(?<!\*)(\*{1,3})(?=[^\s*])[^*\n]*(?<=[^\s*])\1(?!\*)")
PLACEHOLDER = re.compile(r"\[([^\[\]\n]+)\](?!\()")  # no [link](address)
TWO_LETTERS = re.compile(r"[^\W\d_]{2}")  # [x] is a ticked box, [1] a footnote
QUOTATION_MARKS = (('"', '"'), ("“", "”"))


@dataclass(frozen=True, slots=True)
class Title(Instruction):
    """A title in double angle brackets, anywhere."""

    kind = "title"
    phrasings = (
        "Add a title between double angle brackets, as in <<My title>>.",
        "The text needs a title, set like this: <<Title>>.",
        "Give it a name and put two angle brackets on either side: <<Name>>.",
    )

    def _holds(self, text: str) -> bool:
        return any(not is_empty(title) for title in TITLE.findall(text))


@dataclass(frozen=True, slots=True)
class Quoted(Instruction):
    """Double quotation marks, straight or curly, first and last; there may be more inside."""

    kind = "quoted"
    phrasings = (
        "Put the whole answer in double quotation marks.",
        "The answer opens and closes with a double quotation mark.",
        'Let nothing stand outside one pair of quotation marks ("...") around all you write.',
    )

    def _holds(self, text: str) -> bool:
        return any(
            text.startswith(left) and text.endswith(right) for left, right in QUOTATION_MARKS
        )


@dataclass(frozen=True, slots=True)
class Highlights(Instruction):
    """At least so many parts between asterisks: one, two or three on either side."""

    kind = "highlights"
    phrasings = (
        "Highlight at least {num} parts with an asterisk on either side, *like this*.",
        "Set {num} phrases or more between asterisks, as in *a phrase*.",
        "Mark no fewer than {num} passages with asterisks: *passage*.",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return len(HIGHLIGHT.findall(text)) >= self.num


@dataclass(frozen=True, slots=True)
class Placeholders(Instruction):
    """At least so many words in square brackets."""

    kind = "placeholders"
    phrasings = (
        "Leave at least {num} blanks for the reader to fill, such as [date].",
        "Use {num} placeholders or more, each in square brackets like [name].",
        "There have to be no fewer than {num} placeholders written like [place].",
    )

    num: int

    def _holds(self, text: str) -> bool:
        found = [word for word in PLACEHOLDER.findall(text) if TWO_LETTERS.search(word)]
        return len(found) >= self.num
