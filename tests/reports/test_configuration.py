"""The raw configuration: a study that reads back as itself, the gates, the engines."""

from dataclasses import replace

import yaml

from evals.gates.policy import Policy, load_policy, policy_sha256
from evals.study import Study
from reports.blocks import Missing, Verbatim
from reports.sections.configuration import SECTION, study_yaml
from reports.words.plain_words import cell_words, objective_words
from tests.reports import fixture, judged
from tests.reports.building import decided, study_of, view_of


def test_a_study_is_written_without_its_defaults_and_reads_back() -> None:
    text = study_yaml(fixture.study())
    assert Study.model_validate(yaml.safe_load(text)) == fixture.study()
    assert "policy" not in text  # quick is the default
    assert "- closed: 8\n" in text


def test_gates_are_shown_where_the_policy_is_still_the_same() -> None:
    quick = {"policy_sha256": policy_sha256(load_policy("quick"))}
    decision = decided("fast", "HOLD").model_copy(update=quick)
    _, policy, engines = SECTION.build(view_of(study_of(), {"fast": ()}, [decision]))
    assert isinstance(policy, Verbatim)
    gates = yaml.safe_load(policy.text)
    assert gates[0] == {"id": "plan", "kind": "check", "tier": "critical", "stage": "plan"}
    assert "one-sided at 95 %" in policy.label
    assert isinstance(engines, Missing)


def test_a_policy_that_has_changed_is_not_shown() -> None:
    blocks = SECTION.build(judged.view())
    assert isinstance(blocks[1], Missing)
    assert "python -m evals.gates explain quick" in blocks[1].text


def test_a_policy_that_the_run_wrote_down_outlives_its_file() -> None:
    policy = load_policy("quick").model_copy(update={"alpha": 0.01, "name": "mine"})
    decision = decided("fast", "HOLD").model_copy(update={"policy_sha256": policy_sha256(policy)})
    view = view_of(study_of(policy="mine.yaml"), {"fast": ()}, [decision])
    told = replace(view.told, policy=Policy.model_validate_json(policy.model_dump_json()))
    shown = SECTION.build(replace(view, told=told))[1]
    assert isinstance(shown, Verbatim)
    assert "one-sided at 99 %" in shown.label


def test_engines_are_shown_verbatim() -> None:
    engine = SECTION.build(judged.view())[2]
    assert isinstance(engine, Verbatim)
    assert engine.label == "baseline: vllm 0.32.0, as launched and as it reports"
    assert engine.text.splitlines()[0] == "OMP_NUM_THREADS=2"


def test_cells_in_words() -> None:
    study = fixture.study()
    assert objective_words(study) == "time per output token in cell closed-1 (one user at a time)"
    assert cell_words(study, "closed-8") == "closed-8 (8 users at once)"
    assert cell_words(study, "poisson-2.5") == "poisson-2.5 (2.5 requests a second, at random)"
    assert cell_words(study, "elsewhere") == "elsewhere"
