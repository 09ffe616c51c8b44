import json
from pathlib import Path

import pytest

from variants.builders.draft import build_draft
from variants.errors import BuildError, SourceError
from variants.kept.contents import digest_content
from variants.kept.store import Store
from variants.specs.spec import Base, Speculation


@pytest.fixture
def head(tmp_path: Path) -> Path:
    folder = tmp_path / "head"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "eagle"}))
    (folder / "model.safetensors").write_bytes(b"not looked into")
    return folder


def test_what_needs_no_draft_has_none(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    assert build_draft(store, None, tmp_path) is None
    assert build_draft(store, Speculation(), tmp_path) is None
    assert build_draft(store, Speculation(method="mtp"), tmp_path) is None


def test_a_head_is_taken_as_it_is_once_its_digest_is_right(tmp_path: Path, head: Path) -> None:
    store = Store(tmp_path / "store")
    draft = Base(source=f"file://{head}", sha256=digest_content(head))
    made = build_draft(store, Speculation(method="eagle", draft=draft), tmp_path)
    assert made is not None
    assert set(made.files) == {"config.json", "model.safetensors"}
    wrong = Base(source=f"file://{head}", sha256="0" * 64)
    with pytest.raises(SourceError):
        build_draft(store, Speculation(method="eagle", draft=wrong), tmp_path)


def test_a_head_without_a_digest_is_refused(tmp_path: Path, head: Path) -> None:
    draft = Base(source=f"file://{head}")
    with pytest.raises(BuildError, match="names no digest"):
        build_draft(Store(tmp_path), Speculation(method="eagle", draft=draft), tmp_path)
