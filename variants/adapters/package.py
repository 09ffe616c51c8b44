"""An adapter in the store: its own files alone, audited as they lie there, bound to their base.

The key holds the base's digest: under another base the same adapter is another package, and is
audited against that base before anything serves it.
"""

import shutil
from pathlib import Path
from typing import Any

from variants.adapters.audit import Ground, audit_adapter
from variants.adapters.files import MAX_BYTES, SETTINGS, WEIGHTS
from variants.adapters.origin import fetch_adapter, operator_list, require_admitted
from variants.adapters.origin_checks import licence_files, read_licence
from variants.adapters.pairs import read_pairs
from variants.adapters.settings import read_settings
from variants.errors import BuildError, RecipeError
from variants.fingerprint import fingerprint
from variants.kept.contents import digest_files
from variants.kept.manifest import Manifest
from variants.kept.store import Store
from variants.running.isolation import run
from variants.specs.spec import Adapter

REVISION = 1  # raised whenever what is checked or written changes


def adapter_key(adapter: Adapter, base_digest: str) -> str:
    """Name the package of an adapter for a base."""
    said = [adapter.licence, adapter.base_sha256 or ""]
    return fingerprint("adapter", adapter.sha256, base_digest, said, REVISION)


def package_adapter(
    store: Store, adapter: Adapter, ground: Ground, cache: Path, admitted: tuple[str, ...] = ()
) -> Manifest:
    """Return the package of an adapter for a base, made now if it is not there.

    It is opened in a process of its own, without a framework.

    Raises:
        RecipeError: it is refused: not admitted, or an audit's finding.
        SourceError: it is not there, or is not what was named.
    """
    require_admitted(adapter.source, operator_list(), admitted)
    key = adapter_key(adapter, ground.digest)
    if found := store.find(key):
        return found
    origin = fetch_adapter(adapter, cache)
    arguments: dict[str, object] = {
        "origin": str(origin.path),
        "adapter": adapter.model_dump(mode="json"),
        "base": [str(ground.folder), ground.source, ground.digest],
    }

    def make(folder: Path) -> dict[str, Any]:
        made: dict[str, Any] = run(
            "variants.adapters.package:build", {**arguments, "output": str(folder)}, BuildError, 1
        )
        return made

    size = sum(path.stat().st_size for path in origin.path.iterdir() if path.is_file())
    return store.build(key, make, needed_bytes=min(size, MAX_BYTES))


def build(origin: str, output: str, adapter: dict[str, Any], base: list[str]) -> dict[str, Any]:
    """Copy what an adapter needs, and audit the copy: that is what will be served.

    Raises:
        RecipeError: with every finding that failed, or it changed meanwhile.
    """
    source, target = Path(origin), Path(output)
    spec = Adapter.model_validate(adapter)
    card = source / "README.md"
    taken = [source / SETTINGS, source / WEIGHTS, *licence_files(source)]
    for path in [*taken, *([card] if card.is_file() else [])]:
        shutil.copyfile(path, target / path.name)  # a hub's snapshot holds links
    ground = Ground(Path(base[0]), base[1], base[2])
    failed = [one for one in audit_adapter(target, ground, spec) if not one.passed]
    if failed:
        told = "; ".join(f"{one.name}: {one.reason}" for one in failed)
        raise RecipeError(f"adapter {spec.name} is refused: {told}")
    theirs = digest_files(source)
    if any(theirs[name] != digest for name, digest in digest_files(target).items()):
        raise RecipeError(f"adapter {spec.name} changed while it was copied; package it again")
    return _described(target, spec, ground)


def _described(folder: Path, spec: Adapter, ground: Ground) -> dict[str, Any]:
    settings, pairs = read_settings(folder / SETTINGS), read_pairs(folder / WEIGHTS)
    return {
        "adapter": spec.name,
        "source": spec.source,
        "sha256": spec.sha256,
        "base": ground.source,
        "base_sha256": ground.digest,
        "base_named": settings.base_model_name_or_path,
        "licence": spec.licence or read_licence(folder),
        "max_rank": max(pair.rank for pair in pairs),
        "alpha": settings.lora_alpha,
        "targets": sorted({pair.module.rpartition(".")[2] for pair in pairs}),
        "num_layers": len(pairs),
        "matrix_bytes": sum(pair.num_bytes for pair in pairs),
    }


def require_base(manifest: Manifest, base_digest: str) -> None:
    """Refuse a package that was made for another base.

    Raises:
        RecipeError: with both digests.
    """
    made_for = str(manifest.metadata.get("base_sha256"))
    if made_for != base_digest:
        raise RecipeError(
            f"adapter package {manifest.fingerprint} was audited against base {made_for[:12]}, and "
            f"this is base {base_digest[:12]}; package it again for this base"
        )
