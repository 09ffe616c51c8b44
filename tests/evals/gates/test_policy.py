from pathlib import Path

import pytest

from evals.gates import explain, load_policy, policy_sha256
from evals.gates.__main__ import main
from tests.evals.gates.worked import STUDY, evidence
from variants.errors import StudyError

HEAD = "name: p\ndescription: d\n"
CHECK = "{id: a, kind: check, tier: critical, stage: audit}"


def written(folder: Path, text: str) -> Path:
    file = folder / "p.yaml"
    file.write_text(text)
    return file


def test_quick_asks_for_all_it_should() -> None:
    policy = load_policy("quick")
    tiers = {gate.id: gate.tier for gate in policy.gates}
    assert [name for name, tier in tiers.items() if tier == "critical"] == [
        "plan",
        "build",
        "audit",
        "identity",
        "coherence",
        "continuation-choice",
        "tool-calling",
    ]
    assert tiers["benefit"] == tiers["attainment"] == tiers["pace"] == "required"


def test_an_unknown_name_lists_what_exists() -> None:
    for name in ("quikc", "../quick", "missing.yaml"):
        with pytest.raises(StudyError, match=r"existing policies are \['quick'"):
            load_policy(name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (HEAD + f"gates: [{CHECK}]\nalpah: .05", "alpah"),
        (HEAD + f"gates: [{CHECK}, {CHECK}]", "named twice"),
        (HEAD + "gates: [{id: a, kind: chek, tier: critical}]", "chek"),
        (HEAD + "gates: [{id: a, kind: check, tier: vital, stage: audit}]", "tier"),
        (HEAD + "gates: [{id: a, kind: fidelity, tier: critical, limits: []}]", "no limits for"),
        (HEAD + "name: q\ngates: []", "given twice"),
        ("- a", "no mapping"),
        ("a: [", "not YAML"),
    ],
)
def test_a_bad_policy_is_refused_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        load_policy(written(tmp_path, text))


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    plain = policy_sha256(load_policy(written(tmp_path, HEAD + f"gates: [{CHECK}]")))
    noted = policy_sha256(load_policy(written(tmp_path, HEAD + f"gates: [{CHECK}]  # why")))
    looser = policy_sha256(load_policy(written(tmp_path, HEAD + f"alpha: 0.1\ngates: [{CHECK}]")))
    assert plain == noted != looser


def test_explain_says_margin_and_items() -> None:
    words = explain(load_policy("quick"))
    assert "at most 5 points may be lost" in words
    assert "4-bit about 322" in words  # 6.183 * .13 / .0025 = 321.5


def test_explain_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "quick"]) == 0
    assert "benefit (required)" in capsys.readouterr().out
    assert main(["explain", "nothing"]) == 2


def test_judge_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exported, study = tmp_path / "evidence.json", tmp_path / "study.yaml"
    exported.write_text(evidence().model_dump_json())
    study.write_text(STUDY.model_dump_json())  # JSON is YAML
    assert main(["judge", str(exported), "--study", str(study)]) == 0
    assert capsys.readouterr().out.startswith("PROMOTE int4: all 14 critical and required gates")
    exported.write_text(evidence(unreadable=("x",)).model_dump_json())
    assert main(["judge", str(exported), "--study", str(study)]) == 20
    exported.write_text("{}")
    assert main(["judge", str(exported), "--study", str(study)]) == 2
