"""Conversations beside the published checker; `make bench-calls` takes every change of all."""

from collections import Counter
from pathlib import Path

import pytest

from evals.suites.calls.scenes import CATEGORIES, Scene
from evals.suites.calls.turns import MULTI_TURN_CALLS, right_texts
from evals.suites.item import Request
from evals.suites.written import Answer
from tests.bench.calls import played
from tests.bench.calls.trajectories import MUTATIONS
from tests.evals.suites.toy import WordTokenizer


@pytest.fixture(scope="module")
def scenes(wheel: Path) -> list[Scene]:
    return played.read_scenes(wheel)


def test_as_many_scenes_as_are_documented(scenes: list[Scene]) -> None:
    assert Counter(scene.id.rpartition("_")[0] for scene in scenes) == dict.fromkeys(
        CATEGORIES, 200
    )
    assert len({scene.cluster for scene in scenes}) == 20


def test_every_right_conversation_is_right(scenes: list[Scene], wheel: Path) -> None:
    compared = played.compare(scenes, wheel, ("right",))
    assert len(compared) == 800
    wrong = [one for one in compared if one.ours is not None or not one.published.is_valid]
    assert [(one.scene.id, one.ours, one.published) for one in wrong] == []


def test_verdicts_on_changed_conversations_agree(scenes: list[Scene], wheel: Path) -> None:
    compared = played.compare(scenes[::40], wheel)
    assert {one.mutation for one in compared} == set(MUTATIONS)
    assert [
        (one.scene.id, one.mutation, one.ours, one.published)
        for one in compared
        if not one.is_agreed and not one.why
    ] == []


def test_items_are_conversations_that_fit_and_neither_nothing_nor_noise_is_right(
    scenes: list[Scene], wheel: Path
) -> None:
    request = Request(30, 1, WordTokenizer(), played.files_of(wheel))
    questions = MULTI_TURN_CALLS.items(request)
    known = {scene.id: scene for scene in scenes}
    assert len({question.id for question in questions}) == len(questions) == 30
    for question in questions:
        assert "long_context" not in question.id
        assert question.cluster == known[question.id].cluster
        assert question.follow is not None
        *earlier, last = right_texts(known[question.id])
        assert question.mark(Answer(last, earlier=tuple(earlier))).is_correct
        for text in ("", "the the the the the the", "\ufffd\ufffd"):
            assert not question.mark(Answer(text)).is_correct
        assert question.mark(Answer("")).is_degenerate
