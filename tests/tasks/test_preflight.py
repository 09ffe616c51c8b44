"""Other servers are started only where the variant's fails, and no more than the question needs."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evals.results import Check
from tasks import preflight as module
from tests.evals.suites.test_preflight import TEXT, Server
from variants.errors import EngineError
from variants.specs.spec import Base, Quantization, Recipe, Serving, Speculation, Variant

BASE = Base(source="file:///models/toy")
PLAIN, DRAFTING = Serving(), Serving(speculation=Speculation())
INT8 = Recipe(quantization=Quantization(scheme="int8_w8a8"))
CALLS_NOTHING = {"tools": TEXT}


def variant(recipe: Recipe, serving: Serving) -> Variant:
    return Variant(name="tried", base=BASE, recipe=recipe, serving=serving)


class Bench:
    """Raises servers by artifact and setting; what is named in `broken` calls no tool."""

    def __init__(self, tried: Variant, broken: set[tuple[str, str]], dead: bool = False) -> None:
        self.tried, self.broken, self.dead = tried, broken, dead
        self.raised: list[tuple[str, str]] = []
        self.kept: dict[str, Check] = {}
        baseline = Variant(name="baseline", base=BASE, serving=PLAIN)
        self.run: Any = SimpleNamespace(
            study=SimpleNamespace(first_token_deadline_s=1.0),
            timeline=SimpleNamespace(stage=lambda name: nullcontext()),
            spec=lambda name: baseline if name == "baseline" else tried,
            artifact=lambda name: Path("base" if name == "baseline" else "own"),
            recorder=SimpleNamespace(
                keep_all=lambda variant, step, checks: self.kept.update(
                    {check.name: check for check in checks}
                )
            ),
        )

    def launch_of(self, run: Any, artifact: Path, serving: Serving) -> tuple[str, str]:
        return artifact.name, "plain" if serving == PLAIN else "setting"

    @contextmanager
    def start(self, run: Any, launch: tuple[str, str], log: str) -> Iterator[Server]:
        self.raised.append(launch)
        if self.dead and launch in self.broken:
            raise EngineError("refused this variant")
        yield Server(**(CALLS_NOTHING if launch in self.broken else {}))


def examine(monkeypatch: pytest.MonkeyPatch, bench: Bench, server: Server) -> dict[str, Check]:
    monkeypatch.setattr(module, "launch_of", bench.launch_of)
    monkeypatch.setattr(module, "raised", bench.start)
    module.preflight.fn(bench.run, "tried", server)  # type: ignore[arg-type]
    return bench.kept


def test_nothing_is_started_while_all_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(variant(INT8, DRAFTING), set())
    kept = examine(monkeypatch, bench, Server())
    assert [check.passed for check in kept.values()] == [True, True, True]
    assert bench.raised == []


@pytest.mark.parametrize(
    ("recipe", "serving", "broken", "guilty", "num_started"),
    [
        (INT8, PLAIN, set(), "artifact", 1),
        (Recipe(), DRAFTING, set(), "setting", 1),
        (INT8, DRAFTING, {("own", "plain")}, "artifact", 3),
        (INT8, DRAFTING, {("base", "setting")}, "setting", 3),
        (INT8, DRAFTING, {("base", "setting"), ("own", "plain")}, "both", 3),
        (INT8, DRAFTING, set(), "combination", 3),
        (INT8, PLAIN, {("base", "plain")}, "engine", 1),
    ],
)
@pytest.mark.parametrize("dead", [False, True])
def test_the_guilty_axis_is_named(
    monkeypatch: pytest.MonkeyPatch, recipe: Recipe, serving: Serving,
    broken: set[tuple[str, str]], guilty: str, num_started: int, dead: bool,
) -> None:  # fmt: skip
    bench = Bench(variant(recipe, serving), broken, dead)
    kept = examine(monkeypatch, bench, Server(**CALLS_NOTHING))
    call = kept["preflight-tool-call"]
    assert call.values["guilty"] == guilty
    assert call.passed is (guilty == "engine")
    assert len(bench.raised) == num_started
    assert kept["preflight-chat"].passed


def test_a_start_that_failed_is_blamed_with_as_few_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """That the baseline starts is known already."""
    for recipe, serving, told in (
        (INT8, PLAIN, "the artifact is guilty"),
        (Recipe(), DRAFTING, "the setting is guilty"),
    ):
        bench = Bench(variant(recipe, serving), set())
        assert module.blame_start(bench.run, "tried").startswith(told)
        assert bench.raised == []
    bench = Bench(variant(INT8, DRAFTING), {("base", "setting")}, dead=True)
    monkeypatch.setattr(module, "launch_of", bench.launch_of)
    monkeypatch.setattr(module, "raised", bench.start)
    assert module.blame_start(bench.run, "tried").startswith("the setting is guilty")
