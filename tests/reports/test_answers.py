"""Written answers by class of error, and right answers by length of the context."""

from reports.blocks import Missing
from reports.sections import instructions, long_context
from reports.sections.long_context import level_of
from tests.reports.building import empty, notes, rows, sample, study_of, suite, table, view_of


def test_errors_are_counted_by_class_and_arm() -> None:
    answers = {
        "baseline": [
            sample("a", True, ""), sample("b", True, ""), sample("c", False, "invalid"),
            sample("d", None),
        ],
        "fast": [
            sample("a", True, ""), sample("b", False, "invalid"), sample("c", False, "invalid"),
            sample("d", False, "a kind of its own"),
        ],
    }  # fmt: skip
    measured = {name: [suite(name, "json-free", *found)] for name, found in answers.items()}
    found = table(instructions.SECTION.build(view_of(study_of(), measured)))
    assert [column.title for column in found.columns] == [
        "Answer is", "baseline, n = 4", "fast, n = 4",
    ]  # fmt: skip
    assert rows(found) == [
        ["right", "2", "1"],
        ["JSON that breaks the schema", "1", "2"],
        ["no answer", "1", "0"],
        ["a kind of its own", "0", "1"],
    ]
    assert notes(found)[1] == ["invalid", "25 %", "50 %"]
    assert [value.colour for value in found.rows[0]] == [None, 0, 1]


def test_suites_that_were_not_asked_are_named() -> None:
    measured = {"baseline": [suite("baseline", "json-free", sample("a", True, ""))]}
    missing = instructions.SECTION.build(view_of(study_of(), measured))[-1]
    assert isinstance(missing, Missing)
    assert "written-calls, api-calls" in missing.text
    assert "json-free" not in missing.text


def test_a_null_arm_is_no_arm() -> None:
    null = suite("baseline", "json-free", sample("a", True, "")).model_copy(update={"arm": "null"})
    found = instructions.SECTION.build(view_of(study_of(), {"baseline": [null]}))
    assert isinstance(found[0], Missing)


def test_right_answers_by_length() -> None:
    """Of 2 items at 1024 tokens 1 is right, of 1 at 2048 none; exact bounds of 1 of 2 at 95 %:
    1 - sqrt(.95) = 2.5 % and sqrt(.95) = 97.5 %."""
    found = [
        sample("1024@0#0", True, cluster="1024@0"), sample("1024@1#0", False, cluster="1024@1"),
        sample("2048@0#0", False, cluster="2048@0"),
    ]  # fmt: skip
    measured = {"baseline": [suite("baseline", "long-context-needle", *found)]}
    shown = table(long_context.SECTION.build(view_of(study_of(), measured)))
    assert rows(shown) == [["1,024 tokens", "50 %"], ["2,048 tokens", "0 %"],
                           ["all lengths", "33.3 %"]]  # fmt: skip
    assert notes(shown)[0][1] == "[2.5, 97.5], 1 of 2"
    assert "chance is 25 %" in shown.caption


def test_a_level_goes_before_a_cluster() -> None:
    assert level_of(sample("a", True, level=4.0, cluster="1024@0")) == 4.0
    assert level_of(sample("a", True, cluster="topic")) is None


def test_nothing_asked_is_said() -> None:
    for section in (instructions.SECTION, long_context.SECTION):
        (block,) = section.build(empty())
        assert isinstance(block, Missing)
        assert "suites" in block.text
