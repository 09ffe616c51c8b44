from evals.gates import decide
from reports.figures.suite_table import suite_table
from tests.evals.gates.worked import QUICK, STUDY, evidence


def test_every_suite_has_a_line_with_its_figures() -> None:
    table = suite_table([decide(STUDY, QUICK, evidence())]).splitlines()
    assert table[0].split() == [
        "variant", "suite", "where", "items", "worth", "lost", "margin", "detectable", "verdict",
    ]  # fmt: skip
    assert [line.split()[1] for line in table[1:]] == ["continuation-choice", "tool-calling"]
    # 10 of 400 items lost and 4 won: 1.5 points; QUICK's margin is 5
    assert table[1].split()[:4] == ["int4", "continuation-choice", "engine", "400"]
    assert "1.5 [" in table[1] and " 5.0 " in table[1] and table[1].endswith("PASS")


def test_without_suites_there_is_no_table() -> None:
    assert suite_table([]) == ""
