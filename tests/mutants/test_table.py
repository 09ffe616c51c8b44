"""The table of mutants fits the studies, the policy and the pipeline; nothing is run."""

from pathlib import Path

import pytest

from evals.gates import load_policy
from evals.gates.kinds import PairedAccuracyGate, stage_of
from evals.study_file import load_study, variant_specs
from tests.mutants.bench import Bench, own_home
from tests.mutants.making import PROCESSORS
from tests.mutants.mutant import StudyName
from tests.mutants.studies import OWN, POLICY, study_of, write_study
from tests.mutants.table import MUTANTS, SIGMAS
from tests.mutants.test_companions import write as write_companions
from variants.home import Home
from variants.kept.contents import digest_content

OF_COMPANIONS = ("other-template", "no-bos", "shuffled-ids")
OF_WEIGHTS = ("noise-1", "noise-2", "noise-3", "noise-4", "silenced-layer", "zeroed-layer",
              "nan-row", "stale-cache")  # fmt: skip
BEHAVIOURS = ("empty", "garbage", "always-calls", "always-refuses", "never-refuses")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    sound = write_companions(tmp_path / "sound")
    (sound / "manifest.json").write_text("{}")
    return Bench(sound, tmp_path / "check points", 7)


def test_every_name_is_one_mutant() -> None:
    names = [one.name for one in MUTANTS]
    assert len(set(names)) == len(names)
    assert {one.study for one in MUTANTS} == set(OWN)


def test_noise_rises_from_rung_to_rung() -> None:
    assert list(SIGMAS) == sorted(set(SIGMAS))
    assert [one.rung for one in MUTANTS if one.rung is not None] == list(range(len(SIGMAS)))


def test_what_must_decide_is_a_gate_of_that_stage() -> None:
    stages = {gate.id: stage_of(gate) for gate in load_policy(POLICY).gates}
    for mutant in MUTANTS:
        for gate in mutant.expect.gates or ():
            assert mutant.expect.stages == frozenset({stages[gate]}), mutant.name


@pytest.mark.parametrize("name", sorted(OWN))
def test_a_study_is_read_back_as_it_was_made(name: StudyName, tmp_path: Path, bench: Bench) -> None:
    entries = {one.name: one for one in MUTANTS if one.study == name and one.name not in OF_WEIGHTS}
    made = [one.make(one.name, bench).entry for one in entries.values()]
    study = study_of(name, made, 7, tmp_path)
    path = write_study(study, tmp_path)
    read = load_study(str(path), tmp_path)
    assert read == study
    assert set(variant_specs(read)) == set(entries)
    gates = load_policy(read.policy).gates
    assert set(read.suites) == {one.suite for one in gates if isinstance(one, PairedAccuracyGate)}


@pytest.mark.parametrize(
    ("name", "tier"), [("mutants", "required"), ("mutants-answers", "advisory")]
)
def test_where_answers_are_judged_no_gain_stops_them_before(
    name: StudyName, tier: str, tmp_path: Path
) -> None:
    gates = load_policy(study_of(name, ["copy"], 7, tmp_path).policy).gates
    assert [gate.tier for gate in gates if gate.kind == "benefit"] == [tier]


@pytest.mark.parametrize("name", OF_COMPANIONS)
def test_a_spoilt_checkpoint_is_another_one_without_the_manifest(name: str, bench: Bench) -> None:
    (mutant,) = (one for one in MUTANTS if one.name == name)
    made = mutant.make(name, bench)
    folder = bench.folder / name
    assert isinstance(made.entry, dict)
    source = made.entry["prebuilt"]["source"]
    assert source == f"file://{folder}#sha256={digest_content(folder)}"
    assert not (folder / "manifest.json").exists()
    assert digest_content(folder) != digest_content(bench.sound)
    assert mutant.make(name, bench).how == made.how  # the seed repeats it


def test_every_processor_named_is_there() -> None:
    text = Path(__file__).with_name("behaviours.py").read_text()
    bench = Bench(Path(), Path(), 0)
    for mutant in (one for one in MUTANTS if one.name in BEHAVIOURS):
        entry = mutant.make(mutant.name, bench).entry
        assert isinstance(entry, dict)
        arguments = str(entry["served"]["arguments"])
        assert arguments.startswith(PROCESSORS)
        assert f"class {arguments.removeprefix(PROCESSORS)}(" in text
    assert "class RefusesUnsafe(" in text


def test_mutants_have_a_home_of_their_own(tmp_path: Path) -> None:
    home = own_home(Home(tmp_path / "user"))
    assert home.channels.resolve() != (tmp_path / "user" / "channels").resolve()
    assert home.engines.resolve() == (tmp_path / "user" / "engines").resolve()
    assert own_home(Home(tmp_path / "user")) == home
