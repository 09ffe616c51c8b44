import pytest

from evals.suites.calls import Answer, Outcome, ToolCall, judge_answer, judge_text
from evals.suites.calls.irrelevance import is_garbage

OFFERED = ("geo.area", "perimeter")


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("None of these functions can tell the weather.", "abstained"),
        ("No.", "abstained"),
        ("geo.area() computes areas; it cannot tell the weather.", "abstained"),
        ("Für das Wetter gibt es hier nichts.", "abstained"),
        ("これらの関数では答えられません。", "abstained"),
        ("P(X=2) is 0.3, and f(2) = 4.", "abstained"),
        ("42", "abstained"),
        ("मौसम के लिए कोई फलन नहीं है।", "abstained"),
        ("[]", "abstained"),
        ("```\n[]\n```", "abstained"),
        ("", "empty"),
        (" \n\t", "empty"),
        ("geo.area(base=10)", "called"),
        ("[invented(city='Bonn')]", "called"),
        ("geo.area(base=10", "called"),  # breaks off, and is a call all the same
        ("[geo.area(10, 5)]", "called"),
        ("I will use perimeter(base=10, hei", "called"),
        ('{"name": "weather", "arguments": {"city": "Bonn"}}', "called"),
        ("<tool_call>", "called"),
        ("}}}} ))", "garbage"),
        ("0 0 0 0 0", "garbage"),
        ("the the the the the the", "garbage"),
        ("I can not I can not I can not I can not I can not", "garbage"),
        ("!!!!!!!!!!!!!!!!", "garbage"),
    ],
)
def test_right_is_an_answer_in_words_without_a_call(text: str, outcome: Outcome) -> None:
    assert judge_text(text, OFFERED) == outcome
    assert judge_answer(Answer(text, (), "stop"), OFFERED) == outcome


def test_any_tool_call_is_a_call() -> None:
    words = "None of these functions can tell the weather."
    assert judge_answer(Answer(words, (ToolCall("", ""),), "stop"), OFFERED) == "called"


def test_the_limits_of_garbage() -> None:
    assert is_garbage("a]}{]}")  # 1 letter of 6
    assert not is_garbage("abc]}{")  # 3 of 6
    assert is_garbage("ab ]}{")  # 2 of 5
    assert not is_garbage("a b c a b c")  # 4 runs of three words, 3 different: .25
    assert not is_garbage("a a a a")  # 2 runs, 1 different: .5
    assert is_garbage("a a a a a")  # 3 runs, 1 different: .67
