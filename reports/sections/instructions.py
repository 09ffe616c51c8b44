"""Tool calls, JSON and instructions: what exactly is wrong with the answers of each arm."""

from collections import Counter
from collections.abc import Sequence

from evals.results import SuiteResult
from reports.blocks import Block, Column, Missing, Prose, Section, Table, Value
from reports.view import Arm, View
from reports.words.numbers import rounded

SUITES = (
    "written-calls", "api-calls", "multi-turn-calls", "irrelevance", "json-free",
    "json-constrained", "instructions",
)  # fmt: skip
UNANSWERED = "no answer"
# Classes as `evals.suites` names them, in words; others are those of an instruction's own kind.
WORDS = {
    "parse_error": "cannot be read as a call",
    "as_text": "a call in the text, not where the API asks it",
    "hallucinated_call": "a call of a function nobody offered, or one too many",
    "dropped": "a call too few",
    "wrong_function": "another of the functions offered",
    "missing_argument": "an argument is missing",
    "unexpected_argument": "an argument nobody asked for",
    "wrong_type": "an argument of another type",
    "wrong_value": "well formed, with a wrong value",
    "execution_error": "a call failed when it was played",
    "wrong_state": "the calls left another state",
    "too_many_steps": "no end of calls",
    "called": "called where it should not",
    "empty": "nothing written",
    "garbage": "no language",
    "degenerate": "no language",
    "loose": "follows the instruction loosely only",
    "cut_off": "cut by the length limit",
    "no_json": "no JSON in it",
    "text_around_json": "JSON, and text around it",
    "invalid": "JSON that breaks the schema",
    "refused": "the engine would not begin",
}
Answered = tuple[Arm, SuiteResult]


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    tables = [_table(name, found) for name in SUITES if (found := _found(view, name))]
    if not tables:
        return (
            Missing(
                "No suite of tool calls, JSON or instructions was answered in writing. List some "
                f"of {', '.join(SUITES)} in the study's suites."
            ),
        )
    absent = [name for name in SUITES if not _found(view, name)]
    judged = Prose(
        "What is lost against the baseline, with bounds and verdicts, stands under Quality."
    )
    not_asked = f"Not asked, and so not measured: {', '.join(absent)} (suites of the study)."
    return (judged, *tables, *([Missing(not_asked)] if absent else []))


def _found(view: View, suite: str) -> list[Answered]:
    return [
        (arm, one)
        for arm in view.arms
        for one in arm.payloads(SuiteResult)
        if one.suite == suite and one.arm != "null"
    ]


def _table(suite: str, found: Sequence[Answered]) -> Table:
    counts = [_classes(result) for _, result in found]
    total: Counter[str] = sum(counts, Counter())
    classes = [name for name, _ in total.most_common() if name]
    return Table(
        caption=f"{suite}: answers by what is wrong with them, most frequent first; an answer "
        f"counts once, under the first that holds. {found[0][1].rule[:1].upper()}"
        f"{found[0][1].rule[1:]}.",
        columns=(
            Column("Answer is"),
            *(Column(_head(arm, result, found), "number") for arm, result in found),
        ),
        rows=(
            (
                Value("right"),
                *(_count(one, "", own) for own, one in zip(counts, found, strict=True)),
            ),
            *(
                (
                    Value(WORDS.get(name, name), note=name if name in WORDS else ""),
                    *(_count(one, name, own) for own, one in zip(counts, found, strict=True)),
                )
                for name in classes
            ),
        ),
    )


def _head(arm: Arm, result: SuiteResult, found: Sequence[Answered]) -> str:
    """Name the arm, and the path where an arm took two."""
    is_twice = sum(other is arm for other, _ in found) > 1
    path = f", {result.path}" if is_twice else ""
    return f"{arm.name}{path}, n = {result.num_issued:,}"


def _classes(result: SuiteResult) -> Counter[str]:
    """Count the classes; "" is right."""
    return Counter(
        UNANSWERED if one.is_correct is None else "" if one.is_correct else one.error or "wrong"
        for one in result.samples
    )


def _count(one: Answered, name: str, counts: Counter[str]) -> Value:
    arm, result = one
    num = counts[name]
    if not num:
        return Value("0", tone="muted", colour=arm.colour)
    share = f"{rounded(100 * num / max(1, result.num_issued))} %"
    return Value(f"{num:,}", note=share, colour=arm.colour)


SECTION = Section("instructions", "Tool calls, JSON and instructions", build)
