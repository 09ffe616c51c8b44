import errno
import hashlib
import json
import multiprocessing
import os
import signal
import time
from pathlib import Path

import pytest

from variants.errors import BuildError, LedgerError
from variants.kept import durable
from variants.kept.manifest import Metadata
from variants.kept.store import Store

NAME = "0123456789abcdef"


def make(folder: Path) -> Metadata:
    (folder / "sub").mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "sub" / "a.safetensors").write_bytes(b"1234")
    return {"tool": "1.0"}


def never(_folder: Path) -> Metadata:
    raise AssertionError("a whole artifact was built again")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def names(store: Store) -> list[str]:
    return sorted(path.name for path in store.artifacts.glob("*"))


def test_a_built_artifact_is_found_and_never_built_again(store: Store) -> None:
    assert store.find(NAME) is None
    manifest = store.build(NAME, make)
    assert manifest.metadata == {"tool": "1.0"}
    assert manifest.files["sub/a.safetensors"].bytes == 4
    assert manifest.files["config.json"].sha256 == hashlib.sha256(b"{}").hexdigest()
    assert manifest.num_bytes == 6
    assert store.build(NAME, never) == store.find(NAME) == manifest
    assert names(store) == [NAME]


def test_the_manifest_digest_is_that_of_the_file(store: Store) -> None:
    manifest = store.build(NAME, make)
    content = (store.folder(NAME) / "manifest.json").read_bytes()
    assert manifest.sha256 == hashlib.sha256(content).hexdigest()


def remove_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def cut_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"files":', encoding="utf-8")


