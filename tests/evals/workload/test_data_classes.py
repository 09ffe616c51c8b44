import pytest

from evals.workload.data_classes import KINDS, DataClass, requests


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_requests_of_its_own(kind: DataClass) -> None:
    asked = requests(kind, 8)
    assert len(set(asked)) == 8
    assert asked == requests(kind, 8)
    assert all(20 < len(words) < 3000 for words in asked)


def test_requests_come_round() -> None:
    assert requests("chat", 9)[8] == requests("chat", 1)[0]


def test_code_is_code_and_calls_name_a_tool() -> None:
    assert all("def " in words for words in requests("code", 20))
    assert all('"parameters": [' in words for words in requests("calls", 20))
    assert all("JSON object with the keys name, parameters" in one for one in requests("json", 20))
