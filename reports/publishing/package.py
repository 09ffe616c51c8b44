"""What is published: a hand-off folder, every file by its digest.

Its version is the first 16 digits of the sha256 of its SHA256SUMS: the same folder has the same
version everywhere, and publishing it again changes nothing.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from reports.certificate.keys import PUBLIC, trusted_key
from reports.certificate.signed import read_signed
from reports.handoff.folder import SUMS
from variants.errors import PromotionError
from variants.fingerprint import DIGITS, sha256_file

LINE = re.compile(r"^([0-9a-f]{64})  (.+)$")


@dataclass(frozen=True, slots=True)
class Package:
    """A hand-off folder, whole."""

    folder: Path
    name: str  # of the channel, as a path's part: base.target.service-class
    version: str
    files: dict[str, str]  # relative path -> sha256; SHA256SUMS, which names the others, is last
    about: dict[str, str]  # what a registry shows beside it

    def path(self, name: str) -> Path:
        """Return where one of its files lies."""
        return self.folder / name


class Publisher(Protocol):
    """A place to publish to; the same slots everywhere."""

    def put(self, package: Package) -> str:
        """Upload what is not there yet, SHA256SUMS last; return the version's address.

        Raises:
            PromotionError: the place refuses, or holds other bytes under this version.
        """
        ...

    def point(self, package: Package, alias: str) -> None:
        """Let an alias (champion, candidate) mean this version from now on."""
        ...

    def current(self, name: str, alias: str) -> str | None:
        """Return the version that an alias means; None where it means none."""
        ...


def package_of(folder: Path) -> Package:
    """Read a hand-off folder, and check every file of it.

    Raises:
        CertificateError: its certificate is not signed by the key beside it.
        PromotionError: it is no hand-off folder, or not whole.
    """
    sums = folder / SUMS
    if not sums.is_file():
        raise PromotionError(f"{folder} is no hand-off folder: it has no {SUMS}")
    found = [LINE.match(line) for line in sums.read_text(encoding="utf-8").splitlines()]
    files = {line[2]: line[1] for line in found if line}
    for name, digest in files.items():
        _check(folder, name, digest)
    statement = read_signed(folder / "certificate.json", trusted_key(folder, folder / PUBLIC))
    bound = statement.predicate
    own = sha256_file(sums)
    return Package(
        folder=folder,
        name=bound.channel.replace("@", "."),
        version=own[:DIGITS],
        files=files | {SUMS: own},
        about={
            "variant": bound.variant,
            "run": bound.run,
            "artifact": bound.artifact,
            "policy": bound.policy,
            "engine": f"{bound.engine} {bound.engine_version}",
            "qualified-until": bound.expires_at.isoformat(),
        },
    )


def _check(folder: Path, name: str, digest: str) -> None:
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise PromotionError(f"{folder}: {SUMS} names {name!r}, which lies outside")
    if not path.is_file() or sha256_file(path) != digest:
        raise PromotionError(f"{folder}: {name} is not the file that {SUMS} names; hand over anew")
