"""Files that can run code, settings that ask for it, and links elsewhere end the audit at once."""

import json
import pickle
from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import CONFIG, artifact, bf16, failed, only
from variants.audit import audit_artifact
from variants.kept.contents import stray_links

CODE_NAMES = ["pytorch_model.bin", "training_args.pt", "modeling_x.py", "kernel.so", "x.pyc"]


@pytest.mark.parametrize("name", CODE_NAMES)
def test_files_that_run_code_end_the_audit(base: Path, name: str) -> None:
    (base / name).write_bytes(b"")
    findings = audit_artifact(base, None, None)
    assert name in only(findings, "unsafe files")
    assert len(findings) == 1


@pytest.mark.parametrize("content", [pickle.dumps([1], protocol=4), b"PK\x03\x04archive"])
def test_a_pickle_by_another_name_is_seen(base: Path, content: bytes) -> None:
    (base / "weights.dat").write_bytes(content)
    assert "weights.dat begins as a pickle" in only(
        audit_artifact(base, None, None), "unsafe files"
    )


@pytest.mark.parametrize(
    ("file", "setting"),
    [
        ("config.json", {"auto_map": {"AutoModel": "somebody/else--modeling.Model"}}),
        ("tokenizer_config.json", {"auto_map": {"AutoTokenizer": ["tokenization.Mine", None]}}),
        ("generation_config.json", {"trust_remote_code": True}),
    ],
)
def test_settings_that_ask_for_code_are_seen(
    base: Path, file: str, setting: dict[str, object]
) -> None:
    (base / file).write_text(json.dumps(CONFIG | setting), encoding="utf-8")
    assert f"{file} asks for code" in only(audit_artifact(base, None, None), "unsafe files")


def test_links_out_of_the_folder_are_seen(tmp_path: Path, base: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("private", encoding="utf-8")
    (base / "notes.txt").symlink_to(secret)
    (base / "lost.txt").symlink_to(tmp_path / "gone")
    (base / "circle.txt").symlink_to(base / "circle.txt")
    (base / "inside.txt").symlink_to(base / "config.json")
    assert stray_links(base) == ("circle.txt", "lost.txt", "notes.txt")
    assert "circle.txt is a link" in only(audit_artifact(base, None, None), "unsafe files")


def test_links_to_a_folder_elsewhere_are_seen(tmp_path: Path, base: Path) -> None:
    (tmp_path / "other").mkdir()
    (base / "templates").symlink_to(tmp_path / "other")
    assert stray_links(base) == ("templates",)


def test_the_links_of_a_hubs_cache_are_at_home(tmp_path: Path) -> None:
    (tmp_path / "snapshots").mkdir()
    (tmp_path / "blobs").mkdir()
    folder = artifact(tmp_path / "snapshots" / "abc", bf16())
    (folder / "config.json").rename(tmp_path / "blobs" / "c0ffee")
    (folder / "config.json").symlink_to(Path("../../blobs/c0ffee"))
    assert failed(audit_artifact(folder, None, None)) == {}
