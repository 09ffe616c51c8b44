"""The development questions of MMLU that the installed lm-eval carries.

Origin: Hendrycks et al., "Measuring Massive Multitask Language Understanding" (arXiv 2009.03300,
MIT), inside lm-eval 0.4.13 (MIT): seven translations as few-shot examples of
`llama3/instruct/mmlu_*` (57 subjects of 5), the English ones in `mmlu/flan_cot_fewshot` (282, with
a line of reasoning that is left away). A language model has probably read them: they can tell two
arms apart, and are no absolute score.

Example: `de/anatomy/0` and `en/anatomy/0` are one question in two languages, gold `D` in both.
"""

import html
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from evals.suites.mmlu.order import translated_number
from variants.errors import MeasurementError
from variants.fingerprint import canonical_json, sha256_text

VERSION = "0.4.13"
DIGEST = "e31849a94c4e3d70f470e20e471a113bb94455f025369715eaa5430d5ad46ab1"  # of {path: sha256}
NUM_FILES = 400
LANGUAGES = ("de", "es", "fr", "hi", "it", "pt", "th")
LETTERS = "ABCD"
ENGLISH = "mmlu/flan_cot_fewshot/_cot_prompts.json"
# Subject and number -> why no language's is asked.
LEFT_OUT = {
    ("college_chemistry", 2): "the right answer, 8 lines, is none of the four translated options",
    ("college_physics", 3): "the same question as number 0",
    ("high_school_computer_science", 4): "translated gold D; B is right, as the English one has it",
}
QUESTION = re.compile(
    r"(?P<question>.*?)\s*\(A\) (?P<A>.*?)\s+\(B\) (?P<B>.*?)\s+\(C\) (?P<C>.*?)\s+\(D\) (?P<D>.*?)"
    r"\s*\nA: Let's think step by step\..*The answer is \((?P<gold>[A-D])\)\.",
    re.DOTALL,
)


class _Loader(yaml.CSafeLoader):
    """Takes a tag such as `!function` for nothing: only the examples are read."""


_Loader.add_multi_constructor("!", lambda *_: None)


@dataclass(frozen=True, slots=True)
class Row:
    """One question in one language, its options A to D, and the letter of the right one."""

    language: str
    subject: str
    number: int
    question: str
    options: tuple[str, ...]
    gold: str

    @property
    def cluster(self) -> str:
        """What the translations of one question share."""
        return f"{self.subject}/{self.number}"


def package_folder() -> Path:
    """Return the folder of the installed lm-eval, which is not imported.

    Raises:
        MeasurementError: it is not installed.
    """
    found = find_spec("lm_eval")
    if found is None or not found.submodule_search_locations:
        raise MeasurementError(f"lm-eval is not installed; install lm-eval=={VERSION}")
    return Path(found.submodule_search_locations[0])


def read_rows(package: Path) -> tuple[Row, ...]:
    """Read every usable question below an lm-eval package, translations first.

    Raises:
        MeasurementError: its files are not those of lm-eval 0.4.13.
    """
    texts = _texts(package / "tasks")
    found = sha256_text(canonical_json({name: sha256_text(text) for name, text in texts.items()}))
    if found != DIGEST:
        raise MeasurementError(
            f"lm-eval {_version()} at {package} has {len(texts)} MMLU files with digest "
            f"{found[:12]}, where {VERSION} has {NUM_FILES} with {DIGEST[:12]}; "
            f"install lm-eval=={VERSION} anew"
        )
    rows = (row for name, text in texts.items() for row in _rows(name, text))
    return tuple(row for row in rows if (row.subject, row.number) not in LEFT_OUT)


def _version() -> str:
    try:
        return version("lm-eval")
    except PackageNotFoundError:
        return "without a version"


def _texts(tasks: Path) -> dict[str, str]:
    """Read the files by their path below the tasks, the English one last."""
    translated = (
        path
        for language in LANGUAGES
        for path in sorted(tasks.glob(f"llama3/instruct/mmlu_{language}/mmlu_{language}_*.yaml"))
    )
    english = (path for path in [tasks / ENGLISH] if path.is_file())
    return {
        path.relative_to(tasks).as_posix(): path.read_text(encoding="utf-8")
        for path in (*translated, *english)
    }


def _rows(name: str, text: str) -> Iterator[Row]:
    if name == ENGLISH:
        for subject, questions in json.loads(text).items():
            yield from _english(subject, questions)
        return
    _, language, subject = Path(name).stem.split("_", 2)
    for number, sample in enumerate(yaml.load(text, _Loader)["fewshot_config"]["samples"]):
        yield _translated(language, subject, number, sample)


def _translated(language: str, subject: str, number: int, sample: dict[str, Any]) -> Row:
    (gold,) = sample["input_correct_responses"]
    options = tuple(_plain(sample["input_choice_list"][letter]) for letter in LETTERS)
    return Row(language, subject, number, _plain(sample["input_question"]), options, gold)


def _english(subject: str, questions: str) -> Iterator[Row]:
    for place, written in enumerate(re.split(r"\n\nQ: ", questions)[1:]):
        number = translated_number(subject, place)
        if number is None:  # the one question with an option E
            continue
        found = QUESTION.fullmatch(written.strip())
        assert found, f"{subject}, question {place}"  # the digest was the expected one
        options = tuple(_plain(found[letter]) for letter in LETTERS)
        yield Row("en", subject, number, _plain(found["question"]), options, found["gold"])


def _plain(text: str) -> str:
    """Undo what a translation service escaped, such as `&quot;`."""
    return html.unescape(text).strip()
