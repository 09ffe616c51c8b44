"""Columns that hold nothing are left out, and what was not measured is named."""

from reports.blocks import Column, Table, Value, trimmed
from reports.words.numbers import NOT_ASKED, NOT_MEASURED

HEADS = (Column("Arm"), Column("Speed"), Column("Busy"), Column("Why"))


def table(*rows: tuple[Value, ...]) -> Table:
    return Table("Figures.", HEADS, rows)


def test_what_is_the_same_nothing_in_every_row_is_left_out() -> None:
    found = trimmed(
        table(
            (Value("a"), Value("1"), NOT_MEASURED, NOT_ASKED),
            (Value("b"), NOT_MEASURED, NOT_MEASURED, NOT_ASKED),
        )
    )
    assert [column.title for column in found.columns] == ["Arm", "Speed"]
    assert found.rows == ((Value("a"), Value("1")), (Value("b"), NOT_MEASURED))
    assert found.caption == "Figures. Not measured: Busy."


def test_a_column_with_one_figure_stays() -> None:
    kept = table(
        (Value("a"), Value("1"), NOT_MEASURED, Value("", note="late")),
        (Value("b"), Value("2"), Value("3"), NOT_ASKED),
    )
    assert trimmed(kept) == kept
    assert trimmed(table()) == table()
