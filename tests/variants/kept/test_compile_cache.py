from pathlib import Path

import pytest

from variants.errors import EngineError
from variants.hardware import Accelerator, Hardware
from variants.kept.compile_cache import (
    CacheBinding,
    differences,
    machine_of,
    pack,
    torch_version,
    unpack,
)
from variants.kept.store import Store

HERE = CacheBinding(
    engine="vllm",
    engine_version="0.32.0",
    torch_version="2.13.0+cpu",
    driver="cpu",
    architecture="amx_bf16 avx512f",
    artifact="a" * 16,
    serving="b" * 16,
    folder="/store/artifacts/a",
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    folder = tmp_path / "cache"
    (folder / "inductor" / "ab").mkdir(parents=True)
    (folder / "inductor" / "ab" / "kernel.so").write_bytes(b"\x7fELF")
    (folder / "key_factors.json").write_text("{}")
    return folder


def other(**changes: str) -> CacheBinding:
    return HERE.model_copy(update=changes)


def test_what_was_packed_is_unpacked_where_everything_matches(
    store: Store, cache: Path, tmp_path: Path
) -> None:
    packed = pack(store, cache, HERE)
    assert packed is not None
    assert packed.fingerprint == HERE.key
    assert packed.metadata["binding"] == HERE.model_dump()
    target = tmp_path / "next"
    (target / "stale").mkdir(parents=True)
    (target / "stale" / "kernel.so").write_bytes(b"old")
    found = unpack(store, HERE, target)
    assert (found.key, found.is_refused) == (HERE.key, False)
    assert found.reason.endswith("unpacked: everything it is bound to matches")
    assert sorted(str(one.relative_to(target)) for one in target.rglob("*") if one.is_file()) == [
        "inductor/ab/kernel.so",
        "key_factors.json",
    ]


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("engine_version", "0.33.0", "engine version 0.32.0 there, 0.33.0 here"),
        ("torch_version", "2.14.0", "torch version 2.13.0+cpu there, 2.14.0 here"),
        ("driver", "580.1", "driver cpu there, 580.1 here"),
        ("architecture", "avx2", "architecture amx_bf16 avx512f there, avx2 here"),
        ("serving", "c" * 16, f"serving {'b' * 16} there, {'c' * 16} here"),
        ("folder", "/b", "folder /store/artifacts/a there, /b here"),
    ],
)
def test_another_state_refuses_it_and_says_why(
    store: Store, cache: Path, tmp_path: Path, field: str, value: str, told: str
) -> None:
    pack(store, cache, HERE)
    target = tmp_path / "next"
    found = unpack(store, other(**{field: value}), target)
    assert (found.key, found.is_refused) == (None, True)
    assert found.reason == f"compile cache {HERE.key} refused: {told}; compiled anew"
    assert not target.exists()


def test_all_that_differs_is_named() -> None:
    unlike = differences(HERE, other(driver="580.1", engine_version="0.33.0"))
    assert unlike == ("engine version 0.32.0 there, 0.33.0 here", "driver cpu there, 580.1 here")


def test_the_nearest_of_several_is_told(store: Store, cache: Path, tmp_path: Path) -> None:
    pack(store, cache, other(engine_version="0.31.0", torch_version="2.12.0"))
    pack(store, cache, other(engine_version="0.31.0"))
    reason = unpack(store, HERE, tmp_path / "next").reason
    assert "engine version 0.31.0 there" in reason
    assert "torch" not in reason


def test_another_artifacts_cache_is_not_even_looked_at(
    store: Store, cache: Path, tmp_path: Path
) -> None:
    pack(store, cache, HERE)
    found = unpack(store, other(artifact="d" * 16), tmp_path / "next")
    assert found.reason == "no compile cache is packed for this artifact"
    assert not found.is_refused


def test_what_was_changed_after_it_was_packed_is_refused(
    store: Store, cache: Path, tmp_path: Path
) -> None:
    """A compile cache is code: nothing else may be run from it."""
    pack(store, cache, HERE)
    (store.folder(HERE.key) / "inductor" / "ab" / "kernel.so").write_bytes(b"\x7fEVI")
    found = unpack(store, HERE, tmp_path / "next")
    assert found.is_refused
    assert "changed after it was packed: inductor/ab/kernel.so has another digest" in found.reason
    assert not (tmp_path / "next").exists()


def test_a_label_that_was_changed_is_refused(store: Store, cache: Path, tmp_path: Path) -> None:
    """The name is the digest of what it is bound to, so a new label has another name."""
    pack(store, cache, HERE)
    path = store.folder(HERE.key) / "manifest.json"
    path.write_text(path.read_text().replace("0.32.0", "0.33.0"))
    found = unpack(store, other(engine_version="0.33.0"), tmp_path / "next")
    assert found.is_refused
    assert "its label was changed" in found.reason
    path.write_text(path.read_text() + " ")
    found = unpack(store, HERE, tmp_path / "next")
    assert found.is_refused
    assert "was changed after it was written" in found.reason


def test_an_engine_that_compiled_nothing_leaves_no_package(store: Store, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert pack(store, tmp_path / "empty", HERE) is None
    assert pack(store, tmp_path / "absent", HERE) is None


def test_where_an_artifact_lies_is_compared_and_not_in_the_name() -> None:
    assert other(folder="/elsewhere").key == HERE.key
    names = set(CacheBinding.model_fields) - {"folder"}
    assert len({other(**{name: "x"}).key for name in names} | {HERE.key}) == len(names) + 1


def hardware(*gpus: Accelerator) -> Hardware:
    return Hardware(
        target="cuda" if gpus else "cpu", cpu_model="x", num_cores=2,
        cpu_flags=("amx_bf16", "avx512f"), memory_bytes=1, accelerators=gpus, os="x", python="x",
    )  # fmt: skip


def test_a_machine_is_its_driver_and_what_code_is_made_for() -> None:
    assert machine_of(hardware()) == {"driver": "cpu", "architecture": "amx_bf16 avx512f"}
    gpu = Accelerator(
        name="NVIDIA H200", memory_bytes=1, driver="580.1", uuid="GPU-1", compute_capability="9.0"
    )
    assert machine_of(hardware(gpu)) == {"driver": "580.1", "architecture": "NVIDIA H200 9.0"}


def test_torch_is_read_off_the_engines_environment(tmp_path: Path) -> None:
    packages = tmp_path / "lib" / "python3.11" / "site-packages"
    (packages / "torch-2.13.0+cpu.dist-info").mkdir(parents=True)
    (packages / "torchvision-0.24.dist-info").mkdir()
    python = tmp_path / "bin" / "python"
    assert torch_version(python) == "2.13.0+cpu"
    (packages / "torch-2.12.0.dist-info").mkdir()
    with pytest.raises(EngineError, match="2 versions of torch"):
        torch_version(python)
