"""How many items were asked of the variants of a run, and how many that were planned never were.

Example: a variant fails its first suite after 64 of 510 items, and the second, of 324, is never
asked: 64 asked, 446 + 324 = 770 spared.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.results import SuiteResult


@dataclass(frozen=True, slots=True)
class Savings:
    """Items of all arms."""

    num_asked: int
    num_spared: int

    def __str__(self) -> str:
        """Say both, and the share."""
        planned = self.num_asked + self.num_spared
        share = self.num_spared / planned if planned else 0.0
        spared = f"{self.num_spared:,} ({share:.0%}) spared"
        return f"{self.num_asked:,} of {planned:,} items asked, {spared}"


def savings(answers: Mapping[str, Sequence[SuiteResult]]) -> Savings:
    """Count over the arms of a run (name -> what it answered); null arms do not count.

    A suite that an arm was never asked counts as it was planned where anybody was asked it.
    """
    asked = [one for found in answers.values() for one in found if one.arm != "null"]
    planned = {one.suite: one.num_issued + one.num_spared for one in asked}
    never = sum(
        planned[suite]
        for found in answers.values()
        for suite in planned.keys() - {one.suite for one in found}
    )
    return Savings(
        sum(one.num_issued for one in asked), sum(one.num_spared for one in asked) + never
    )
