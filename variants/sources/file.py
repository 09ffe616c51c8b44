"""file:///ABSOLUTE/PATH: a folder with safetensors and config.json, or one GGUF file."""

import re
from pathlib import Path

from variants.errors import SourceError
from variants.kept.contents import digest_content, unsafe_files
from variants.sources.source import Source
from variants.specs.spec import Base

ADDRESS = re.compile(r"^file://(?P<path>/.+)$")


def fetch_file(base: Base) -> Source:
    """Take a model from this machine's disk, where it stays.

    Raises:
        SourceError: the address, the path, its content or its digest is not as it should be.
    """
    found = ADDRESS.fullmatch(base.source)
    if found is None:
        raise SourceError(
            f"{base.source!r} is no file:///ABSOLUTE/PATH; write three slashes and the full path"
        )
    path = Path(found["path"])
    if not path.exists():
        raise SourceError(f"{path} does not exist; correct the path in base: {base.source}")
    require_model(path)
    digest = digest_content(path)
    require_pin(base, digest)
    kind = "GGUF file" if path.is_file() else "safetensors folder"
    return Source(path, digest, f"{kind} {path}, sha256 {digest}")


def require_model(path: Path) -> None:
    """Refuse what is no model, or what would run code when it is loaded."""
    if path.is_file():
        if path.suffix.lower() != ".gguf":
            raise SourceError(f"{path} is no .gguf file; give one, or a folder with safetensors")
        return
    if unsafe := unsafe_files(path):
        raise SourceError(
            f"{path} holds files that can run code when loaded ({', '.join(unsafe)}); "
            "convert them to safetensors, or remove them if nothing needs them"
        )
    if not (path / "config.json").is_file():
        raise SourceError(f"{path} has no config.json; give the folder that holds the model")
    if not any(path.glob("*.safetensors")):
        raise SourceError(f"{path} has no *.safetensors file; convert the weights to safetensors")


def require_pin(base: Base, digest: str) -> None:
    """Refuse content whose digest is not the one that the base names."""
    if base.sha256 is not None and base.sha256 != digest:
        raise SourceError(
            f"{base.source} has sha256 {digest}, and the base names {base.sha256}; "
            "fetch the right files, or correct the digest if the change is meant"
        )
