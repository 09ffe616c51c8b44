import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from evals.suites.mmlu.order import MOST, OTHERS, translated_number
from evals.suites.mmlu.rows import ENGLISH, LEFT_OUT, Row, package_folder, read_rows
from variants.errors import MeasurementError


@cache
def rows() -> tuple[Row, ...]:
    return read_rows(package_folder())


def named(language: str, subject: str, number: int) -> Row:
    (row,) = [
        one for one in rows()
        if (one.language, one.subject, one.number) == (language, subject, number)
    ]  # fmt: skip
    return row


def test_every_language_has_every_question_that_is_kept() -> None:
    """57 subjects of 5 are 285; 3 are left out. In English 3 subjects have only 4 questions."""
    translated = 57 * 5 - len(LEFT_OUT)
    assert Counter(row.language for row in rows()) == {
        **dict.fromkeys(("de", "es", "fr", "hi", "it", "pt", "th"), translated),
        "en": translated - 3,
    }
    assert len({row.cluster for row in rows()}) == translated


def test_the_translations_of_a_question_have_one_right_letter() -> None:
    golds: dict[str, set[str]] = {}
    for row in rows():
        golds.setdefault(row.cluster, set()).add(row.gold)
    assert [cluster for cluster, letters in golds.items() if len(letters) > 1] == []


def test_the_english_question_is_the_translated_one() -> None:
    """Read by eye: number 4 of astronomy asks why Mars is red, number 0 pushes a truck on it."""
    english, german = named("en", "astronomy", 4), named("de", "astronomy", 4)
    assert english.question == "Why is Mars red?"
    assert german.question == "Warum ist der Mars rot?"
    assert english.gold == german.gold == "A"
    assert "truck" in named("en", "astronomy", 0).question
    assert "camión" in named("es", "astronomy", 0).question


@pytest.mark.parametrize("language", ["de", "es", "fr", "it", "pt"])
def test_digits_that_no_translation_changes_agree(language: str) -> None:
    """Options that are digits in both languages are the same (two are written out in words)."""
    others = {row.cluster: row for row in rows() if row.language == language}
    pairs = [
        (one, other)
        for row in rows()
        if row.language == "en"
        for one, other in zip(row.options, others[row.cluster].options, strict=True)
        if one.isdigit() and other.isdigit()
    ]
    assert len(pairs) >= 40
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


def test_no_question_stands_twice_in_a_language_and_nothing_is_left_escaped() -> None:
    asked = Counter((row.language, row.question, row.options) for row in rows())
    assert [one for one, times in asked.items() if times > 1] == []
    assert not any("&quot;" in row.question + "".join(row.options) for row in rows())
    assert all(row.question and all(row.options) for row in rows())


def test_an_order_names_each_translated_question_at_most_once() -> None:
    for order in (MOST, *OTHERS.values()):
        digits = [digit for digit in order if digit != "-"]
        assert len(set(digits)) == len(digits)
        assert set(digits) <= set("01234")
    assert translated_number("anatomy", 0) == 4
    assert translated_number("college_chemistry", 3) is None


def copied(folder: Path) -> Path:
    tasks = package_folder() / "tasks"
    for found in [*tasks.glob("llama3/instruct/mmlu_??/mmlu_*.yaml"), tasks / ENGLISH]:
        target = folder / "tasks" / found.relative_to(tasks)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(found, target)
    return folder


def test_the_files_alone_are_enough(tmp_path: Path) -> None:
    assert read_rows(copied(tmp_path)) == rows()


def test_another_version_is_refused_with_what_to_install(tmp_path: Path) -> None:
    path = copied(tmp_path) / "tasks" / ENGLISH
    questions = json.loads(path.read_text(encoding="utf-8"))
    questions["anatomy"] = questions["anatomy"].replace("The answer is (B)", "The answer is (C)")
    path.write_text(json.dumps(questions), encoding="utf-8")
    with pytest.raises(MeasurementError, match=r"400 MMLU files .* install lm-eval==0.4.13 anew"):
        read_rows(tmp_path)


def test_a_package_without_the_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match="has 0 MMLU files"):
        read_rows(tmp_path)
