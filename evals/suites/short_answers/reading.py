"""How a short answer is read: five named ways, each of which must give the calculated answer.

- `number`: the last number of the answer, `1,250` being 1250 and `3.50` being 3.5; where there is
  no digit, the last of the words zero to twenty. A number at the very end of an answer that was cut
  may go on, and is none.
- `text`: all of it, without case, punctuation, articles and a leading "The answer is".
- `one-of`: the right one of the names or words to choose from is in it, and no other of them is;
  what else is said does not count.
- `list`: its parts between commas, semicolons, line ends or "and", in order, each as `text`;
  numbering and bullets are dropped.
- `exact`: all of it; only white space, quotation marks or backquotes around it and one full stop
  at the end are dropped.

Origin: case, punctuation and articles as in the evaluation of SQuAD (Rajpurkar et al., 2016); the
last number as in common GSM8K evaluations, asked for only where the answer is a number.

Example: "The answer is: the Drawer." is `drawer` as text; "12 + 30 = 42." is 42 as a number; "It is
in the drawer now." names the drawer and not the box, its only other.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Literal

Reading = Literal["number", "text", "one-of", "list", "exact"]
# The part of a question that says what to write.
WISHES: dict[Reading, str] = {
    "number": "Answer with a number only.",
    "text": "Give only the answer, in as few words as possible.",
    "one-of": "Give only the answer, in as few words as possible.",
    "list": "Give only the list, separated by commas.",
    "exact": "Give only the result.",
}
NUMBER = re.compile(r"(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d+)(?:\.\d+)?(?!\d)")
NUMBER_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
)  # fmt: skip
LEAD = re.compile(r"^\s*(?:(?:the\s+)?(?:final\s+)?answer(?:\s+is)?|it\s+is)\b\s*:?", re.IGNORECASE)
ARTICLES = frozenset({"a", "an", "the"})
BREAKS = re.compile(r"[,;\n]|\band\b")
NUMBERING = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")
AROUND = " \t\n\r\"'`“”‘’"


def last_number(text: str, is_cut: bool = False) -> Decimal | None:
    """Return the last number of a text; None: it has none, or the last one may go on."""
    found = list(NUMBER.finditer(text))
    if found:
        may_go_on = is_cut and found[-1].end() == len(text)
        return None if may_go_on else Decimal(found[-1][0].replace(",", "").replace("−", "-"))
    named = [word for word in re.findall(r"[a-z]+", text.lower()) if word in NUMBER_WORDS]
    return Decimal(NUMBER_WORDS.index(named[-1])) if named else None


def plain(text: str) -> str:
    """Drop case, punctuation, articles and a leading "The answer is"."""
    folded = unicodedata.normalize("NFKC", LEAD.sub("", text)).casefold()
    kept = "".join(
        character if character.isalnum() or character.isspace() else " " for character in folded
    )
    words = [word for word in kept.split() if word not in ARTICLES]
    return " ".join(words or kept.split())  # the letter "a" alone is no article


def parts(text: str) -> list[str]:
    """List what stands between commas, semicolons, line ends or "and"."""
    pieces = (NUMBERING.sub("", piece) for piece in BREAKS.split(LEAD.sub("", text)))
    return [piece for piece in map(plain, pieces) if piece]


def bare(text: str) -> str:
    """Drop what stands around: white space, quotation marks, and one full stop at the end."""
    return unicodedata.normalize("NFC", text).strip(AROUND).removesuffix(".").strip(AROUND)


def names_only(text: str, answer: str, others: Iterable[str]) -> bool:
    """Whether the right one is named, as a whole word, and no other one is."""
    said = set(plain(text).split())
    return plain(answer) in said and said.isdisjoint(map(plain, others))


READINGS: dict[Reading, Callable[[str], str | list[str]]] = {
    "text": plain,
    "list": parts,
    "exact": bare,
}
