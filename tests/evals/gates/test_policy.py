import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from evals.gates import Case, Policy, decide, explain, kinds, load_policy, policy_sha256
from evals.gates.__main__ import main
from evals.gates.kinds import NoWorseGate, PairedAccuracyGate
from evals.gates.policy import asks_benefit
from tests.evals.gates.worked import QUICK, STUDY, evidence
from variants.errors import StudyError
from variants.fingerprint import fingerprint

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
    exported = tmp_path / "case.json"
    case = Case(study=STUDY, policy=QUICK, evidence=evidence())
    exported.write_text(case.model_dump_json())
    assert main(["judge", str(exported)]) == 0
    told = capsys.readouterr().out
    assert told.startswith("PROMOTE int4: all 15 critical and required gates")
    assert f"decision {fingerprint(decide(STUDY, QUICK, evidence()))}" in told
    assert main(["judge", str(exported), "--policy", "standard"]) == 20  # it was not bound to it
    held = case.model_copy(update={"evidence": evidence(unreadable=("x",))})
    exported.write_text(held.model_dump_json())
    assert main(["judge", str(exported)]) == 20
    capsys.readouterr()
    for text in ("{}", "{", ""):
        exported.write_text(text)
        assert main(["judge", str(exported)]) == 2
        assert "is no case" in capsys.readouterr().err
    assert main(["judge", str(tmp_path / "none.json")]) == 2


def test_the_editors_schema_is_in_step() -> None:
    file = Path(kinds.__file__).parents[1] / "policies" / "policy.schema.json"
    assert json.loads(file.read_text()) == Policy.model_json_schema(), (
        f"write it anew: python -m evals.gates schema > {file}"
    )


@pytest.mark.parametrize("name", ["quick", "standard", "strict"])
def test_every_policy_explains_itself_and_asks_for_a_benefit(name: str) -> None:
    policy = load_policy(name)
    words = explain(policy)
    assert asks_benefit(policy)
    assert all(f"{gate.id} (" in words for gate in policy.gates)


def test_stricter_policies_ask_no_less() -> None:
    quick, standard, strict = (load_policy(name) for name in ("quick", "standard", "strict"))
    for gate in quick.gates:
        assert {gate.id} <= {one.id for one in standard.gates} & {one.id for one in strict.gates}
    suites = [
        {g.id: g for g in policy.gates if isinstance(g, PairedAccuracyGate)}
        for policy in (quick, standard, strict)
    ]
    for change in ("lossless", "8-bit", "4-bit"):
        margins = [s["tool-calling"].margin_for(change, "up to 3B") for s in suites]
        assert margins == sorted(margins, reverse=True) and len(set(margins)) == 3


def test_margins_by_class_of_change_model_and_service() -> None:
    margin: Any = {"lossless": 0.01, "8-bit": 0.02, "4-bit": {"up to 3B": 0.05, "above 3B": 0.03}}
    gate = PairedAccuracyGate(id="g", tier="critical", suite="s", margin=margin)
    assert gate.margin_for("8-bit", "above 3B") == 0.02
    assert gate.margin_for("4-bit", "up to 3B") == 0.05
    with pytest.raises(ValidationError, match="no margin for lossless"):
        PairedAccuracyGate(id="g", tier="critical", suite="s", margin={"8-bit": 0.02})
    one = NoWorseGate(
        id="n",
        tier="required",
        metric="tpot_ms",
        direction="lower",
        margin={"interactive": 0.05},
        cell_margins={"closed-8": 0.3},
    )
    assert one.margin_for("interactive", "closed-1") == 0.05
    assert one.margin_for("batch", "closed-8") == 0.3
    assert one.margin_for("batch", "closed-1") is None


@pytest.mark.parametrize("looks", [[0.5], [1.0, 0.5], [0.5, 0.5, 1.0], [0.0, 1.0]])
def test_looks_must_rise_to_all_items(looks: Any) -> None:
    with pytest.raises(ValidationError):
        PairedAccuracyGate(id="g", tier="critical", suite="s", margin=0.05, looks=looks)


def test_an_adapter_is_held_to_the_margin_of_4_bit_unless_it_has_its_own() -> None:
    fields = {
        "id": "mmlu", "kind": "paired_accuracy", "tier": "required", "suite": "mmlu",
        "margin": {"lossless": 0.01, "8-bit": 0.015, "4-bit": 0.02},
    }  # fmt: skip
    gate = PairedAccuracyGate.model_validate(fields)
    assert gate.margin_for("adapter", "up to 3B") == 0.02
    own = {**fields, "margin": {**fields["margin"], "adapter": 0.03}}  # type: ignore[dict-item]
    assert PairedAccuracyGate.model_validate(own).margin_for("adapter", "above 3B") == 0.03
