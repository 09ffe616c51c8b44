"""What stands first and what stands last.

Example: `Picture this: a lake. P.S. It froze.` begins with `Picture this:` but has no postscript,
which needs a line of its own.
"""

import re
from dataclasses import dataclass

from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.reading import is_empty, tidy


@dataclass(frozen=True, slots=True)
class BeginsWith(Instruction):
    """A phrase first, spelt as given."""

    kind = "begins-with"
    phrasings = (
        'Open with exactly these words: "{phrase}"',
        'The first words of the answer have to be "{phrase}"',
        'Start with "{phrase}" and let nothing stand before it.',
    )

    phrase: str

    def _holds(self, text: str) -> bool:
        return text.startswith(self.phrase)


@dataclass(frozen=True, slots=True)
class EndsWith(Instruction):
    """A phrase last, spelt as given."""

    kind = "ends-with"
    phrasings = (
        'Close with exactly these words: "{phrase}"',
        'The last words of the answer have to be "{phrase}"',
        'Stop after "{phrase}" and let nothing follow it.',
    )

    phrase: str

    def _holds(self, text: str) -> bool:
        return text.endswith(self.phrase)


@dataclass(frozen=True, slots=True)
class Postscript(Instruction):
    """After the text, a line that begins with a mark and goes on."""

    kind = "postscript"
    phrasings = (
        'Add a postscript on a new line that begins with "{mark}"',
        'After the text, append one more remark on its own line, marked "{mark}"',
        'Let an afterthought follow at the end, on a new line that starts with "{mark}"',
    )

    mark: str

    def _holds(self, text: str) -> bool:
        before, *remarks = re.split(rf"\n[ \t]*{re.escape(self.mark)}", text)
        return bool(remarks) and not is_empty(before) and not is_empty(remarks[-1])


@dataclass(frozen=True, slots=True)
class RepeatsTask(Instruction):
    """The task word for word, then an answer to it; line breaks and case are free."""

    kind = "repeats-task"
    phrasings = (
        "Copy the first paragraph of this message word for word, then do what it asks.",
        "Before you answer, repeat the first paragraph of this message without any change.",
        "Put the first paragraph of this message, unchanged, at the head of your answer.",
    )

    task: str

    def _holds(self, text: str) -> bool:
        task, answer = _flat(self.task), _flat(text)
        return answer.startswith(task) and not is_empty(answer.removeprefix(task))


def _flat(text: str) -> str:
    return " ".join(tidy(text).split()).casefold()
