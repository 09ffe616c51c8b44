"""What an artifact folder holds, written last: a folder without a whole one is never an artifact.

Example: `{"files":{"config.json":{"bytes":2,"sha256":"44136f…"}},"fingerprint":"…","metadata":{}}`.
"""

import os
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from variants.errors import BuildError
from variants.fingerprint import canonical_json, sha256_file, sha256_text
from variants.kept.contents import list_files
from variants.kept.durable import write_bytes

NAME = "manifest.json"
Metadata = dict[str, JsonValue]


class FileEntry(BaseModel):
    """One file of an artifact."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    bytes: int = Field(ge=0, description="length of the file")


class Manifest(BaseModel):
    """Every file of an artifact with its digest, and what its builder had to say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fingerprint: str = Field(description="the artifact's name: digest of all that shapes its bytes")
    files: dict[str, FileEntry] = Field(min_length=1, description="relative path -> digest, length")
    metadata: Metadata = Field(
        description="tools, seconds, calibration digest: the builder's words"
    )

    @property
    def text(self) -> str:
        """The one spelling that is written to the disk."""
        return canonical_json(self)

    @property
    def sha256(self) -> str:
        """Digest of manifest.json: what a channel and a certificate bind."""
        return sha256_text(self.text)

    @property
    def num_bytes(self) -> int:
        """Length of all files together."""
        return sum(entry.bytes for entry in self.files.values())


def _members(folder: Path) -> dict[str, Path]:
    paths = ((path.relative_to(folder).as_posix(), path) for path in list_files(folder))
    return {name: path for name, path in paths if name != NAME}


def write_manifest(folder: Path, fingerprint: str, metadata: Metadata) -> Manifest:
    """Digest the files of a finished folder and write its manifest, last."""
    files = {
        name: FileEntry(sha256=sha256_file(path), bytes=path.stat().st_size)
        for name, path in _members(folder).items()
    }
    if not files:
        raise BuildError(f"artifact {fingerprint}: the builder wrote no file; see its log")
    manifest = Manifest(fingerprint=fingerprint, files=files, metadata=metadata)
    write_bytes(folder / NAME, manifest.text.encode())
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Read a folder's manifest.

    Raises:
        BuildError: there is none, it cannot be read, or it is not the text that was written.
    """
    path = folder / NAME
    try:
        text = path.read_text(encoding="utf-8")
        manifest = Manifest.model_validate_json(text)
    except FileNotFoundError as problem:
        raise BuildError(
            f"{folder} has no {NAME}: it was never finished; build it again"
        ) from problem
    except (OSError, UnicodeDecodeError, ValidationError) as problem:
        raise BuildError(
            f"{path} cannot be read ({problem}); build the artifact again"
        ) from problem
    if manifest.text != text or manifest.fingerprint != folder.name:
        raise BuildError(f"{path} was changed after it was written; build the artifact again")
    return manifest


def list_problems(folder: Path, manifest: Manifest) -> tuple[str, ...]:
    """Say how the files of a folder differ from its manifest; () is none."""
    found = _members(folder)
    missing = [f"{name} is missing" for name in manifest.files.keys() - found.keys()]
    foreign = [f"{name} is not in the manifest" for name in found.keys() - manifest.files.keys()]
    changed = [
        f"{name} {change}"
        for name, entry in manifest.files.items()
        if name in found and (change := _change(found[name], entry))
    ]
    return tuple(sorted(missing + foreign + changed))


def _change(path: Path, entry: FileEntry) -> str:
    if not os.access(path, os.R_OK):
        return "cannot be read"
    size = path.stat().st_size
    if size != entry.bytes:
        return f"has {size:,} bytes instead of {entry.bytes:,}"
    return "" if sha256_file(path) == entry.sha256 else "has another digest than was written"
