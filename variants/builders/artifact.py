"""Key and build the artifact of a recipe; the store is the build cache.

The key holds everything that shapes the bytes: the base's digest, the recipe, the calibration
text, the versions of the tools and the revision of our builders.
"""

import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from variants.adapters.audit import Ground
from variants.adapters.package import package_adapter
from variants.calibration import files_of, set_sha256
from variants.errors import BuildError
from variants.fingerprint import fingerprint
from variants.kept.manifest import Manifest
from variants.kept.store import Store
from variants.running.isolation import run
from variants.sources import Source, fetch
from variants.specs.spec import Base, Recipe

REVISION = 1  # raised whenever a builder of ours changes what it writes
MAKE = "variants.builders.making:make"
SECONDS_PER_HOUR = 3600
TOOLS = ("torch", "transformers", "safetensors", "gguf", "llmcompressor", "compressed-tensors")


def tool_versions() -> dict[str, str]:
    """Return the installed versions of what shapes an artifact's bytes."""
    return {name: version(name) for name in TOOLS}


def artifact_key(source: Source, recipe: Recipe) -> str:
    """Name the artifact that a recipe makes of a source."""
    if recipe.prebuilt is not None:
        return fingerprint("prebuilt", recipe.prebuilt.sha256, REVISION)
    calibration = set_sha256(recipe.calibration) if recipe.calibration else None
    merged = [recipe.adapter.sha256] if recipe.adapter else []
    return fingerprint(
        source.digest, _keyed(recipe), calibration, tool_versions(), REVISION, *merged
    )


def _keyed(recipe: Recipe) -> dict[str, Any]:
    """Leave out where a user's own files lie; their digests stay."""
    written = recipe.model_copy(update={"adapter": None}).model_dump(mode="python")
    for part in ("quantization", "kv_cache"):
        calibration = (written.get(part) or {}).get("calibration") or {}
        calibration.pop("source", None)
    return written


def build_artifact(
    store: Store, source: Source, recipe: Recipe, cache: Path, admitted: tuple[str, ...] = ()
) -> Manifest:
    """Build a recipe's artifact, or return the verified one that is there.

    What is to be downloaded for it goes to `cache`; `admitted` is where adapters may come from.

    Raises:
        BuildError: the builder's own refusal, or a full disk; nothing half-made is left.
        SourceError: a prebuilt checkpoint is not there, or is not the one that was named.
    """
    if recipe.prebuilt is not None:
        return _take_prebuilt(store, source, recipe, cache)
    if recipe == Recipe():
        baseline_bytes = 2 * _size(source.path)  # a de-quantized 4-bit file grows at most fourfold
        return store.build(
            artifact_key(source, recipe),
            lambda folder: _built("variants.builders.bf16:build", source.path, folder, {}),
            needed_bytes=2 * baseline_bytes,
        )
    made_of = _made_of(store, source, recipe, cache, admitted)
    if recipe == Recipe(adapter=recipe.adapter):
        return made_of
    key = artifact_key(source, recipe)
    if found := store.find(key):
        return found
    arguments = {
        "quantization": recipe.quantization and recipe.quantization.model_dump(mode="json"),
        "kv_cache": recipe.kv_cache and recipe.kv_cache.model_dump(mode="json"),
        "files": files_of(recipe.calibration, cache) if recipe.calibration else {},
    }
    return store.build(
        key,
        lambda folder: _built(
            "variants.builders.quantize:build", store.folder(made_of.fingerprint), folder, arguments
        ),
        needed_bytes=made_of.num_bytes,
    )


def _made_of(
    store: Store, source: Source, recipe: Recipe, cache: Path, admitted: tuple[str, ...]
) -> Manifest:
    """Return the base, with the recipe's adapter merged into its weights if it has one."""
    base = build_artifact(store, source, Recipe(), cache)
    adapter = recipe.adapter
    if adapter is None:
        return base
    ground = Ground(store.folder(base.fingerprint), source.description, source.digest)
    package = package_adapter(store, adapter, ground, cache, admitted)
    arguments = {"adapter": str(store.folder(package.fingerprint))}
    return store.build(
        artifact_key(source, Recipe(adapter=adapter)),
        lambda folder: _built("variants.builders.merge:build", ground.folder, folder, arguments),
        needed_bytes=base.num_bytes,
    )


def _take_prebuilt(store: Store, source: Source, recipe: Recipe, cache: Path) -> Manifest:
    assert recipe.prebuilt is not None, "asked of prebuilt ones alone"
    key = artifact_key(source, recipe)
    if found := store.find(key):
        return found
    origin = fetch(Base(source=recipe.prebuilt.source, sha256=recipe.prebuilt.sha256), cache)
    return store.build(
        key,
        lambda folder: _built("variants.builders.prebuilt:build", origin.path, folder, {}),
        needed_bytes=_size(origin.path),
    )


def _built(function: str, origin: Path, folder: Path, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call a builder in a process of its own; every builder takes its origin and its output."""
    started = time.monotonic()
    given = {"origin": str(origin), "output": str(folder), **arguments}
    made = run(MAKE, {"function": function, "arguments": given}, BuildError)
    ended, made_at, num_devices = time.monotonic(), made.pop("made_at"), made.pop("num_devices")
    stages = made.pop("stage_seconds")
    if stages:  # libraries that were loaded are taken down again: 1.6 s of processor for torch
        stages["exit"] = ended - made_at
    return {
        "build_seconds": ended - started,
        "device_hours": (ended - started) * num_devices / SECONDS_PER_HOUR,
        "library_seconds": sum(stages.values()) or None,
        "stage_seconds": stages,
        "tools": tool_versions(),
        **made,
    }


def _size(path: Path) -> int:
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files)
