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
from variants.builders.calibration import corpus_sha256
from variants.errors import BuildError
from variants.fingerprint import fingerprint
from variants.isolation import run
from variants.manifest import Manifest
from variants.sources import Source, fetch
from variants.spec import Adapter, Base, Recipe
from variants.store import Store

REVISION = 1  # raised whenever a builder of ours changes what it writes
TOOLS = ("torch", "transformers", "safetensors", "gguf", "llmcompressor", "compressed-tensors")


def tool_versions() -> dict[str, str]:
    """Return the installed versions of what shapes an artifact's bytes."""
    return {name: version(name) for name in TOOLS}


def artifact_key(source: Source, recipe: Recipe) -> str:
    """Name the artifact that a recipe makes of a source."""
    quantization = recipe.quantization
    if recipe.prebuilt is not None:
        return fingerprint("prebuilt", recipe.prebuilt.sha256, REVISION)
    calibration = corpus_sha256() if quantization and quantization.calibration else None
    merged = [recipe.adapter.sha256] if recipe.adapter else []  # its content, not where it lies
    own = recipe.model_copy(update={"adapter": None})
    return fingerprint(source.digest, own, calibration, tool_versions(), REVISION, *merged)


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
    if recipe.adapter is not None:
        merged = _merge(store, source, recipe.adapter, cache, admitted)
        if recipe.quantization is None:
            return merged
        return _quantize(store, source, recipe, merged)
    if recipe.quantization is None:
        baseline_bytes = 2 * _size(source.path)  # a de-quantized 4-bit file grows at most fourfold
        return store.build(
            artifact_key(source, recipe),
            lambda folder: _built("variants.builders.bf16:build", source.path, folder, {}),
            needed_bytes=2 * baseline_bytes,
        )
    return _quantize(store, source, recipe, build_artifact(store, source, Recipe(), cache))


def _quantize(store: Store, source: Source, recipe: Recipe, base: Manifest) -> Manifest:
    assert recipe.quantization is not None, "asked of quantized ones alone"
    arguments = {"quantization": recipe.quantization.model_dump(mode="json")}
    return store.build(
        artifact_key(source, recipe),
        lambda folder: _built(
            "variants.builders.quantize:build", store.folder(base.fingerprint), folder, arguments
        ),
        needed_bytes=base.num_bytes,
    )


def _merge(
    store: Store, source: Source, adapter: Adapter, cache: Path, admitted: tuple[str, ...]
) -> Manifest:
    """Package an adapter for the base, and merge it into the base's weights."""
    base = build_artifact(store, source, Recipe(), cache)
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
    made = run(function, {"origin": str(origin), "output": str(folder), **arguments}, BuildError)
    return {"build_seconds": time.monotonic() - started, "tools": tool_versions(), **made}


def _size(path: Path) -> int:
    files = [path] if path.is_file() else [one for one in path.rglob("*") if one.is_file()]
    return sum(one.stat().st_size for one in files)
