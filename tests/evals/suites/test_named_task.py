import json
from pathlib import Path

import pytest
import yaml
from lm_eval.tasks import TaskManager

from evals.suites.item import Item, Request
from evals.suites.mmlu.rows import package_folder
from evals.suites.named_task import named_task
from tests.evals.suites.toy import WordTokenizer
from variants.errors import MeasurementError, StudyError

ROWS: list[dict[str, object]] = [
    {"question": "Capital of Peru?", "choices": ["Quito", "Lima"], "answer": 1},
    {"question": "Capital of Norway?", "choices": ["Oslo", "Bergen", "Turku"], "answer": 0},
    {"question": "Capital of Egypt?", "choices": ["Giza", "Cairo"], "answer": 1},
]
TASK: dict[str, object] = {
    "task": "capitals",
    "dataset_path": "json",
    "test_split": "test",
    "output_type": "multiple_choice",
    "doc_to_text": "Question: {{question}}\nAnswer:",
    "doc_to_choice": "choices",
    "doc_to_target": "answer",
    "metric_list": [{"metric": "acc", "aggregation": "mean", "higher_is_better": True}],
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


def tasks(
    folder: Path, rows: list[dict[str, object]] | None = None, **change: object
) -> TaskManager:
    """Write a task with its rows, and know no other."""
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows or ROWS), encoding="utf-8")
    task = {**TASK, "dataset_kwargs": {"data_files": {"test": str(path)}}, **change}
    (folder / "tasks").mkdir(exist_ok=True)
    (folder / "tasks/capitals.yaml").write_text(yaml.safe_dump(task), encoding="utf-8")
    return TaskManager(include_path=str(folder / "tasks"), include_defaults=False)


def drawn(manager: TaskManager, name: str = "capitals") -> dict[str, Item]:
    items = named_task(name, manager).items(Request(10, 3, WordTokenizer()))
    return {item.id: item for item in items}


def test_gold_comes_first_and_the_delimiter_goes_with_the_option(tmp_path: Path) -> None:
    items = drawn(tasks(tmp_path))
    assert items["capitals/0"].context == "Question: Capital of Peru?\nAnswer:"
    assert items["capitals/0"].options == (" Lima", " Quito")
    assert items["capitals/1"].options == (" Oslo", " Bergen", " Turku")
    assert items["capitals/1"].cluster == "capitals/1"


def test_chance_is_the_mean_over_the_items(tmp_path: Path) -> None:
    suite = named_task("capitals", tasks(tmp_path))
    assert suite.chance == pytest.approx((1 / 2 + 1 / 3 + 1 / 2) / 3)
    assert suite.id == "lm-eval-capitals"
    assert len(suite.items(Request(2, 3, WordTokenizer()))) == 2


def test_a_gold_given_as_text_is_found_among_the_options(tmp_path: Path) -> None:
    rows = [{**row, "answer": row["choices"][row["answer"]]} for row in ROWS]  # type: ignore[index]
    assert drawn(tasks(tmp_path, rows)) == drawn(tasks(tmp_path))


def test_examples_are_the_same_each_time_and_never_the_item(tmp_path: Path) -> None:
    manager = tasks(tmp_path, num_fewshot=1, fewshot_split="test")
    items = drawn(manager)
    assert items == drawn(manager)
    for item in items.values():
        shown, asked = item.context.split("\n\n")
        assert shown.splitlines()[0] != asked.splitlines()[0]
        assert asked.endswith("Answer:")


@pytest.mark.parametrize(
    "splits",
    [{}, {"test_split": None, "validation_split": "test"},
     {"test_split": None, "validation_split": "test", "fewshot_split": "test"}],
)  # fmt: skip
def test_a_task_that_could_show_an_item_its_answer_is_refused(
    splits: dict[str, str | None], tmp_path: Path
) -> None:
    with pytest.raises(StudyError, match="takes its examples from the items themselves"):
        named_task("capitals", tasks(tmp_path, num_fewshot=1, **splits))


def test_a_yaml_of_one_s_own_is_taken_by_its_path(tmp_path: Path) -> None:
    manager = tasks(tmp_path)
    assert drawn(manager, str(tmp_path / "tasks/capitals.yaml")) == drawn(manager)


def test_an_unknown_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="lm-eval has no task 'capital'; `lm-eval ls tasks`"):
        named_task("capital", tasks(tmp_path))


def test_another_kind_of_task_is_refused(tmp_path: Path) -> None:
    manager = tasks(
        tmp_path, output_type="generate_until", doc_to_choice=None,
        metric_list=[{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
    )  # fmt: skip
    with pytest.raises(StudyError, match="output_type 'generate_until'"):
        named_task("capitals", manager)


def test_several_right_options_are_refused(tmp_path: Path) -> None:
    rows = [{**row, "answer": [0, 1]} for row in ROWS]
    with pytest.raises(StudyError, match=r"2 right option\(s\); only multiple_choice"):
        named_task("capitals", tasks(tmp_path, rows))


@pytest.mark.parametrize(
    ("name", "folder", "told"),
    [
        ("gsm8k", "gsm8k", "output_type 'generate_until'"),
        ("mmlu", "mmlu/default", "a group of tasks: mmlu_humanities"),
    ],
)
def test_a_task_that_lm_eval_ships_is_refused_before_its_data_is_fetched(
    name: str, folder: str, told: str
) -> None:
    path = package_folder() / "tasks" / folder
    manager = TaskManager(include_path=str(path), include_defaults=False)
    with pytest.raises(StudyError, match=told):
        named_task(name, manager)


def test_a_group_is_refused_with_its_members(tmp_path: Path) -> None:
    tasks(tmp_path)
    other = {**yaml.safe_load((tmp_path / "tasks/capitals.yaml").read_text()), "task": "towns"}
    (tmp_path / "tasks/towns.yaml").write_text(yaml.safe_dump(other))
    group = {"group": "places", "task": ["capitals", "towns"]}
    (tmp_path / "tasks/places.yaml").write_text(yaml.safe_dump(group))
    manager = TaskManager(include_path=str(tmp_path / "tasks"), include_defaults=False)
    with pytest.raises(StudyError, match="a group of tasks: capitals, towns; name one"):
        named_task("places", manager)


def test_an_item_without_one_right_option_is_refused(tmp_path: Path) -> None:
    rows = [*ROWS, {"question": "Capital of Chad?", "choices": ["A", "B"], "answer": 5}]
    with pytest.raises(MeasurementError, match="capitals/3 has gold 5, which names none"):
        named_task("capitals", tasks(tmp_path, rows))


def test_data_that_cannot_be_reached_is_told_with_a_way_out(tmp_path: Path) -> None:
    missing = {"data_files": {"test": str(tmp_path / "gone.jsonl")}}
    with pytest.raises(MeasurementError, match=r"cannot be loaded .* \{own: FILE\.jsonl\}"):
        named_task("capitals", tasks(tmp_path, dataset_kwargs=missing))
