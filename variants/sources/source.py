"""What a base model is once it lies on this machine."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Source:
    """A local file or folder, the digest of its content, and where it came from in words."""

    path: Path
    digest: str  # sha256 of the file, or of the canonical {relative path: sha256} of the folder
    description: str
    revision: str | None = None  # the commit that a hub's revision resolved to
