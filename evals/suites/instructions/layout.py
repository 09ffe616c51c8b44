"""What parts the answer is divided into: paragraphs, lists, sections, two versions.

Example: lines `1. Wash`, `2. Peel` are a list numbered from 1 to 2; `1. Wash`, `3. Peel` are none.
"""

import re
from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import is_empty

BULLET = re.compile(r"^[ \t]*[-*•+][ \t]++(?=.*[^\W_])", re.MULTILINE)
NUMBERED = re.compile(r"^[ \t]*(\d{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)
SIX_ASTERISKS = re.compile(r"(?<!\*)\*{6}(?!\*)")


@dataclass(frozen=True, slots=True)
class Paragraphs(Instruction):
    """So many paragraphs, with a line that holds only a mark between two of them."""

    kind = "paragraphs"
    phrasings = (
        "Write {num} paragraphs, with {mark} alone on the line between two of them.",
        "Split the text into {num} paragraphs by lines that hold nothing but {mark}",
        "Compose {num} paragraphs; the mark {mark} on a line of its own parts them.",
    )

    num: int
    mark: str

    def _holds(self, text: str) -> bool:
        line = rf"^[ \t]*{re.escape(self.mark)}[ \t]*$"
        parts = re.split(line, text, flags=re.MULTILINE)
        return len(parts) == self.num and not any(map(is_empty, parts))


@dataclass(frozen=True, slots=True)
class Bullets(Instruction):
    """Exactly so many lines after `-`, `*`, `•` or `+`, those of a lower level counted too."""

    kind = "bullets"
    phrasings = (
        'Include exactly {num} bullet points, each on its own line after a mark such as "-".',
        'Have {num} lines that start with a bullet ("-", "*" or "•"), no more and no fewer.',
        'Bring in {num} bullet points, lines that start like "- this", not one more.',
    )

    num: int

    def _holds(self, text: str) -> bool:
        return len(BULLET.findall(text)) == self.num


@dataclass(frozen=True, slots=True)
class NumberedList(Instruction):
    """One list, numbered from 1 to the last without a gap."""

    kind = "numbered-list"
    phrasings = (
        "Include one list numbered from 1 to {num}, an entry a line, as in `1. entry`.",
        "Have a numbered list of exactly {num} lines: `1. ...`, `2. ...` and so on.",
        "Number {num} lines in order, the first `1.` and the last `{num}.`",
    )

    num: int

    def _holds(self, text: str) -> bool:
        return list(map(int, NUMBERED.findall(text))) == list(range(1, self.num + 1))


@dataclass(frozen=True, slots=True)
class Sections(Instruction):
    """So many sections, each under a line that begins with a mark and its number."""

    kind = "sections"
    phrasings = (
        'Divide the text into {num} sections headed "{mark} 1", "{mark} 2" and so on.',
        'There have to be {num} sections, each below a line that begins "{mark} 1", "{mark} 2" ...',
        'Use {num} sections; number their head lines in the manner of "{mark} 1", "{mark} 2".',
    )

    num: int
    mark: str

    def _holds(self, text: str) -> bool:
        head = rf"^[ \t]*(?:#+[ \t]*)?{re.escape(self.mark)}[ \t]+(\d{{1,3}})\b"
        numbers = map(int, re.findall(head, text, re.MULTILINE))
        return list(numbers) == list(range(1, self.num + 1))


@dataclass(frozen=True, slots=True)
class TwoVersions(Instruction):
    """Two different answers with six asterisks between them."""

    kind = "two-versions"
    phrasings = (
        "Offer two different versions and part them by six asterisks: ******",
        "Answer twice in different words, with ****** between the two answers.",
        "Write it a second time in another way, after a line of six asterisks (******).",
    )

    def _holds(self, text: str) -> bool:
        versions = [" ".join(part.split()) for part in SIX_ASTERISKS.split(text)]
        is_pair = len(versions) == 2 and not any(map(is_empty, versions))
        return is_pair and versions[0] != versions[1]
