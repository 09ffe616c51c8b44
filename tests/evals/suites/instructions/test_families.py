from pathlib import Path

import pytest

from evals.suites.instructions.families import load_families
from variants.errors import StudyError


def test_there_are_at_least_54_families_of_different_tasks() -> None:
    families = load_families()
    assert len(families) >= 54
    assert len({family.task for family in families}) == len(families)
    assert families[0].id == "retirement-letter"


def test_no_task_asks_for_what_an_instruction_could_forbid() -> None:
    forms = ("json", "capital", "bullet", "comma", "paragraph", "sentence", "title", "quotation")
    for family in load_families():
        assert not [form for form in forms if form in family.task.casefold()]


@pytest.mark.parametrize(
    "text",
    [
        "soup: too short",
        "soup: [Give a recipe for a lentil soup.]",
        "soup: 5",
        "Soup!: Give a recipe for a lentil soup.",
        "soup: |\n  Give a recipe for soup.\n  It has\n\n  two paragraphs.",
        'soup: " Give a recipe for a lentil soup."',
        f"soup: {'Give a recipe. ' * 60}",
        "soup: Give a recipe for a lentil soup.\nsoup: Give a recipe for another soup.",
        "- Give a recipe for a lentil soup.",
    ],
)
def test_what_is_no_task_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "families.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match="families"):
        load_families(file)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="cannot be read"):
        load_families(tmp_path / "none.yaml")
