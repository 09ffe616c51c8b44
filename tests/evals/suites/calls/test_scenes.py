import json
from pathlib import Path
from typing import Any

import pytest

from evals.suites.calls import Call
from evals.suites.calls.scenes import (
    CATEGORIES,
    MODULES,
    PLAYED,
    STEMS,
    addresses,
    scenes,
    sources,
)
from evals.suites.calls.signatures import listed
from variants.errors import MeasurementError

WHEEL = "wheel://bfcl-eval==2026.3.23/bfcl_eval"


def function(name: str, **fields: dict[str, Any]) -> dict[str, Any]:
    required = [key for key, field in fields.items() if "default" not in field]
    parameters = {"type": "dict", "properties": fields, "required": required}
    return {
        "name": name,
        "description": f"This is a file system. Tool description: It does {name}.",
        "parameters": parameters,
        "response": {"type": "dict", "properties": {}},
    }


TEXT = {"type": "string", "description": "The name."}
FILES = [
    function("cp", source=TEXT, destination=TEXT),
    function("sort", file_name=TEXT),
    function("tail", file_name=TEXT, lines={"type": "integer", "description": "10.", "default": 1}),
]


def row(number: int, **fields: Any) -> dict[str, Any]:
    said = [[{"role": "user", "content": "Sort it."}], [{"role": "user", "content": "Show it."}]]
    return {
        "id": f"multi_turn_base_{number}", "question": said, "initial_config": {"a": 1},
        "involved_classes": ["GorillaFileSystem"], **fields,
    }  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Give every file of the suite; all are empty but the file system's documentation."""
    found = {}
    for number, address in enumerate(addresses(CATEGORIES)):
        path = tmp_path / f"{number}.json"
        lines = FILES if address.endswith("multi_turn_func_doc/gorilla_file_system.json") else []
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        found[address] = str(path)
    return found


def write(files: dict[str, str], rows: list[dict[str, Any]], truths: list[list[list[str]]]) -> None:
    gold = [
        {"id": one["id"], "ground_truth": truth} for one, truth in zip(rows, truths, strict=True)
    ]
    name = "BFCL_v4_multi_turn_base.json"
    for member, lines in ((name, rows), (f"possible_answer/{name}", gold)):
        Path(files[f"{WHEEL}/data/{member}"]).write_text("\n".join(map(json.dumps, lines)))


def test_every_file_read_or_run_is_fetched_by_the_pin_of_its_wheel() -> None:
    found = addresses(PLAYED)
    assert len(found) == 2 * 3 + len(MODULES) + len(STEMS) == 6 + 8 + 9
    assert f"{WHEEL}/eval_checker/multi_turn_eval/func_source_code/math_api.py" in found
    assert len(set(found.values())) == 1
    assert next(iter(sources({one: one for one in found}))) == "long_context"


def test_published_calls_are_named_and_turns_keep_their_order(files: dict[str, str]) -> None:
    write(files, [row(0)], [[["sort('a.txt')"], [" tail('a.txt', lines=20)", "cp('a', 'b')"]]])
    (scene,) = scenes(files, PLAYED)
    assert [turn.gold for turn in scene.turns] == [
        (Call("sort", {"file_name": "a.txt"}),),
        (
            Call("tail", {"file_name": "a.txt", "lines": 20}),
            Call("cp", {"source": "a", "destination": "b"}),
        ),
    ]
    assert (scene.cluster, scene.is_long) == ("GorillaFileSystem", False)
    assert [one["name"] for one in scene.turns[0].functions] == ["cp", "sort", "tail"]


def test_functions_are_excluded_or_offered_later(files: dict[str, str]) -> None:
    late = row(0, missed_function={"1": ["tail"]}, excluded_function=["cp"])
    late["question"][1] = []
    write(files, [late], [[["sort('a')"], ["tail('a')"]]])
    (scene,) = scenes(files, PLAYED)
    assert [[one["name"] for one in turn.functions] for turn in scene.turns] == [["sort"], ["tail"]]
    assert [turn.words for turn in scene.turns] == ["Sort it.", ""]
    assert len(scene.functions) == 2


def test_a_scene_that_never_wants_a_call_is_left_out(files: dict[str, str]) -> None:
    write(files, [row(0), row(1)], [[[], []], [[], ["sort('a')"]]])
    assert [one.id for one in scenes(files, PLAYED)] == ["multi_turn_base_1"]


def test_turns_without_their_answers_are_no_scene(files: dict[str, str]) -> None:
    write(files, [row(0)], [[["sort('a')"]]])
    with pytest.raises(MeasurementError, match="has 2 turns and 1 published answers"):
        scenes(files, PLAYED)
    write(files, [row(0)], [[["a.b('a')"], []]])
    with pytest.raises(MeasurementError, match="is no call"):
        scenes(files, PLAYED)


def test_a_function_is_one_line_with_what_limits_its_arguments() -> None:
    mode = {"type": "string", "description": 'The mode. [Enum]: ["on", "off"]', "default": "on"}
    updates = {
        "type": "dict", "description": "Fields.", "default": None,
        "properties": {"title": {"type": "string"}, "priority": {"type": "integer"}},
    }  # fmt: skip
    doors = {"type": "array", "items": {"type": "string"}, "description": "Which doors."}
    edit = function("edit", doors=doors, mode=mode, updates=updates)
    assert listed([edit, function("pwd")]) == (
        "edit(doors: array of string, mode: string = 'on', "
        "updates: {title: string, priority: integer} = None) - It does edit. "
        'mode: The mode. [Enum]: ["on", "off"]\n'
        "pwd() - It does pwd."
    )
