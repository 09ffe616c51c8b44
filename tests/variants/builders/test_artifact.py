from pathlib import Path

import pytest

from variants.builders import artifact
from variants.builders.artifact import artifact_key, build_artifact, tool_versions
from variants.errors import BuildError
from variants.kept.store import Store
from variants.sources import Source
from variants.specs.spec import Calibration, Quantization, Recipe

SOURCE = Source(Path("/models/toy"), "a" * 64, "toy")
RTN = Recipe(quantization=Quantization(scheme="int4_w4a16", group_size=64))
GPTQ = Recipe(
    quantization=Quantization(
        scheme="int4_w4a16", algorithm="gptq", group_size=64, calibration=Calibration()
    )
)


def seeded(seed: int) -> Recipe:
    assert GPTQ.quantization is not None
    changed = {"calibration": Calibration(seed=seed)}
    return Recipe(quantization=GPTQ.quantization.model_copy(update=changed))


def test_all_that_shapes_the_bytes_is_in_the_key() -> None:
    other = Source(SOURCE.path, "b" * 64, "toy")
    keys = [
        artifact_key(SOURCE, Recipe()),
        artifact_key(other, Recipe()),
        artifact_key(SOURCE, RTN),
        artifact_key(SOURCE, GPTQ),
        artifact_key(SOURCE, seeded(1)),
    ]
    assert len(set(keys)) == len(keys)
    assert artifact_key(SOURCE, seeded(0)) == artifact_key(SOURCE, GPTQ)


def test_where_a_source_lies_is_not_in_the_key() -> None:
    moved = Source(Path("/elsewhere/toy"), SOURCE.digest, "moved")
    assert artifact_key(moved, RTN) == artifact_key(SOURCE, RTN)


def test_another_version_of_a_tool_is_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = artifact_key(SOURCE, RTN)
    versions = tool_versions() | {"llmcompressor": "0"}
    monkeypatch.setattr(artifact, "tool_versions", lambda: versions)
    assert artifact_key(SOURCE, RTN) != before


def test_a_source_that_is_no_model_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "no-such-model"}', encoding="utf-8")
    store = Store(tmp_path / "store")
    with pytest.raises(BuildError, match="cannot read the base source"):
        build_artifact(store, Source(folder, "a" * 64, "toy"), Recipe(), tmp_path)
    assert [path.name for path in store.artifacts.glob("[!.]*") if path.is_dir()] == []
