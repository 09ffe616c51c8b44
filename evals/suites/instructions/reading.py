"""How an answer is read: its line ends, its words, its sentences.

Example: `Dr. Ada isn't in. Call back at 9 a.m. or later!` has 12 words (`isn't` is one, `a.m.` two)
and 2 sentences: the dots of `Dr.` and `a.m.` end none.
"""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
CLOSING = "\"'”’)]}*_»"
OPENING = "\"'“‘([{*_«"
SENTENCE_ENDS = (".", "!", "?", "…")
# Their dot ends no sentence. `etc.` is not here: it stands at the end of one more often than not.
ABBREVIATIONS = frozenset(
    {"mr", "mrs", "ms", "dr", "prof", "st", "vs", "approx", "e.g", "i.e", "a.m", "p.m"}
)


def tidy(answer: str) -> str:
    """Compose letters and accents, make line ends one character, drop the white space around."""
    composed = unicodedata.normalize("NFC", answer)
    return composed.replace("\r\n", "\n").replace("\r", "\n").strip()


def is_empty(text: str) -> bool:
    """Whether there is no letter and no digit, so that nothing was said."""
    return not any(map(str.isalnum, text))


def words_of(text: str) -> list[str]:
    """List the words: letters and digits, with apostrophes and hyphens inside."""
    return WORD.findall(text)


def num_of(word: str, text: str) -> int:
    """Count a whole word, in any case: `garden's` holds `garden`, `gardens` does not."""
    pattern = rf"(?<![^\W_]){re.escape(word)}(?![^\W_])"
    return len(re.findall(pattern, text, re.IGNORECASE))


def num_sentences(text: str) -> int:
    """Count what ends in `.`, `!`, `?` or `…`, at a blank line, or where the text ends."""
    return sum(map(_num_in_paragraph, re.split(r"\n\s*\n", text)))


def _num_in_paragraph(paragraph: str) -> int:
    num_ended, is_open = 0, False
    for token in paragraph.split():
        is_open = is_open or any(map(str.isalpha, token))
        if is_open and _is_end(token):
            num_ended, is_open = num_ended + 1, False
    return num_ended + is_open


def _is_end(token: str) -> bool:
    bare = token.rstrip(CLOSING)
    is_abbreviated = bare.lstrip(OPENING).rstrip(".").casefold() in ABBREVIATIONS
    return bare.endswith(SENTENCE_ENDS) and not is_abbreviated
