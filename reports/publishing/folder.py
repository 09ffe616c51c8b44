"""Publish to a folder, such as a shared disk: `versions/VERSION/`, and a file for each alias.

Address: file:///PATH
"""

import shutil
from pathlib import Path

from reports.handoff.folder import SUMS
from reports.publishing.package import Package
from variants.errors import PromotionError
from variants.fingerprint import sha256_file
from variants.kept.durable import sync_tree, write_bytes


class FolderPublisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take file:///PATH."""
        self.root = Path(address.removeprefix("file://"))

    def put(self, package: Package) -> str:
        """Copy beside, then rename: a version is whole or absent."""
        target = self._version(package.name, package.version)
        if target.is_dir():
            if sha256_file(target / SUMS) != package.files[SUMS]:
                raise PromotionError(f"{target} holds something else; remove it and publish again")
            return target.as_uri()
        beside = target.with_name(f".{target.name}.writing")
        shutil.rmtree(beside, ignore_errors=True)
        shutil.copytree(package.folder, beside)
        sync_tree(beside)
        beside.rename(target)
        return target.as_uri()

    def point(self, package: Package, alias: str) -> None:
        """Write the alias in one rename."""
        write_bytes(self._alias(package.name, alias), f"{package.version}\n".encode())

    def current(self, name: str, alias: str) -> str | None:
        """Read the alias."""
        path = self._alias(name, alias)
        return path.read_text(encoding="utf-8").strip() if path.is_file() else None

    def _version(self, name: str, version: str) -> Path:
        return self.root / name / "versions" / version

    def _alias(self, name: str, alias: str) -> Path:
        return self.root / name / "aliases" / alias
