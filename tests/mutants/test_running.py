"""Decisions are read back from the store, and faulty checkpoints do not stay."""

from pathlib import Path

from tests.mutants.bench import Bench, clear
from tests.mutants.running import decisions_of
from tests.mutants.test_judging import decision
from variants.home import Home
from variants.kept.manifest import Metadata
from variants.kept.store import Store


def test_the_decision_on_each_variant_is_read_back(tmp_path: Path) -> None:
    home = Home(tmp_path)
    made = {"copy": decision(), "nan-row": decision("audit")}
    for name, one in made.items():
        Store(home.store).put_evidence("r", name, "entry.decision", one.model_dump_json())
        Store(home.store).put_evidence("r", name, "check.plan", "{}")
    assert decisions_of("r", home) == made


def test_only_the_sound_checkpoint_stays(tmp_path: Path) -> None:
    home, store = Home(tmp_path), Store(tmp_path / "store")

    def make(folder: Path) -> Metadata:
        (folder / "config.json").write_text("{}")
        return {}

    for fingerprint in ("00000000", "11111111"):
        store.build(fingerprint, make)
    bench = Bench(store.folder("00000000"), tmp_path / "checkpoints", 1)
    bench.folder.mkdir()
    clear(home, bench)
    assert not bench.folder.exists()
    assert [one.name for one in store.artifacts.iterdir()] == ["00000000"]
