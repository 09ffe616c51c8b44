"""Instruction following: writing tasks with demands that a program can check."""

from evals.suites.instructions.conflicts import CONFLICTS, is_conflict
from evals.suites.instructions.families import Family, load_families
from evals.suites.instructions.following import Judgement, Shares, judge, shares_of
from evals.suites.instructions.instruction import Instruction
from evals.suites.instructions.kinds import KINDS
from evals.suites.instructions.prompts import Prompt, draw_prompts

__all__ = [
    "CONFLICTS",
    "KINDS",
    "Family",
    "Instruction",
    "Judgement",
    "Prompt",
    "Shares",
    "draw_prompts",
    "is_conflict",
    "judge",
    "load_families",
    "shares_of",
]