def forge_manifest(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(
        json.dumps(manifest | {"fingerprint": "f" * 16}, sort_keys=True, separators=(",", ":")),
        encoding="utf-8",
    )


def change_byte(folder: Path) -> None:
    (folder / "sub" / "a.safetensors").write_bytes(b"1235")


def cut_file(folder: Path) -> None:
    (folder / "sub" / "a.safetensors").write_bytes(b"12")


def remove_file(folder: Path) -> None:
    (folder / "config.json").unlink()


def add_file(folder: Path) -> None:
    (folder / "model.bin").write_bytes(b"")


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (remove_manifest, "never finished"),
        (cut_manifest, "cannot be read"),
        (forge_manifest, "was changed after it was written"),
        (change_byte, "sub/a.safetensors has another digest"),
        (cut_file, "sub/a.safetensors has 2 bytes instead of 4"),
        (remove_file, "config.json is missing"),
        (add_file, "model.bin is not in the manifest"),
    ],
)
def test_a_broken_artifact_is_never_taken_for_whole(
    store: Store, damage: object, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.build(NAME, make)
    damage(store.folder(NAME))  # type: ignore[operator]
    assert words in " ".join(store.verify(NAME))
    assert store.find(NAME) is None
    assert "is not whole" in caplog.text
    store.build(NAME, make)
    assert store.verify(NAME) == ()
    assert any(name.startswith(f"{NAME}.broken-") for name in names(store))


def test_an_error_of_the_builder_leaves_nothing_behind(store: Store) -> None:
    def fail(folder: Path) -> Metadata:
        make(folder)
        raise RuntimeError("no kernel")

    with pytest.raises(RuntimeError, match="no kernel"):
        store.build(NAME, fail)
    assert names(store) == []


def test_a_builder_that_writes_nothing_is_refused(store: Store) -> None:
    with pytest.raises(BuildError, match="wrote no file"):
        store.build(NAME, lambda _folder: {})
    assert names(store) == []


@pytest.mark.parametrize(
    "problem",
    [
        OSError(errno.ENOSPC, "No space left on device"),
        RuntimeError("I/O error: No space left on device (os error 28)"),  # safetensors' words
    ],
)
def test_a_full_disk_is_a_build_error_and_leaves_nothing_behind(
    store: Store, problem: Exception
) -> None:
    def fail(folder: Path) -> Metadata:
        make(folder)
        raise problem

    with pytest.raises(
        BuildError, match=r"full after 6 bytes; it needs more than 6, and [\d,]+ are"
    ):
        store.build(NAME, fail)
    assert names(store) == []


def test_space_is_checked_before_a_build(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable, "free_bytes", lambda _path: 1000)
    with pytest.raises(BuildError, match="needs 2,000 bytes and its disk has 1,000 free"):
        store.build(NAME, never, needed_bytes=2000)
    durable.require_space(store.root, 1000)


@pytest.mark.parametrize("name", ["", "../escape", "UPPER", "abc", "0123456789abcdeg"])
def test_only_fingerprints_name_artifacts(store: Store, name: str) -> None:
    with pytest.raises(BuildError, match="no fingerprint"):
        store.build(name, never)


def _build_slowly(root: Path, log: Path) -> None:
    def slow(folder: Path) -> Metadata:
        with log.open("a") as stream:
            stream.write("built\n")
        time.sleep(0.3)
        return make(folder)

    Store(root).build(NAME, slow)


def test_two_runs_at_once_build_once(store: Store, tmp_path: Path) -> None:
    context, log = multiprocessing.get_context("fork"), tmp_path / "log"
    runs = [context.Process(target=_build_slowly, args=(store.root, log)) for _ in range(3)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(20)
    assert [run.exitcode for run in runs] == [0, 0, 0]
    assert log.read_text() == "built\n"
    assert store.verify(NAME) == ()


def _build_for_ever(root: Path) -> None:
    def hang(folder: Path) -> Metadata:
        make(folder)
        time.sleep(60)
        return {}

    Store(root).build(NAME, hang)


def test_a_killed_build_is_cleared_by_the_next(store: Store) -> None:
    run = multiprocessing.get_context("fork").Process(target=_build_for_ever, args=(store.root,))
    run.start()
    deadline = time.monotonic() + 10
    while not list(store.artifacts.glob("*/config.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert store.prune() == ()  # a folder under construction is left alone
    os.kill(run.pid or 0, signal.SIGKILL)
    run.join(10)
    assert store.find(NAME) is None
    store.build(NAME, make)
    assert names(store) == [NAME]


def test_prune_keeps_what_it_is_told_to(store: Store) -> None:
    other = "f" * 16
    store.build(NAME, make)
    store.build(other, make)
    (store.artifacts / f"{NAME}.broken-x").mkdir()
    assert store.prune(keep={NAME}) == (f"{NAME}.broken-x", other)
    assert names(store) == [NAME]


def test_evidence_is_named_by_its_digest_and_verified(store: Store) -> None:
    digest = store.put_evidence("run-1", "int8", "cell.closed-8.0", '{"a":1}')
    assert digest == hashlib.sha256(b'{"a":1}').hexdigest()
    store.put_evidence("run-1", "int8", "cell.closed-8.0", '{"a":1}')
    store.put_evidence("run-1", "bf16", "audit", "{}")
    found = list(store.evidence("run-1"))
    assert [(one.variant, one.step, one.text) for one in found] == [
        ("bf16", "audit", "{}"),
        ("int8", "cell.closed-8.0", '{"a":1}'),
    ]
    assert found[1].path.name == f"cell.closed-8.0-{digest}.json"
    assert [one.digest for one in store.evidence("run-1", "int8")] == [digest]
    assert list(store.evidence("run-2")) == []


@pytest.mark.parametrize("content", [b'{"a":2}', b"", b"\xff\xfe"])
def test_evidence_that_does_not_verify_is_reported_not_raised(store: Store, content: bytes) -> None:
    store.put_evidence("run", "int8", "audit", "{}")
    store.put_evidence("run", "int8", "start", "{}")
    next(store.evidence("run")).path.write_bytes(content)
    broken, whole = store.evidence("run")
    assert broken.text is None
    assert broken.problem
    assert whole.text == "{}"
    assert whole.problem == ""


def test_a_file_that_is_not_named_like_evidence_is_reported(store: Store) -> None:
    store.put_evidence("run", "int8", "audit", "{}")
    (store.root / "evidence" / "run" / "int8" / "note.json").write_text("{}", encoding="utf-8")
    assert [bool(one.problem) for one in store.evidence("run")] == [False, True]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../up", "a/b", "/abs", "a\0b", "x" * 129, "-f", "a\n"]
)
def test_names_that_would_leave_the_store_are_refused(store: Store, name: str) -> None:
    for names_given in ((name, "v", "s"), ("r", name, "s"), ("r", "v", name)):
        with pytest.raises(LedgerError, match="cannot name evidence"):
            store.put_evidence(*names_given, text="{}")
    with pytest.raises(LedgerError):
        list(store.evidence("r", name))


def test_blobs_are_kept_by_digest(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "traces.parquet"
    path.write_bytes(b"PAR1")
    digest = store.put_blob(path)
    assert digest == hashlib.sha256(b"PAR1").hexdigest()
    assert store.blob(digest).read_bytes() == b"PAR1"
    assert path.exists()
    store.blob(digest).write_bytes(b"other")
    with pytest.raises(LedgerError, match="has sha256"):
        store.blob(digest)
    with pytest.raises(LedgerError, match="is missing"):
        store.blob("0" * 64)
    with pytest.raises(LedgerError, match="no sha256"):
        store.blob("../secret")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    durable.write_bytes(path, b"old")
    with pytest.raises(RuntimeError), durable.beside(path) as stream:
        stream.write(b"new")
        raise RuntimeError("interrupted")
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]
