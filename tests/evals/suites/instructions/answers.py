"""For every kind: an instruction, answers that follow it, and answers that do not."""

from typing import NamedTuple

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
from evals.suites.instructions.wording import ForbiddenWords, Keywords, KeywordTimes, OneLabel


class Example(NamedTuple):
    instruction: Instruction
    followed: tuple[str, ...]
    missed: tuple[str, ...]


MOODS = ("Mood: cheerful", "Mood: calm")

EXAMPLES = (
    Example(
        WordsAtLeast(5),
        ("Rain fell on the roof.", "It isn't a well-known sea, is it?", "- one\r\n- two\n3 4 5"),
        ("Rain fell on it.", "* * * - - - one !", "well-known, ever-lasting rain it's"),
    ),
    Example(
        WordsAtMost(5),
        ("Rain fell on the roof.", "isn't well-known", "cafe\u0301 d'e\u0301te\u0301 3 4 5"),
        ("Rain fell on the old roof.", "1 2 3 4 5 6", "one_two_three_four_five_six"),
    ),
    Example(
        WordsBetween(3, 4),
        ("Rain fell hard.", "one two three four", "  one\n\ntwo\n\nthree  "),
        ("Rain fell.", "one two three four five", "two-words isn't"),
    ),
    Example(
        SentencesAtLeast(3),
        ("It rained. We stayed. Why?", "Wait... What?! No.", "a heading\n\nOne. Two"),
        ("It rained. We stayed.", "Dr. Ada pays 3.50 at 9 a.m. to St. Ann.", "1. 2. 3. one two."),
    ),
    Example(
        SentencesAtMost(2),
        ("It rained. We stayed!", '"Is it?" (It is.)', "See Mr. Lee, e.g. at 5 p.m. today"),
        ("It rained. We stayed. Why?", "One!\n\nTwo\n\nThree", "a… b… c…"),
    ),
    Example(
        LowerCase(),
        ("rain fell on ålesund.", "it cost 5 €", "straße – été"),
        ("Rain fell.", "we met at NOON", "été à Évian", "12 34"),
    ),
    Example(
        Capitals(),
        ("RAIN FELL.", "ÉTÉ, 5 €", "[NAME], COME!"),
        ("RAIN fell.", "Rain Fell", "STRAßE", "12 34"),
    ),
    Example(
        CapitalWords(2),
        ("We met at NOON in ROME.", "**STOP** it NOW", "DO-IT the ÉTÉ way"),
        ("I ate A pie", "We met at NOON in Rome.", "2024 12 NOON"),
    ),
    Example(
        NoCommas(),
        ("Rain fell; we stayed.", "It cost 1000 euros.", "a · b"),
        ("Rain fell, so we stayed.", "It cost 1,000 euros.", "雨，风"),
    ),
    Example(
        LetterTimes("k", 3),
        ("Kick a ball, Kim", "kkk", "knock, KNOCK"),
        ("Kick it", "book", "кккк"),  # the last are Cyrillic
    ),
    Example(
        Keywords(("market", "window")),
        ("Market day: open the WINDOW!", "A market's _window_.", "window\nmarket"),
        ("The market opens.", "supermarkets and windows", "marketwindow"),
    ),
    Example(
        KeywordTimes("quiet", 2),
        ("Quiet night, quiet day.", "**quiet** and (QUIET)", "a quiet-ish, quiet room"),
        ("A quiet night.", "quiet quiet quiet", "quiet and quietly"),
    ),
    Example(
        ForbiddenWords(("very", "just")),
        ("It was a cold day.", "Every adjustment is justified.", "JU ST"),
        ("It was very cold.", "JUST a day", "cold, just_"),
    ),
    Example(
        OneLabel(MOODS),
        ("Rain fell.\nMood: calm", "**Mood: cheerful** A fair.", "(Mood: calm, again Mood: calm)"),
        ("Rain fell.", "Mood: calm or Mood: cheerful", "mood: calm"),
    ),
    Example(
        BeginsWith("Picture this:"),
        ("Picture this: rain.", "\n  Picture this:\nrain", "Picture this:"),
        ("Sure! Picture this: rain.", "picture this: rain", "Picture this, rain"),
    ),
    Example(
        EndsWith("That is all for now."),
        ("Rain. That is all for now.", "Rain.\nThat is all for now.\r\n ", "That is all for now."),
        ("That is all for now. Bye", "Rain. That is all for now", "that is all for now."),
    ),
    Example(
        Postscript("P.S."),
        ("Rain fell.\nP.S. It froze.", "Rain.\r\n\r\n  P.S.: ice", "Rain\nP.S. ice\nand snow"),
        ("Rain fell. P.S. It froze.", "P.S. It froze.", "Rain fell.\nP.S.", "Rain\np.s. ice"),
    ),
    Example(
        RepeatsTask("Tell of a dog, and a bus."),
        (
            "Tell of a dog, and a bus. A dog got in.",
            "tell of a dog,\r\nand a bus.\n\nIt did.",
            "Tell  of a dog, and a bus.\nA",
        ),
        (
            "Tell of a dog, and a bus.",
            "Sure. Tell of a dog, and a bus. It did.",
            "Tell of a dog and a bus. It did.",
        ),
    ),
    Example(
        Title(),
        ("<<Rain>>\nIt fell.", "It fell. <<A title>>", "**<<Été>>** 5"),
        ("<Rain> fell.", "<<>> rain", "<<Rain\nfell>>", "« Rain » fell"),
    ),
    Example(
        Quoted(),
        ('"Rain fell."', "“Rain\nfell.”", ' "He said "no" and left."\n'),
        ('"Rain" fell.', "'Rain fell.'", 'Rain "fell."', '"Rain fell.'),
    ),
    Example(
        Highlights(2),
        ("*Rain* fell *hard*.", "**Rain** fell ***hard***", "* a *b* and *c d*\n* e"),
        ("*Rain* fell.", "* rain\n* snow\n* ice", "2 * 3 * 4 * 5 rain", "******\nrain ****"),
    ),
    Example(
        Placeholders(2),
        ("Dear [name], come on [date].", "[été] or [your full name]", "[Name][Name]"),
        ("Dear [name].", "[ ] rain\n[x] snow\n[1] ice", "[one](a) and [two](b)", "[a\nb] [] rain"),
    ),
    Example(
        Paragraphs(2, "***"),
        ("Rain.\n***\nSnow.", "Rain.\r\n\r\n *** \r\n\r\nSnow.", "a\n***\n* b *** c"),
        ("Rain.\n\nSnow.", "a\n***\nb\n***\nc", "a *** b", "***\na", "a\n****\nb"),
    ),
    Example(
        Bullets(2),
        ("- rain\n- snow", "They are:\r\n* rain\r\n  • snow\r\n", "+ 1\n---\n- 2\n-"),
        ("- rain", "- rain\n- snow\n- ice", "-rain\n-snow", "- rain - snow", "1. a\n2. b"),
    ),
    Example(
        NumberedList(3),
        ("1. a\n2. b\n3. c", "So:\r\n 1) a\r\n 2) b\r\nand\r\n 3) c", "1. a\n\n2. b\n\n3. c\n"),
        ("1. a\n2. b", "1. a\n3. b\n2. c", "1. a\n2. b\n3. c\n4. d", "1. a 2. b 3. c", "1 a\n2 b"),
    ),
    Example(
        Sections(2, "Part"),
        ("Part 1\nrain\nPart 2\nsnow", "## Part 1: a\r\nb\r\n## Part 2: c", "a\n Part 1\nPart 2"),
        ("Part 1\na", "Part one\nPart two", "PART 1\nPART 2", "Part 1, Part 2", "Part 2\nPart 1"),
    ),
    Example(
        TwoVersions(),
        ("Rain.\n******\nSnow.", "Rain.******Snow.", "a ****** a b"),
        ("Rain.\n******\n Rain.", "a\n***\nb", "a\n*******\nb", "a ****** b ****** c", "a\n******"),
    ),
    Example(
        JsonObject(),
        ('{"a": 1}', ' {\r\n "é": [1, {"b": null}]\r\n} ', '{"a": "b"}'),
        ('Sure: {"a": 1}', "[1, 2]", "{}", "{'a': 1}", '{"a": NaN}', "{a: 1}", '"a"', "5"),
    ),
    Example(
        JsonKeys(("tone", "text")),
        ('{"tone": 1, "text": 2}', '{"text": {"more": 1},\n"tone": ""}'),
        (
            '{"tone": 1}',
            '{"tone": 1, "text": 2, "more": 3}',
            '{"tone": 1, "text": 2, "text": 3}',
            '["tone", "text"]',
            '{"Tone": 1, "text": 2}',
        ),
    ),
)  # fmt: skip
