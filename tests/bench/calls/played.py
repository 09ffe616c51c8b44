"""Two verdicts on every trajectory: our own, and that of the published multi-turn checker.

Ours reads each step as a model would write it; the published one gets the same calls rendered, and
the published answers as they are written. One difference is known: here a turn has at most 10
steps; the published limit of 20 lies outside of its checker.
"""

import json
import sys
import types
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.suites.calls import Failure, render
from evals.suites.calls.scenes import CATEGORIES, Scene, addresses, scenes, sources
from evals.suites.calls.stage import Stage
from evals.suites.calls.turns import ENDED, MAX_STEPS, Dialogue
from evals.suites.written import Answer
from tests.bench.calls.published import MODELS, Verdict
from tests.bench.calls.trajectories import MUTATIONS, Trajectory, mutated
from variants.errors import MeasurementError
from variants.running import isolation
from variants.sources.wheel import parse

STEPS = "a turn of more than 10 steps is given up"


class NoTokens:
    """Room for everything: how long a conversation may be is no matter here."""

    def encode(self, text: str) -> list[int]:
        """Return nothing."""
        return []

    def decode(self, tokens: list[int]) -> str:
        """Return nothing."""
        return ""

    def render_chat(self, messages: list[dict[str, str]]) -> str:
        """Return nothing."""
        return ""


@dataclass(frozen=True, slots=True)
class Compared:
    """One trajectory, judged twice."""

    scene: Scene
    mutation: str
    trajectory: Trajectory
    ours: Failure | None
    published: Verdict

    @property
    def is_agreed(self) -> bool:
        """Whether both say right, or both say wrong."""
        return (self.ours is None) == self.published.is_valid

    @property
    def why(self) -> str:
        """Name what explains a difference; "" where nothing does."""
        is_long = any(len(steps) > MAX_STEPS for steps in self.trajectory)
        return STEPS if is_long and not self.is_agreed else ""


def files_of(wheel: Path) -> dict[str, str]:
    """Return address -> path inside the unpacked wheel, of all that scenes are made of."""
    return {address: str(wheel / parse(address).member) for address in addresses(CATEGORIES)}


def read_scenes(wheel: Path) -> list[Scene]:
    """Read every scene of every category."""
    return scenes(files_of(wheel), CATEGORIES)


def compare(
    chosen: Sequence[Scene], wheel: Path, mutations: Container[str] = MUTATIONS
) -> list[Compared]:
    """Judge some mutations of every scene's right calls by both checkers."""
    asked = [one for one in mutated(chosen) if one[1] in mutations]
    verdicts = _ask(wheel, asked)
    stage = Stage(sources(files_of(wheel)))
    return [
        Compared(scene, name, trajectory, _judge(scene, stage, trajectory), verdict)
        for (scene, name, trajectory), verdict in zip(asked, verdicts, strict=True)
    ]


def _judge(scene: Scene, stage: Stage, trajectory: Trajectory) -> Failure | None:
    texts = [text for steps in trajectory for text in (*map(render, steps), ENDED)]
    return Dialogue(scene, stage, NoTokens()).judge(Answer(texts[-1], earlier=tuple(texts[:-1])))


def _ask(wheel: Path, asked: Sequence[tuple[Scene, str, Trajectory]]) -> list[Verdict]:
    arguments: dict[str, object] = {
        "wheel": str(wheel),
        "trajectories": [
            (scene.id, [[[call.render() for call in step] for step in turn] for turn in trajectory])
            for scene, _, trajectory in asked
        ],
    }
    found = isolation.run("tests.bench.calls.played:judge", arguments, MeasurementError)
    return [Verdict(*one) for one in found]


def judge(wheel: str, trajectories: Sequence[tuple[str, Any]]) -> list[Any]:
    """Judge rendered calls with the published checker (through `variants.running.isolation`)."""
    sys.path.insert(0, wheel)
    sys.modules[MODELS] = types.ModuleType(MODELS)
    folder = Path(wheel) / "bfcl_eval/data"
    rows, truths = {}, {}
    for name in (f"BFCL_v4_{category}.json" for category in CATEGORIES):
        rows |= _by_id(folder / name)
        truths |= _by_id(folder / "possible_answer" / name)
    return [
        _verdict(rows[item], truths[item]["ground_truth"], turns, f"model_{number}")
        for number, (item, turns) in enumerate(trajectories)
    ]


def _by_id(path: Path) -> dict[str, Any]:
    rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {row["id"]: row for row in rows}


def _verdict(row: Any, truth: Any, turns: Any, model: str) -> tuple[bool, str]:
    from bfcl_eval.eval_checker.multi_turn_eval import (  # type: ignore[import-not-found]
        multi_turn_checker,
        multi_turn_utils,
    )

    try:
        said = multi_turn_checker.multi_turn_checker(turns, truth, row, "", model)
    except Exception as problem:  # its own bug is a verdict about it
        return False, f"crash: {problem!r:.100}"
    finally:  # it keeps the instances of every model and item
        for name in [one for one in vars(multi_turn_utils) if one.startswith(model)]:
            delattr(multi_turn_utils, name)
    return bool(said["valid"]), str(said.get("error_type", ""))
