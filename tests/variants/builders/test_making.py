"""What making cost is counted in the builder's process; memory that runs out is told as such."""

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from variants.builders import making
from variants.builders.artifact import _built
from variants.builders.making import cost, is_out_of_memory, make, stage
from variants.errors import BuildError, RecipeError

HERE = "tests.variants.builders.test_making"


def build(origin: str, output: str) -> dict[str, Any]:
    with stage("load"):
        time.sleep(0.2)
    with stage("save"):
        (Path(output) / "file").write_bytes(b"x")
    return {"note": origin}


def build_too_much(origin: str, output: str) -> dict[str, Any]:
    with stage("save"):
        raise MemoryError("no room for 7 bytes")


def build_wrapped(origin: str, output: str) -> dict[str, Any]:
    try:
        with stage("oneshot"):
            raise RuntimeError(
                "DefaultCPUAllocator: can't allocate memory: you tried to allocate 9"
            )
    except RuntimeError as error:
        raise RecipeError(f"llm-compressor refused: {error}") from error


def build_badly(origin: str, output: str) -> dict[str, Any]:
    raise RecipeError("group_size 128 does not divide 576")


def be_killed(origin: str, output: str) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "STAGES", {})
    monkeypatch.setattr(making, "NOW", [])


def test_what_a_build_cost_goes_with_the_artifact(tmp_path: Path) -> None:
    made = _built(f"{HERE}:build", tmp_path / "origin", tmp_path, {})
    assert made["note"] == str(tmp_path / "origin")
    assert list(made["stage_seconds"]) == ["load", "save", "exit"]
    assert not {"made_at", "num_devices"} & made.keys()  # no fields of the record
    assert 0.2 <= made["library_seconds"] <= made["build_seconds"]
    assert made["device_hours"] == pytest.approx(made["build_seconds"] / 3600)
    assert made["peak_host_bytes"] > 5_000_000  # an interpreter alone takes about 10 MB
    assert "peak_device_bytes" not in made


@pytest.mark.parametrize(
    ("builder", "place"), [("build_too_much", "at save"), ("build_wrapped", "at oneshot")]
)
def test_memory_that_runs_out_is_no_verdict_on_the_recipe(builder: str, place: str) -> None:
    with pytest.raises(
        BuildError, match=f"memory ran out {place}.*the recipe was not judged"
    ) as it:
        make(f"{HERE}:{builder}", {"origin": "", "output": ""})
    assert not isinstance(it.value, RecipeError)


def test_a_refusal_of_the_recipe_stays_one() -> None:
    with pytest.raises(RecipeError, match="does not divide"):
        make(f"{HERE}:build_badly", {"origin": "", "output": ""})


def test_a_builder_that_the_system_kills_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=r"be_killed died with exit code -9.*free memory") as told:
        _built(f"{HERE}:be_killed", tmp_path, tmp_path, {})
    assert not isinstance(told.value, RecipeError)


def test_a_stage_inside_another_is_counted_once() -> None:
    with stage("load"):
        time.sleep(0.05)
        with stage("import"):
            time.sleep(0.1)
    assert making.STAGES["import"] >= 0.1
    assert 0.05 <= making.STAGES["load"] < 0.1
    assert cost()["num_devices"] == 1


def test_an_error_from_anothers_cause_is_looked_through() -> None:
    outer = ValueError("saving failed")
    outer.__cause__ = MemoryError()
    assert is_out_of_memory(outer)
    outer.__cause__ = outer  # a circle ends
    assert not is_out_of_memory(outer)
