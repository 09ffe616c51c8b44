from collections import Counter
from itertools import combinations, pairwise

import pytest

from evals.suites.instructions.conflicts import is_conflict
from evals.suites.instructions.families import load_families
from evals.suites.instructions.instruction import NUM_PHRASINGS
from evals.suites.instructions.kinds import KINDS
from evals.suites.instructions.prompts import NUM_INSTRUCTIONS, Prompt, draw_prompts
from tests.evals.suites.instructions.writer import write

SEEDS = (0, 1, 20_260_101)
each_seed = pytest.mark.parametrize("seed", SEEDS)
TASKS = {family.id: family.task for family in load_families()}


def kinds_of(prompt: Prompt) -> list[str]:
    return [instruction.kind for instruction in prompt.instructions]


@each_seed
def test_every_family_has_six_prompts_of_one_to_three_instructions(seed: int) -> None:
    prompts = draw_prompts(seed)
    assert len(prompts) == 324
    assert Counter(prompt.family for prompt in prompts) == dict.fromkeys(TASKS, 6)
    assert len({prompt.id for prompt in prompts}) == 324
    assert Counter(len(prompt.instructions) for prompt in prompts) == {1: 108, 2: 108, 3: 108}
    assert sum(NUM_INSTRUCTIONS) * len(TASKS) == 648


@each_seed
def test_every_kind_and_every_phrasing_is_asked(seed: int) -> None:
    prompts = draw_prompts(seed)
    uses = Counter(kind for prompt in prompts for kind in kinds_of(prompt))
    assert set(uses) == set(KINDS)
    assert min(uses.values()) >= 11
    asked = {(one.kind, one.phrasing) for prompt in prompts for one in prompt.instructions}
    assert len(asked) == len(KINDS) * NUM_PHRASINGS


@each_seed
def test_no_two_instructions_of_a_prompt_are_in_conflict(seed: int) -> None:
    for prompt in draw_prompts(seed):
        pairs = list(combinations(kinds_of(prompt), 2))
        assert not [pair for pair in pairs if is_conflict(*pair)], prompt


@each_seed
def test_some_answer_follows_all_instructions_of_a_prompt(seed: int) -> None:
    for prompt in draw_prompts(seed):
        assert write(prompt.instructions) is not None, prompt


def test_a_prompt_is_its_task_and_then_its_instructions_a_line_each() -> None:
    for prompt in draw_prompts(3):
        task, blank, *asked = prompt.text.split("\n")
        assert task == TASKS[prompt.family]
        assert blank == ""
        assert asked == [instruction.words for instruction in prompt.instructions]
        assert "{" not in prompt.text


def test_the_seed_decides_the_prompts() -> None:
    assert draw_prompts(7) == draw_prompts(7)
    texts = [{prompt.text for prompt in draw_prompts(seed)} for seed in range(4)]
    assert all(len(one & other) < 33 for one, other in pairwise(texts))  # a tenth at most


@pytest.mark.parametrize("answer", ["ok", "OK", "I cannot help with that.", '{"a": 1}'])
def test_an_answer_that_ignores_the_prompt_follows_few(answer: str) -> None:
    prompts = draw_prompts(0)
    followed = [all(one.is_followed(answer) for one in p.instructions) for p in prompts]
    assert sum(followed) / len(prompts) < 0.15
