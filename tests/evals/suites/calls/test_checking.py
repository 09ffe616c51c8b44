from typing import Any

import pytest

from evals.suites.calls import Call, Failure, Kind, check, parse_text
from evals.suites.calls.checking import match
from evals.suites.calls.values import normal
from tests.evals.suites.calls.toy import area, row

TRIANGLE = row(area(base=[10], height=[5.0], unit=["", "cm"]))


def kind_of(text: str, item: Any = TRIANGLE) -> Kind | None:
    failure = check(item, parse_text(text))
    return failure.kind if failure else None


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("geo.area(base=10, height=5.0)", None),
        ("geo.area(height=5.0, base=10, unit='cm')", None),
        ("geo.area(base=10, height=5)", None),  # a whole number where a float is expected
        ("geo.area(base=10.0, height=5.0)", "wrong_type"),  # and not the other way round
        ("geo.area(base=10, height='5.0')", "wrong_type"),
        ("geo.area(base=True, height=5.0)", "wrong_type"),
        ("geo.area(base=None, height=5.0)", "wrong_type"),
        ("geo.area(base=11, height=5.0)", "wrong_value"),
        ("geo.area(base=10, height=5.0, unit='inch')", "wrong_value"),
        ("geo.area(base=10, height=5.0, unit='')", None),  # as good as left out
        ("geo.area(base=10, height=5.0, unit=[])", "wrong_type"),
        ("geo.area(height=5.0)", "missing_argument"),
        ("geo.area(base=10)", "missing_argument"),  # not required, but accepted only with a value
        ("geo.area(base=10, height=5.0, depth=1)", "unexpected_argument"),
        ("geo.area(base=10, height=5.0, exact=True)", "unexpected_argument"),  # only documented
        ("perimeter(base=10, height=5.0)", "wrong_function"),
        ("geo_area(base=10, height=5.0)", "hallucinated_call"),
        ("area(base=10, height=5.0)", "hallucinated_call"),
        ("[geo.area(base=10, height=5.0), perimeter(base=10)]", "hallucinated_call"),
        ("[]", "dropped"),
        ("geo.area(10, 5.0)", "parse_error"),
        ("The area is 25.", "parse_error"),
    ],
)
def test_one_wanted_call(text: str, kind: Kind | None) -> None:
    assert kind_of(text) == kind


def test_a_failure_says_what_was_written_and_what_is_accepted() -> None:
    assert check(TRIANGLE, parse_text("geo.area(base=11, height=5.0)")) == Failure(
        "wrong_value", "base is 11, accepted is [10]"
    )
    assert check(TRIANGLE, ()) == Failure("dropped", "0 calls, 1 are wanted")


PAIR = row(area(base=[10]), area(base=[5], unit=["cm"]))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[geo.area(base=10), geo.area(base=5, unit='cm')]", None),
        ("[geo.area(base=5, unit='cm'), geo.area(base=10)]", None),  # any order
        ("[geo.area(base=10), geo.area(base=10)]", "missing_argument"),  # one for each
        ("[geo.area(base=10), geo.area(base=5, unit='inch')]", "wrong_value"),
        ("[geo.area(base=10), perimeter(base=5)]", "wrong_function"),
        ("[geo.area(base=10)]", "dropped"),
        ("[geo.area(base=10)] * 2", "parse_error"),
        (
            "[geo.area(base=10), geo.area(base=5, unit='cm'), geo.area(base=10)]",
            "hallucinated_call",
        ),
    ],
)
def test_several_wanted_calls(text: str, kind: Kind | None) -> None:
    assert kind_of(text, PAIR) == kind


def test_a_call_that_fits_two_wanted_ones_is_left_to_the_one_that_needs_it() -> None:
    """The published checker gives base=5 to the first, and has none left for the second."""
    either = row(area(base=[5, 6]), area(base=[5]))
    assert kind_of("[geo.area(base=5), geo.area(base=6)]", either) is None
    assert kind_of("[geo.area(base=6), geo.area(base=5)]", either) is None
    assert kind_of("[geo.area(base=6), geo.area(base=6)]", either) == "wrong_value"


def test_the_largest_matching_is_found() -> None:
    assert match([[True, True], [True, False]]) == {1: 0, 0: 1}
    assert match([[True, False], [True, False]]) == {0: 0}
    # each row fits its own column and the one before: only the diagonal serves all
    chain = [[column in (at, at - 1) for column in range(6)] for at in range(6)]
    assert match(chain) == {at: at for at in range(6)}
    assert match([]) == {}


