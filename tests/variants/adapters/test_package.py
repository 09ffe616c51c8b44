"""Packages in the store: whole, bound to their base, and made of nothing that was refused."""

from pathlib import Path

import pytest

from tests.variants.adapters.hand import adapter, base, f32, matrices, settings
from variants.adapters import adapter_key, package_adapter
from variants.adapters.audit import Ground
from variants.adapters.origin import VARIABLE
from variants.adapters.package import require_base
from variants.errors import RecipeError, SourceError
from variants.kept.contents import digest_content
from variants.kept.manifest import Manifest
from variants.kept.store import Store
from variants.specs.spec import Adapter

DIGEST = "b" * 64


def spec(folder: Path) -> Adapter:
    return Adapter(name="poet", source=f"file://{folder}", sha256=digest_content(folder))


def packaged(
    tmp_path: Path, asked: Adapter, digest: str = DIGEST, admitted: tuple[str, ...] = ()
) -> Manifest:
    ground = tmp_path / "base"
    folder = ground if ground.exists() else base(ground)
    store = Store(tmp_path / "store")
    return package_adapter(
        store, asked, Ground(folder, "wheel://toy==1/toy", digest), tmp_path / "cache", admitted
    )


def test_a_package_holds_its_own_files_and_says_what_it_is(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    (folder / "tokenizer.json").write_text("{}")
    (folder / "LICENSE").write_text("Apache")
    manifest = packaged(tmp_path, spec(folder))
    assert set(manifest.files) == {
        "adapter_config.json", "adapter_model.safetensors", "README.md", "LICENSE",
    }  # fmt: skip
    told = manifest.metadata
    assert told["base_sha256"] == DIGEST
    assert told["licence"] == "apache-2.0"
    assert (told["max_rank"], told["alpha"], told["num_layers"]) == (2, 4.0, 2)
    assert told["targets"] == ["up_proj"]
    assert told["matrix_bytes"] == 2 * (2 * 4 + 8 * 2) * 4  # two layers, A and B, fp32
    assert packaged(tmp_path, spec(folder)) == manifest  # from the store


def test_another_base_is_another_package_and_another_audit(tmp_path: Path) -> None:
    asked = spec(adapter(tmp_path / "a"))
    first = packaged(tmp_path, asked)
    require_base(first, DIGEST)
    with pytest.raises(RecipeError, match="audited against base bbbbbbbbbbbb, and this is base cc"):
        require_base(first, "c" * 64)
    (tmp_path / "base" / "config.json").unlink()
    with pytest.raises(RecipeError, match="fits the base"):
        packaged(tmp_path, asked, "c" * 64)  # nothing of the first package is taken over
    assert packaged(tmp_path, asked) == first
    assert adapter_key(asked, DIGEST) != adapter_key(asked, "c" * 64)


@pytest.mark.parametrize(
    ("name", "told"),
    [("nan", "finite"), ("rank", "structure"), ("wide", "fits the base"), ("card", "licence")],
)
def test_a_refused_adapter_leaves_nothing_in_the_store(
    tmp_path: Path, name: str, told: str
) -> None:
    up = next(one for one in matrices() if "lora_B" in one)
    folder = {
        "nan": lambda to: adapter(to, {**matrices(), up: f32(8, 2, value=float("nan"))}),
        "rank": lambda to: adapter(to, said=settings(r=10**6)),
        "wide": lambda to: adapter(to, {**matrices(), up: f32(16, 2)}),
        "card": lambda to: adapter(to, card=""),
    }[name](tmp_path / "a")
    with pytest.raises(RecipeError, match=f"adapter poet is refused: {told}"):
        packaged(tmp_path, spec(folder))
    assert list((tmp_path / "store" / "artifacts").iterdir()) == []


def test_the_lists_are_asked_even_where_the_package_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = spec(adapter(tmp_path / "a"))
    packaged(tmp_path, asked, admitted=(f"file://{tmp_path}/",))
    with pytest.raises(RecipeError, match="not admitted; admitted are hf://acme/"):
        packaged(tmp_path, asked, admitted=("hf://acme/",))
    monkeypatch.setenv(VARIABLE, "file:///srv/ hf://acme/")
    with pytest.raises(RecipeError, match="not admitted"):
        packaged(tmp_path, asked)


def test_one_that_changed_since_it_was_named_is_refused(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    asked = spec(folder)
    (folder / "README.md").write_text("---\nlicense: mit\n---\n")
    with pytest.raises(SourceError, match="look at what changed"):
        packaged(tmp_path, asked)
