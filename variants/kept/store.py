"""One content-addressed store: artifacts by fingerprint, evidence and traces by digest.

Layout under the root:
    artifacts/<fingerprint>/            files of a variant, and manifest.json written last
    evidence/<run>/<variant>/<step>-<sha256>.json
    blobs/<sha256>.parquet              traces
    locks/<fingerprint>.lock

The store is the build cache: a folder is whole exactly when its manifest verifies. The idea, and
writing the manifest last, is of nix (content-addressed paths) and of nanochat's checkpoints.
"""

import logging
import re
import shutil
import tempfile
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from pathlib import Path

from variants.errors import BuildError
from variants.kept.durable import free_bytes, is_disk_full, lock, require_space, sync, sync_tree
from variants.kept.evidence import EvidenceStore
from variants.kept.manifest import Manifest, Metadata, list_problems, read_manifest, write_manifest

LOGGER = logging.getLogger(__name__)
FINGERPRINT = re.compile(r"^[0-9a-f]{8,64}$")
Make = Callable[[Path], Metadata]


class Store(EvidenceStore):
    """Artifacts and evidence under one root folder; safe for several processes at once."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.artifacts = root / "artifacts"

    def folder(self, fingerprint: str) -> Path:
        """Name the folder of an artifact, whether or not it exists.

        Raises:
            BuildError: this is no fingerprint.
        """
        if not FINGERPRINT.fullmatch(fingerprint):
            raise BuildError(
                f"{fingerprint!r} is no fingerprint; give 8 to 64 lower-case hex digits"
            )
        return self.artifacts / fingerprint

    def find(self, fingerprint: str) -> Manifest | None:
        """Return a whole artifact's manifest, every digest verified; None if there is none."""
        folder = self.folder(fingerprint)
        if not folder.exists():
            return None
        problems = self.verify(fingerprint)
        if problems:
            LOGGER.warning("artifact %s is not whole: %s", fingerprint, "; ".join(problems))
            return None
        return read_manifest(folder)

    def verify(self, fingerprint: str) -> tuple[str, ...]:
        """Say what is wrong with an artifact; () is whole."""
        folder = self.folder(fingerprint)
        try:
            return list_problems(folder, read_manifest(folder))
        except BuildError as problem:
            return (str(problem),)

    def build(self, fingerprint: str, make: Make, needed_bytes: int = 0) -> Manifest:
        """Return the artifact, calling `make` on an empty folder only if it is not there yet.

        Two runs at once: the second waits for the first and takes what it built. A folder that
        does not verify is moved aside and built again.

        Raises:
            BuildError: the disk is too small or full; nothing is left behind. Errors of `make`
                pass through, and leave nothing behind either.
        """
        with self._lock(fingerprint):
            if manifest := self.find(fingerprint):
                return manifest
            self._clear(fingerprint)
            require_space(self.artifacts, needed_bytes)
            return self._build(fingerprint, make, needed_bytes)

    def prune(self, keep: Collection[str] = ()) -> tuple[str, ...]:
        """Remove every artifact not kept, and leftovers of killed runs; name what was removed.

        Folders that another process is building are left alone. Evidence is never pruned.
        """
        removed: list[str] = []
        for folder in sorted(self.artifacts.glob("*")):
            fingerprint = folder.name.partition(".")[0]
            if folder.name in keep or not FINGERPRINT.fullmatch(fingerprint):
                continue
            with self._lock(fingerprint, wait=False) as is_held:
                if is_held:
                    shutil.rmtree(folder)
                    removed.append(folder.name)
        return tuple(removed)

    def _lock(self, fingerprint: str, wait: bool = True) -> AbstractContextManager[bool]:
        return lock(self.root / "locks" / f"{self.folder(fingerprint).name}.lock", wait)

    def _clear(self, fingerprint: str) -> None:
        """Under the lock: drop what a killed run left, and move a broken artifact aside."""
        self.artifacts.mkdir(parents=True, exist_ok=True)
        for leftover in self.artifacts.glob(f"{fingerprint}.building-*"):
            LOGGER.warning("removing %s, left by a run that was stopped", leftover)
            shutil.rmtree(leftover)
        folder = self.folder(fingerprint)
        if folder.exists():
            aside = tempfile.mkdtemp(prefix=f"{fingerprint}.broken-", dir=self.artifacts)
            LOGGER.warning("moving the broken artifact %s to %s; building it again", folder, aside)
            folder.rename(Path(aside) / fingerprint)

    def _build(self, fingerprint: str, make: Make, needed_bytes: int) -> Manifest:
        name = tempfile.mkdtemp(prefix=f"{fingerprint}.building-", dir=self.artifacts)
        temporary = Path(name)
        try:
            manifest = write_manifest(temporary, fingerprint, make(temporary))
            sync_tree(temporary)
            temporary.rename(self.folder(fingerprint))
            sync(self.artifacts)
            return manifest
        except BaseException as problem:
            written = sum(path.stat().st_size for path in temporary.rglob("*") if path.is_file())
            shutil.rmtree(temporary, ignore_errors=True)
            if is_disk_full(problem):
                raise BuildError(
                    f"artifact {fingerprint}: the disk of {self.artifacts} was full after "
                    f"{written:,} bytes; it needs more than {max(needed_bytes, written):,}, and "
                    f"{free_bytes(self.artifacts):,} are free: free some space or prune the store"
                ) from problem
            raise
