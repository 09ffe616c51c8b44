from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evals.suites.calls import Call, Calls
from evals.suites.calls.scenes import Scene
from evals.suites.calls.stage import Played, Stage
from evals.suites.calls.world import Result
from tests.evals.suites.calls.toy_api import LOOK, add, scene, stage
from variants.errors import MeasurementError


@pytest.fixture(scope="module")
def toys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    yield stage(tmp_path_factory.mktemp("toys"))


def played(toys: Stage, story: Scene, *turns: Calls) -> tuple[Played, ...]:
    found = toys.play(story, turns)
    assert found is not None
    return found


def faults(toys: Stage, story: Scene, *turns: Calls) -> list[str]:
    return [one.fault for one in played(toys, story, *turns)]


def test_results_are_written_as_the_published_checker_writes_them(toys: Stage) -> None:
    calls = (add(2), LOOK, Call("tell", {"text": "as it is"}), Call("fail", {}))
    (turn,) = played(toys, scene(calls), calls)
    assert turn.results == (
        Result('{"count": 7}', False),
        Result("7", False),
        Result("as it is", False),
        Result("Error during execution: it failed", True),
    )
    assert turn.fault == ""


@pytest.mark.parametrize(
    ("calls", "fault"),
    [
        ((add(2), LOOK), ""),
        ((LOOK, add(2), LOOK), ""),  # more results than are right
        ((add(1), LOOK, add(1), LOOK), ""),  # another way to the same results
        ((add(2),), "results"),
        ((LOOK, add(2)), "results"),  # it looked before
        ((add(3), LOOK), "state"),
        ((add(2), LOOK, add(0)), ""),
        ((add(2), LOOK, add(1)), "state"),
        ((), "no call"),
    ],
)
def test_a_turn_is_right_by_its_state_and_its_results(
    toys: Stage, calls: Calls, fault: str
) -> None:
    assert faults(toys, scene((add(2), LOOK)), calls) == [fault]


def test_results_of_earlier_turns_count_and_each_only_once(toys: Stage) -> None:
    story = scene((LOOK,), (LOOK,), (LOOK, LOOK))
    three = (LOOK, LOOK, LOOK)
    assert faults(toys, story, three, (add(0),), (add(0),)) == ["", "", ""]
    assert faults(toys, scene((LOOK,), (LOOK, LOOK)), (LOOK,), (add(0),)) == ["", "results"]


def test_a_turn_that_wants_no_call_is_not_looked_at(toys: Stage) -> None:
    story = scene((), (add(1),))
    assert faults(toys, story, (), (add(1),)) == ["", ""]
    assert faults(toys, story, (add(1),), (add(0),)) == ["", ""]  # in the end the state is right
    assert faults(toys, story, (add(4),), (add(1),)) == ["", "state"]


def test_private_attributes_are_no_state_and_private_methods_no_functions(toys: Stage) -> None:
    assert faults(toys, scene((add(1),)), (add(1), LOOK, LOOK)) == [""]
    for name in ("_load_scenario", "__init__", "count", "nowhere", "Counter.add"):
        (turn,) = played(toys, scene((add(1),)), (Call(name, {}),))
        told = f"Error during execution: there is no function {name}"
        assert turn.results == (Result(told, True),)


def test_arguments_are_literals_of_any_kind(toys: Stage) -> None:
    text = "line\nline \u2028 \ud800 'quoted' \"\\"
    for value in (text, [1, (2.5, None)], {"a": [True]}):
        (turn,) = played(toys, scene((LOOK,)), (Call("tell", {"text": value}),))  # type: ignore[dict-item]
        shown = str(value) if not isinstance(value, dict) else '{"a": [true]}'
        assert turn.results[0].text == shown


def test_long_scenes_are_filled_up(toys: Stage) -> None:
    assert faults(toys, scene((add(1),), is_long=True), (add(1),)) == [""]


def test_plays_do_not_see_each_other_or_our_environment(toys: Stage) -> None:
    call = (Call("remember", {}),)
    story = scene((LOOK,))
    firsts = [played(toys, story, call)[0].results[0].text for _ in range(2)]
    assert firsts == ["1", "1"]
    assert played(toys, story, (Call("zone", {}),))[0].results[0].text == "['UTC', None]"


@pytest.mark.parametrize(
    "call",
    [Call("spin", {}), Call("power", {"base": 10, "exponent": 10**9})],
    ids=["in Python", "in C"],
)
def test_a_call_that_takes_too_long_is_ended_and_the_next_is_played(
    toys: Stage, call: Call
) -> None:
    assert toys.play(scene((LOOK,)), [(call,)]) is None
    assert faults(toys, scene((LOOK,)), (LOOK,)) == [""]


def test_a_call_cannot_take_all_memory(toys: Stage) -> None:
    found = toys.play(scene((LOOK,)), [(Call("hog", {}),)])
    assert found is None or found[0].results[0].is_raised


def test_threads_get_their_own_answers(toys: Stage) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda n: played(toys, scene((add(n),)), (add(n),)), range(12)))
    assert [one[0].results[0].text for one in found] == [f'{{"count": {5 + n}}}' for n in range(12)]


def test_an_api_that_ends_its_process_is_no_verdict(toys: Stage) -> None:
    with pytest.raises(MeasurementError, match="toy_0 cannot be played"):
        toys.play(scene((LOOK,)), [(Call("leave", {}),)])


def test_a_source_that_is_not_the_pinned_one_is_never_run(tmp_path: Path) -> None:
    changed = stage(tmp_path)
    path = tmp_path / "counter.py"
    path.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    with pytest.raises(MeasurementError, match="is pinned; it is not run"):
        changed.play(scene((LOOK,)), [(LOOK,)])
    assert not (tmp_path / "ran").exists()


def test_a_source_that_cannot_be_imported_is_told(tmp_path: Path) -> None:
    broken = stage(tmp_path, "import no_such_library\n")
    with pytest.raises(MeasurementError, match="No module named 'no_such_library'"):
        broken.play(scene((LOOK,)), [(LOOK,)])
    assert not (tmp_path / "__pycache__").exists()
