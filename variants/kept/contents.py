"""What a folder of model files holds: a digest per file, and the files that would run code.

Example: a folder with one file `a.txt` of the two bytes `hi` digests to sha256 of
`{"a.txt":"8f434346648f6b96df89dda901c5176b10a6d83961dd3c1ac88b59b2dc327aa4"}`.
"""

from collections.abc import Mapping
from pathlib import Path

from variants.fingerprint import canonical_json, sha256_file, sha256_text

# Formats that are, or usually hold, a Python pickle: loading one runs the code inside.
# Source: huggingface.co/docs/hub/security-pickle and the endings torch.save is used with.
PICKLE_SUFFIXES = frozenset({".bin", ".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".joblib", ".dill"})
CODE_SUFFIXES = frozenset({".py", ".pyc", ".pyd", ".so", ".dll", ".dylib"})
WEIGHTS_SUFFIX = ".safetensors"


def list_files(folder: Path) -> tuple[Path, ...]:
    """List every file below a folder, in a stable order."""
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def digest_files(folder: Path) -> dict[str, str]:
    """Map each file's relative path to its sha256."""
    return {path.relative_to(folder).as_posix(): sha256_file(path) for path in list_files(folder)}


def digest_content(path: Path) -> str:
    """Digest one file, or all files of a folder with their relative paths."""
    return sha256_file(path) if path.is_file() else sha256_text(canonical_json(digest_files(path)))


def unsafe_files(folder: Path) -> tuple[str, ...]:
    """Name the files whose loading can run code: pickles, and Python modules."""
    return tuple(
        path.relative_to(folder).as_posix()
        for path in list_files(folder)
        if path.suffix.lower() in PICKLE_SUFFIXES | CODE_SUFFIXES
    )


def stray_links(folder: Path) -> tuple[str, ...]:
    """Name the links that lead nowhere, or out of the folder.

    A hub's cache keeps files as links from snapshots/REVISION to blobs beside it: those are at
    home.
    """
    homes = [folder.resolve()]
    if folder.parent.name == "snapshots":
        homes.append((folder.parent.parent / "blobs").resolve())
    return tuple(
        path.relative_to(folder).as_posix()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() and not _is_at_home(path, homes)
    )


def _is_at_home(path: Path, homes: list[Path]) -> bool:
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):  # nowhere, or round in a circle
        return False
    return target.is_file() and any(target.is_relative_to(home) for home in homes)


def weights_sha256(files: Mapping[str, str]) -> str | None:
    """Digest the digests of the weight files among `files` (path -> sha256); None: there is none.

    Example: the same tensors under another recipe's name have the same digest, and a cache that
    knows only the name cannot pass off one for the other.
    """
    weights = {name: digest for name, digest in files.items() if name.endswith(WEIGHTS_SUFFIX)}
    return sha256_text(canonical_json(weights)) if weights else None


def digest_weights(folder: Path) -> str | None:
    """Digest the weight files of a folder as they lie on the disk."""
    paths = [path for path in list_files(folder) if path.name.endswith(WEIGHTS_SUFFIX)]
    return weights_sha256(
        {path.relative_to(folder).as_posix(): sha256_file(path) for path in paths}
    )
