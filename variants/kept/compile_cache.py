"""A compile cache as an artifact: bound to what compiled it, refused anywhere else.

What an engine compiles is code for one GPU or instruction set, made by one version of engine and
torch for one artifact and one way of serving; elsewhere it is at best ignored and at worst loaded.
So a package says what it was made with, its bytes are verified by the store's manifest, and a start
that differs in anything gets a sentence that names it instead of the files. Whether the engine then
used them is proven from its log alone. vLLM 0.32 keys its own cache with the artifact's folder too
(config/model.py, compute_hash), so the folder is compared, though it is no part of the name.

Example: packed by engine version 0.31.0 and asked for by 0.32.0:
"compile cache 5b1c… refused: engine version 0.31.0 there, 0.32.0 here; compiled anew".
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field, ValidationError

from variants.errors import BuildError, EngineError
from variants.fingerprint import fingerprint
from variants.hardware import Hardware
from variants.kept.contents import list_files
from variants.kept.manifest import NAME, Manifest, Metadata, read_manifest
from variants.kept.store import Store
from variants.specs.spec import Spec

KIND = "compile-cache"


class CacheBinding(Spec):
    """Everything that compiled code depends on."""

    engine: str
    engine_version: str
    torch_version: str = Field(description="of the engine's own environment")
    driver: str = Field(description="of the GPUs; cpu where there is none")
    architecture: str = Field(description="GPU name and capability, or the CPU's kernel flags")
    artifact: str = Field(description="fingerprint")
    serving: str = Field(description="fingerprint of all serving flags")
    folder: str = Field(default="", description="of the artifact; compared, and not in the name")

    @property
    def key(self) -> str:
        """Name the package; where the artifact lies does not shape the bytes."""
        return fingerprint(KIND, self.model_copy(update={"folder": ""}))


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What a start begins with: the package that was unpacked, or why there is none."""

    key: str | None
    reason: str
    is_refused: bool = False


def machine_of(hardware: Hardware) -> dict[str, str]:
    """Return driver and architecture of a target, as a binding holds them."""
    if hardware.target == "cpu":
        return {"driver": "cpu", "architecture": " ".join(hardware.cpu_flags)}
    gpus = hardware.accelerators
    return {
        "driver": " ".join(sorted({gpu.driver for gpu in gpus})),
        "architecture": ", ".join(f"{gpu.name} {gpu.compute_capability}" for gpu in gpus),
    }


def torch_version(python: Path) -> str:
    """Return the version of torch in an engine's environment.

    Raises:
        EngineError: there is none, or more than one.
    """
    found = sorted(python.parent.parent.glob("lib/python*/site-packages/torch-*.dist-info"))
    if len(found) != 1:
        raise EngineError(f"{len(found)} versions of torch beside {python}; reinstall the engine")
    return found[0].name.removeprefix("torch-").removesuffix(".dist-info")


def differences(there: CacheBinding, here: CacheBinding) -> tuple[str, ...]:
    """Name what differs, with both values."""
    return tuple(
        f"{name.replace('_', ' ')} {getattr(there, name)} there, {getattr(here, name)} here"
        for name in CacheBinding.model_fields
        if getattr(there, name) != getattr(here, name)
    )


def pack(store: Store, cache: Path, binding: CacheBinding) -> Manifest | None:
    """Package what an engine has compiled, once; None where it compiled nothing.

    Raises:
        BuildError: the disk is full.
    """
    if not list_files(cache):
        return None

    def copied(folder: Path) -> Metadata:
        _copy(cache, folder)
        return {"kind": KIND, "binding": dict(binding.model_dump())}

    needed_bytes = sum(path.stat().st_size for path in list_files(cache))
    return store.build(binding.key, copied, needed_bytes)


def unpack(store: Store, here: CacheBinding, cache: Path) -> Unpacked:
    """Put the package made under the same binding in the place of `cache`, or say what differs."""
    packages = list(_packages(store, here))
    if not packages:
        return Unpacked(None, "no compile cache is packed for this artifact")
    key, there = min(packages, key=lambda one: len(differences(one[1], here)))
    if unlike := differences(there, here):
        return _refused(key, "; ".join(unlike))
    if key != here.key:
        return _refused(key, f"its label was changed: what it says it is has the name {here.key}")
    if problems := store.verify(key):
        return _refused(key, f"changed after it was packed: {problems[0]}")
    shutil.rmtree(cache, ignore_errors=True)
    _copy(store.folder(key), cache)
    return Unpacked(key, f"compile cache {key} unpacked: everything it is bound to matches")


def _refused(key: str, why: str) -> Unpacked:
    return Unpacked(None, f"compile cache {key} refused: {why}; compiled anew", is_refused=True)


def _packages(store: Store, here: CacheBinding) -> Iterator[tuple[str, CacheBinding]]:
    for path in sorted(store.artifacts.glob(f"*/{NAME}")):
        try:
            manifest = read_manifest(path.parent)
        except BuildError:
            if path.parent.name == here.key:  # under its name: damaged, which `verify` tells
                yield here.key, here
            continue
        binding = _binding_of(manifest)
        if binding is not None and binding.artifact == here.artifact:
            yield manifest.fingerprint, binding


def _binding_of(manifest: Manifest) -> CacheBinding | None:
    if manifest.metadata.get("kind") != KIND:
        return None
    try:
        return CacheBinding.model_validate(manifest.metadata.get("binding"))
    except ValidationError:
        return None  # packed by a version that bound it to less


def _copy(origin: Path, target: Path) -> None:
    for path in list_files(origin):
        if path.relative_to(origin).as_posix() == NAME:
            continue
        place = target / path.relative_to(origin)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, place)
