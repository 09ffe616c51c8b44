"""A checkpoint that somebody else has made is taken as it is, and only if it is the one named."""

from pathlib import Path

import pytest

from variants.builders.artifact import artifact_key, build_artifact
from variants.catalogue import BASES, prebuilt, variant_of
from variants.errors import RecipeError, SourceError, StudyError
from variants.kept.contents import digest_content
from variants.kept.store import Store
from variants.sources import Source
from variants.specs.ladder import change_class, changes_weights
from variants.specs.spec import Serving, Variant

BASE = BASES["smollm2-135m-instruct"]


def checkpoint(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def spec(source: str, scheme: str = "") -> Variant:
    return prebuilt(BASE, Serving(), "theirs", source, scheme)


def built(folder: Path, variant: Variant) -> Path:
    store, source = Store(folder / "store"), Source(folder, "a" * 64, "toy")
    made = build_artifact(store, source, variant.recipe, folder / "cache")
    assert made.fingerprint == artifact_key(source, variant.recipe)
    return store.folder(made.fingerprint)


def test_every_file_is_copied_and_links_become_files(tmp_path: Path) -> None:
    theirs = checkpoint(tmp_path / "theirs")
    (theirs / "tokenizer.json").symlink_to(theirs / "config.json")
    address = f"file://{theirs}#sha256={digest_content(theirs)}"
    artifact = built(tmp_path, spec(address))
    assert (artifact / "model.safetensors").read_bytes() == b"weights"
    assert not (artifact / "tokenizer.json").is_symlink()


def test_what_changed_since_it_was_named_is_refused_with_the_digest_it_has(tmp_path: Path) -> None:
    theirs = checkpoint(tmp_path / "theirs")
    variant = spec(f"file://{theirs}#sha256={digest_content(theirs)}")
    (theirs / "model.safetensors").write_bytes(b"changed")
    with pytest.raises(SourceError, match=digest_content(theirs)):
        built(tmp_path, variant)


def test_a_single_file_is_no_prebuilt_variant(tmp_path: Path) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(RecipeError, match="single file"):
        built(tmp_path, spec(f"file://{file}#sha256={digest_content(file)}"))


def test_a_source_without_a_digest_is_refused() -> None:
    arguments = {"name": "theirs", "source": "file:///x"}
    with pytest.raises(StudyError, match="#sha256="):
        variant_of("prebuilt", arguments, BASE, Serving())


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [("", "lossless"), ("int8_w8a8", "8-bit"), ("int4_w4a16-g64", "4-bit")],
)
def test_it_is_judged_as_what_it_claims_to_be(scheme: str, expected: str) -> None:
    variant = spec(f"file:///x#sha256={'0' * 64}", scheme)
    assert changes_weights(variant)
    assert change_class(variant) == expected


def test_an_unknown_claim_is_refused() -> None:
    arguments = {"name": "theirs", "source": f"file:///x#sha256={'0' * 64}", "scheme": "int3"}
    with pytest.raises(StudyError, match="int3"):
        variant_of("prebuilt", arguments, BASE, Serving())


def test_further_arguments_come_last_and_keep_the_weights() -> None:
    serving = Serving(arguments=("--max-num-seqs", "8"))
    arguments = {"name": "wide", "arguments": "--max-num-seqs 64"}
    variant = variant_of("served", arguments, BASE, serving)
    assert variant.serving.arguments == ("--max-num-seqs", "8", "--max-num-seqs", "64")
    assert not changes_weights(variant)


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("served", {"name": "fast", "arguments": 64}, "arguments is 64, str is needed"),
        ("prebuilt", {"name": "x", "source": 5}, "source is 5, str is needed"),
        ("int4_w4a16", {"group_size": True}, "group_size is True, int is needed"),
    ],
)
def test_an_argument_of_another_kind_is_told(
    name: str, arguments: dict[str, int | float | str | bool], told: str
) -> None:
    with pytest.raises(StudyError, match=told):
        variant_of(name, arguments, BASE, Serving())


def test_links_that_lead_nowhere_and_a_foreign_manifest_are_refused(tmp_path: Path) -> None:
    theirs = checkpoint(tmp_path / "theirs")
    (theirs / "more.safetensors").symlink_to(tmp_path / "gone")
    with pytest.raises(RecipeError, match=r"links to no file of its own \(more\.safetensors\)"):
        built(tmp_path, spec(f"file://{theirs}#sha256={digest_content(theirs)}"))
    (theirs / "more.safetensors").unlink()
    (theirs / "manifest.json").write_text("{}")
    with pytest.raises(RecipeError, match="rename it"):
        built(tmp_path, spec(f"file://{theirs}#sha256={digest_content(theirs)}"))
