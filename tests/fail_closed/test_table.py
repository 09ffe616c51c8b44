from pathlib import Path

import pytest

from tests.fail_closed.path import healthy, judge
from tests.fail_closed.table import CASES, Case


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_broken_is_ever_promoted(case: Case, tmp_path: Path) -> None:
    stored = healthy()
    case.spoil(stored)
    found = judge(stored, tmp_path)
    assert case.is_met(found), found


def test_only_the_control_is_promoted() -> None:
    assert [case.name for case in CASES if "PROMOTE" in case.expected] == [CASES[0].name]
