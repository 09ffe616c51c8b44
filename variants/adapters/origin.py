"""Where an adapter may come from, and the bytes that are meant by its address.

Operators name what may be used in TOUCHSTONE_ADAPTER_SOURCES, addresses with white space between; a
study may name fewer in `adapter_sources`. Where a list is given, an address must lie below one of
its entries: `hf://acme/` admits `hf://acme/poet@main` and not `hf://acme-evil/poet@main`.
"""

import os
import re
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from variants.adapters.archive import unpack
from variants.adapters.files import MAX_BYTES, check_files
from variants.errors import RecipeError, SourceError
from variants.fingerprint import sha256_file
from variants.kept.contents import digest_content
from variants.kept.durable import lock
from variants.sources.hub import WANTED, snapshot
from variants.specs.spec import Adapter

VARIABLE = "TOUCHSTONE_ADAPTER_SOURCES"
FILE = re.compile(r"file://(?P<path>/.+)")
CARD = ("README.md", "LICENSE*", "LICENCE*")


@dataclass(frozen=True, slots=True)
class Origin:
    """An adapter's folder as it came, and the folder that its links may lead into."""

    path: Path
    root: Path


def operator_list() -> tuple[str, ...]:
    """Return what this machine's operator admits; () is no list."""
    return tuple(os.environ.get(VARIABLE, "").split())


def require_admitted(source: str, *lists: Sequence[str]) -> None:
    """Refuse an address that is not below an entry of every list that is given.

    Raises:
        RecipeError: naming the list.
    """
    if ".." in source.split("/") or "%" in source:
        raise RecipeError(f"adapter source {source!r} leads upwards; write the plain address")
    for admitted in lists:
        if admitted and not any(_is_below(source, entry) for entry in admitted):
            raise RecipeError(
                f"adapter source {source!r} is not admitted; admitted are {', '.join(admitted)} "
                f"(adapter_sources of the study, {VARIABLE})"
            )


def _is_below(source: str, entry: str) -> bool:
    return source.startswith(entry) and (
        entry.endswith("/") or source == entry or source[len(entry)] in "/@"
    )


def fetch_adapter(adapter: Adapter, cache: Path) -> Origin:
    """Bring an adapter to this machine, its digest checked; nothing of it is loaded.

    Raises:
        RecipeError: what is there may not be opened.
        SourceError: it is not there, or is not what was named.
    """
    origin, digest = _fetched(adapter.source, cache)
    files = check_files(origin.path, origin.root)
    if not files.passed:
        raise RecipeError(f"adapter {adapter.name} ({adapter.source}): {files.reason}")
    seen = digest or digest_content(origin.path)
    if seen != adapter.sha256:
        raise SourceError(
            f"adapter {adapter.name} ({adapter.source}) has sha256 {seen}, and the study names "
            f"{adapter.sha256}; look at what changed, or correct the digest"
        )
    return origin


def _fetched(source: str, cache: Path) -> tuple[Origin, str | None]:
    if source.startswith("hf://"):
        folder = snapshot(source, cache, wanted=[*WANTED, *CARD])
        return Origin(folder, folder.parent.parent), None  # a snapshot's files are links to blobs
    found = FILE.fullmatch(source)
    if found is None:
        raise SourceError(f"{source!r} is neither file:///PATH nor hf://ORG/NAME@REVISION")
    path = Path(found["path"])
    if path.is_dir():
        return Origin(path, path), None
    if path.suffix.lower() != ".zip" or not path.is_file():
        raise SourceError(f"{path} is neither a folder nor a .zip; correct the adapter's path")
    return _unpacked(path, cache)


def _unpacked(archive: Path, cache: Path) -> tuple[Origin, str]:
    if archive.stat().st_size > MAX_BYTES:
        raise RecipeError(f"{archive.name} has more than {MAX_BYTES:,} bytes, the limit")
    digest = sha256_file(archive)
    folder = cache / "adapters" / digest
    with lock(cache / "adapters" / f"{digest}.lock"):
        if not folder.is_dir():
            _unpack_beside(archive, folder)
    inner = [path for path in folder.iterdir() if path.is_dir()]
    is_wrapped = len(inner) == 1 and len(list(folder.iterdir())) == 1
    return Origin(inner[0] if is_wrapped else folder, folder), digest


def _unpack_beside(archive: Path, folder: Path) -> None:
    """Unpack and rename, so that what was cut short is never taken for whole."""
    beside = Path(tempfile.mkdtemp(prefix=".unpacking-", dir=folder.parent))
    try:
        unpack(archive, beside)
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside, ignore_errors=True)
        raise
