import json
from pathlib import Path

import pytest

from evals.suites.item import Request, Suite
from evals.suites.own_items import choice_suite, own_suite, written_suite
from evals.suites.own_rows import MAX_BYTES
from evals.suites.written import Answer, WrittenSuite
from tests.evals.suites.toy import WordTokenizer
from variants.errors import StudyError

LIMA = {"id": "1", "prompt": "Capital of Peru?", "options": ["Lima", "Quito"]}
OSLO = {"id": "2", "prompt": "Capital of Norway?", "options": ["Oslo", "Bergen", "Turku", "Riga"]}
PAID = {"id": "a", "prompt": "How much?", "answers": ["12.50"], "reading": "number"}
WHO = {"id": "b", "prompt": "Who?", "answers": ["Ada", "Ada Byron"], "cluster": "people"}
REQUEST = Request(100, 3, WordTokenizer())


def written(folder: Path, *rows: dict[str, object] | str, end: str = "\n") -> Path:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path = folder / "Our items.jsonl"
    path.write_text("\n".join(lines) + end, encoding="utf-8")
    return path


def test_items_to_choose_are_rendered_with_gold_first(tmp_path: Path) -> None:
    suite = choice_suite(written(tmp_path, LIMA, {**OSLO, "cluster": "north"}))
    items = {item.id: item for item in suite.items(REQUEST)}
    assert items["1"].context == "<user> Capital of Peru?\n<assistant>"
    assert items["1"].options == ("Lima", "Quito")
    assert (items["1"].cluster, items["2"].cluster) == ("1", "north")
    assert suite.chance == (1 / 2 + 1 / 4) / 2


def test_items_to_answer_are_marked_as_they_say(tmp_path: Path) -> None:
    suite = written_suite(written(tmp_path, PAID, {**WHO, "max_tokens": 8}))
    questions = {one.id: one for one in suite.items(REQUEST)}
    assert questions["a"].mark(Answer("It costs 12.5 euros")).is_correct
    assert questions["b"].mark(Answer("ada byron.")).is_correct
    assert questions["b"].mark(Answer("Ada and Ben")).error == "wrong"
    assert questions["b"].mark(Answer("")).error == "empty"
    assert (questions["a"].max_tokens, questions["b"].max_tokens) == (64, 8)
    assert questions["b"].cluster == "people"


def test_the_first_item_tells_the_kind(tmp_path: Path) -> None:
    assert isinstance(own_suite(written(tmp_path, LIMA)), Suite)
    assert isinstance(own_suite(written(tmp_path, WHO)), WrittenSuite)
    with pytest.raises(StudyError, match="line 1 is no item"):
        own_suite(written(tmp_path, {"id": "1", "prompt": "?"}))
    with pytest.raises(StudyError, match="line 1 is no item"):
        own_suite(written(tmp_path, "[1]"))


def test_a_changed_file_is_another_suite(tmp_path: Path) -> None:
    before = own_suite(written(tmp_path, LIMA))
    assert own_suite(written(tmp_path, LIMA)).id == before.id
    assert own_suite(written(tmp_path, LIMA, OSLO)).id != before.id
    assert before.id.startswith("own-our-items-")


def test_the_seed_decides_the_items(tmp_path: Path) -> None:
    rows = [{**LIMA, "id": str(number)} for number in range(30)]
    suite = choice_suite(written(tmp_path, *rows))
    assert len(suite.items(Request(10, 3, WordTokenizer()))) == 10
    assert suite.items(REQUEST) != suite.items(Request(100, 4, WordTokenizer()))


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("{'id': 1}", "line 2 is no JSON object"),
        ('{"id": "2", "id": "3"}', "line 2 is no JSON object"),
        ("", "line 2 is no JSON object"),
        ("[1, 2]", "line 2: item: Input should be a valid dictionary"),
        ({**OSLO, "id": 2}, "line 2: id: Input should be a valid string"),
        ({**OSLO, "id": "1"}, "line 2: id '1' stands on line 1 already"),
        ({"id": "2", "prompt": "?"}, "line 2: options: Field required"),
        ({**OSLO, "gold": 0}, "line 2: gold: Extra inputs are not permitted"),
        ({**OSLO, "prompt": ""}, "line 2: prompt: "),
        ({**OSLO, "options": ["Oslo"]}, "line 2: options: "),
        ({**OSLO, "options": ["Oslo", "Oslo"]}, "line 2: item: Value error, options must differ"),
        ({**OSLO, "options": ["Oslo", ""]}, "line 2: item: Value error, options must differ"),
        (WHO, "line 2: options: Field required; answers: Extra inputs"),
    ],
)
def test_a_fault_is_told_with_its_line(
    row: dict[str, object] | str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(StudyError) as refused:
        own_suite(written(tmp_path, LIMA, row, {**LIMA, "id": "9"}))
    assert told in str(refused.value)
    assert "Our items.jsonl" in str(refused.value)


@pytest.mark.parametrize(
    "change",
    [{"answers": []}, {"answers": ["..."]}, {"max_tokens": 0},
     {"max_tokens": True}, {"reading": "loose"}, {"answers": ["twelve"], "reading": "number"},
     {"answers": ["NaN"], "reading": "number"}],
)  # fmt: skip
def test_an_answer_that_can_never_be_right_is_refused(
    change: dict[str, object], tmp_path: Path
) -> None:
    with pytest.raises(StudyError, match="line 1: "):
        written_suite(written(tmp_path, {**WHO, **change}))


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    path = written(tmp_path, json.dumps({**LIMA, "prompt": "one\u2028two"}, ensure_ascii=False))
    assert len(own_suite(path).items(REQUEST)) == 1
    assert len(own_suite(written(tmp_path, LIMA, OSLO, end="")).items(REQUEST)) == 2


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    with pytest.raises(StudyError, match=r"items\.jsonl cannot be read: No such file"):
        own_suite(path)
    with pytest.raises(StudyError, match="cannot be read"):
        own_suite(tmp_path)
    path.write_text("\n\n")
    with pytest.raises(StudyError, match="is empty"):
        own_suite(path)
    path.write_bytes(json.dumps(LIMA).encode() + b'\n{"id": "\xe9"}\n')
    with pytest.raises(StudyError, match="line 2 is not UTF-8"):
        own_suite(path)
    with path.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(StudyError, match=f"has {MAX_BYTES + 1} bytes"):
        own_suite(path)
