"""Evidence on the disk: immutable files named by their digest, from which the ledger is derived.

What is inside a file is its writer's business (`evals.results.Record` as JSON); here it is text.
"""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from variants.errors import LedgerError
from variants.fingerprint import sha256_file, sha256_text
from variants.kept.durable import beside, require_space, write_bytes

NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._+=@,-]{0,127}$")
FILE = re.compile(r"^(?P<step>.+)-(?P<digest>[0-9a-f]{64})\.json$")
DIGEST = re.compile(r"^[0-9a-f]{64}$")


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """One piece of evidence as it lies on the disk; `text` is None where it does not verify."""

    path: Path
    run: str
    variant: str
    step: str
    digest: str  # the digest its name gives
    text: str | None
    problem: str = ""  # why it cannot be read, in words


class EvidenceStore:
    """Evidence and traces under one root folder; files are added, never changed or removed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def put_evidence(self, run: str, variant: str, step: str, text: str) -> str:
        """Keep one record and return its digest; the same text twice is one file.

        Raises:
            LedgerError: a name would leave the store or cannot be a file's, or the disk is full.
        """
        digest = sha256_text(text)
        folder = self.root / "evidence" / _checked("run", run) / _checked("variant", variant)
        path = folder / f"{_checked('step', step)}-{digest}.json"
        require_space(self.root, len(text.encode()), LedgerError)
        write_bytes(path, text.encode())
        return digest

    def evidence(
        self, run: str, variant: str | None = None, step: str | None = None
    ) -> Iterator[EvidenceFile]:
        """Go through the evidence of a run, in order of variant and step, digests verified.

        Of one variant, or of one step, if they are named. A file that cannot be read, or is not
        what its name says, is yielded with its problem.
        """
        folder = self.root / "evidence" / _checked("run", run)
        of = "*" if variant is None else _checked("variant", variant)
        named = "*" if step is None else f"{_checked('step', step)}-*"
        for path in sorted(folder.glob(f"{of}/{named}.json")):
            file = _read(path)
            if step is None or file.step == step:
                yield file

    def put_blob(self, path: Path) -> str:
        """Keep a copy of a Parquet file and return its digest."""
        digest = sha256_file(path)
        require_space(self.root, path.stat().st_size, LedgerError)
        with path.open("rb") as source, beside(self._blob(digest)) as stream:
            shutil.copyfileobj(source, stream, 1 << 20)
        return digest

    def blob(self, digest: str) -> Path:
        """Return the path of a kept Parquet file.

        Raises:
            LedgerError: it is not there, or is not what its name says.
        """
        path = self._blob(digest)
        if not path.is_file():
            raise LedgerError(f"{path} is missing; restore it, or measure again")
        if (seen := sha256_file(path)) != digest:
            raise LedgerError(f"{path} has sha256 {seen}; restore it, or measure again")
        return path

    def _blob(self, digest: str) -> Path:
        if not DIGEST.fullmatch(digest):
            raise LedgerError(f"{digest!r} is no sha256; give 64 lower-case hex digits")
        return self.root / "blobs" / f"{digest}.parquet"


def _checked(kind: str, name: str) -> str:
    if not NAME.fullmatch(name):
        raise LedgerError(
            f"{kind} {name!r} cannot name evidence; use letters, digits and ._+=@,- "
            "beginning with a letter or digit, at most 128"
        )
    return name


def _read(path: Path) -> EvidenceFile:
    found = FILE.fullmatch(path.name)
    step, digest = (found["step"], found["digest"]) if found else (path.stem, "")
    text, problem = None, ""
    try:
        text = path.read_text(encoding="utf-8")
        if sha256_text(text) != digest:
            text, problem = None, "its content is not what its digest says"
    except (OSError, UnicodeDecodeError) as error:
        problem = f"it cannot be read ({error})"
    return EvidenceFile(
        path, path.parent.parent.name, path.parent.name, step, digest, text, problem
    )
