"""Which instructions an answer follows, judged strictly and loosely.

Origin: the two measures of IFEval (Zhou et al., 2023, arXiv 2311.07911). Strict takes the answer as
it is. Loose takes it for followed if any of eight variants follows it: the answer, the answer
without its first line, without its last, without both, and each of these without asterisks; so a
greeting before the text or bold type breaks nothing.

Example: one answer follows its only instruction; another follows one of two, and both once its
first line is dropped. Of prompts 1/2 is followed strictly and 2/2 loosely, of instructions 2/3 and
3/3.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from evals.suites.instructions.prompts import Prompt
from evals.suites.instructions.reading import tidy
from variants.errors import MeasurementError


@dataclass(frozen=True, slots=True)
class Judgement:
    """Which of a prompt's instructions one answer follows, in their order."""

    strict: tuple[bool, ...]
    loose: tuple[bool, ...]

    @property
    def is_strict(self) -> bool:
        """Whether all are followed by the answer as it is."""
        return all(self.strict)

    @property
    def is_loose(self) -> bool:
        """Whether each is followed by some variant of the answer."""
        return all(self.loose)


@dataclass(frozen=True, slots=True)
class Shares:
    """What share of prompts and of instructions was followed, from 0 to 1."""

    num_prompts: int
    num_instructions: int
    prompt_strict: float
    prompt_loose: float
    instruction_strict: float
    instruction_loose: float


def judge(prompt: Prompt, answer: str) -> Judgement:
    """Judge an answer; an empty one follows nothing."""
    variants = variants_of(answer)
    return Judgement(
        strict=tuple(one.is_followed(answer) for one in prompt.instructions),
        loose=tuple(any(map(one.is_followed, variants)) for one in prompt.instructions),
    )


def variants_of(answer: str) -> tuple[str, ...]:
    """Return the answer and its seven variants, without first or last line, without asterisks."""
    lines = tidy(answer).split("\n")
    cuts = [tidy("\n".join(cut)) for cut in (lines, lines[1:], lines[:-1], lines[1:-1])]
    return (*cuts, *(cut.replace("*", "") for cut in cuts))


def shares_of(judgements: Sequence[Judgement]) -> Shares:
    """Take the shares over all prompts and over all instructions.

    Raises:
        MeasurementError: nothing was judged.
    """
    if not judgements:
        raise MeasurementError("no answer was judged, so no share is followed; judge one at least")
    strict = list(chain.from_iterable(one.strict for one in judgements))
    loose = list(chain.from_iterable(one.loose for one in judgements))
    return Shares(
        num_prompts=len(judgements),
        num_instructions=len(strict),
        prompt_strict=sum(one.is_strict for one in judgements) / len(judgements),
        prompt_loose=sum(one.is_loose for one in judgements) / len(judgements),
        instruction_strict=sum(strict) / len(strict),
        instruction_loose=sum(loose) / len(loose),
    )