@pytest.mark.parametrize(
    ("argument", "accepted", "right", "wrong"),
    [
        ("unit", ["New York, NY"], ["new york ny", "NewYork-NY", "N.E.W_York^*/ny"], ["NYC", ""]),
        ("unit", ["it's"], ["IT'S", 'it"s'], ["its"]),
        ("unit", ["", "cm"], ["cm", "", " - "], ["m", "[]"]),
        ("height", [5], [5, 5.0], [6, 5.5]),
        ("points", [[1.0, 2.0]], [[1.0, 2.0], [1, 2]], [[2.0, 1.0], [1.0], [1.0, 2.0, 3.0], []]),
        ("points", ["", [1.0]], [[], [1]], [[2]]),
        ("corner", [[1.0, 2.0]], [[1.0, 2.0], (1.0, 2.0), (1, 2)], [(2.0, 1.0)]),
        ("grid", [[[1, 2], [3, 4]]], [[[1, 2], [3, 4]]], [[[1, 2]], [[1, 2], [3, 5]]]),
        ("style", [{"colour": ["red"], "width": ["", 2]}],
         [{"colour": "Red"}, {"colour": "red", "width": 2}, {"width": 2, "colour": "red"}],
         [{}, {"width": 2}, {"colour": "red", "width": 3}, {"colour": "red", "depth": 1}]),
        ("marks", [[{"name": ["A"]}, {"name": ["B", "C"]}]],
         [[{"name": "a"}, {"name": "C"}]],
         [[{"name": "C"}, {"name": "A"}], [{"name": "A"}], []]),
        ("note", [5, "five"], [5, "Five"], [5.0, "six"]),
        ("note", [None], [None], [0, "None", False]),
        ("unit", ["", None], [None, ""], ["null"]),
        ("exact", [True], [True], [False]),
    ],
)  # fmt: skip
def test_values(argument: str, accepted: list[Any], right: list[Any], wrong: list[Any]) -> None:
    item = row(area(base=[1], **{argument: accepted}))
    for value in right:
        assert check(item, (Call("geo.area", {"base": 1, argument: value}),)) is None, value
    for value in wrong:
        failure = check(item, (Call("geo.area", {"base": 1, argument: value}),))
        assert failure is not None, value
        assert failure.kind == "wrong_value", value


@pytest.mark.parametrize(
    ("argument", "accepted", "value"),
    [
        ("points", [[1.0, 2.0]], (1.0, 2.0)),  # a tuple where the documentation says array
        ("points", [[1.0, 2.0]], [1.0, True]),
        ("points", [[1.0, 2.0]], "[1.0, 2.0]"),
        ("grid", [[[1, 2]]], [[1.0, 2]]),  # the types hold at every depth
        ("grid", [[[1, 2]]], [[True, 2]]),
        ("grid", [[[1, 2]]], [(1, 2)]),
        ("style", [{"width": [2]}], {"width": 2.0}),
        ("style", [{"width": [1]}], {"width": True}),
        ("style", [{"width": [1]}], [1]),
        ("marks", [[{"name": ["A"]}]], ["A"]),
        ("exact", [True], 1),
        ("exact", [True], "true"),
        ("unit", ["5"], 5),
    ],
)
def test_types(argument: str, accepted: list[Any], value: Any) -> None:
    failure = check(
        row(area(base=[1], **{argument: accepted})),
        (Call("geo.area", {"base": 1, argument: value}),),
    )
    assert failure is not None
    assert failure.kind == "wrong_type"


def test_a_dict_inside_an_accepted_dict_is_plain() -> None:
    item = row(area(base=[1], style=[{"edge": [{"kind": "Dashed", "gap": 2.5}]}]))

    def kind(edge: Any) -> Kind | None:
        failure = check(item, (Call("geo.area", {"base": 1, "style": {"edge": edge}}),))
        return failure.kind if failure else None

    assert kind({"kind": "dashed", "gap": 2.5}) is None
    assert kind({"kind": "dashed"}) == "wrong_value"
    assert kind({"kind": "dashed", "gap": 2}) == "wrong_value"


def test_a_required_argument_is_required_though_its_answer_may_be_empty() -> None:
    item = row(area(base=["", 10], height=["", 5.0]))
    assert kind_of("geo.area(base=10)", item) is None
    assert kind_of("geo.area(height=5.0)", item) == "missing_argument"


def test_what_is_compared_of_a_string() -> None:
    assert normal("New York, N.Y.") == "newyorkny"
    assert normal("it's a/b-c_d*e^f") == 'it"sabcdef'
