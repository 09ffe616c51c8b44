"""Publish to a folder, such as a shared disk: `versions/VERSION/`, and a file for each alias.

Address: file:///PATH
"""

import shutil
import tempfile
from pathlib import Path
from urllib.parse import unquote

from reports.publishing.package import Package
from variants.errors import PromotionError
from variants.fingerprint import sha256_file
from variants.kept.durable import sync_tree, write_bytes

READABLE = 0o755  # a team deploys from there; mkdtemp lets the owner alone in


class FolderPublisher:
    """Slots of `reports.publishing.package.Publisher`."""

    def __init__(self, address: str) -> None:
        """Take file:///PATH."""
        self.root = Path(unquote(address.removeprefix("file://")))

    def put(self, package: Package) -> str:
        """Copy beside, then rename: a version is whole or absent."""
        target = self._version(package.name, package.version)
        if target.is_dir():
            _verify(target, package)
            return target.as_uri()
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            for name in package.files:
                (beside / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(package.path(name), beside / name)
            _verify(beside, package)
            beside.chmod(READABLE)
            sync_tree(beside)
            beside.rename(target)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
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


def _verify(folder: Path, package: Package) -> None:
    """Read back every file of a version."""
    for name, digest in package.files.items():
        path = folder / name
        if not path.is_file() or sha256_file(path) != digest:
            raise PromotionError(
                f"{path} is not what was published; remove {folder}, publish again"
            )
