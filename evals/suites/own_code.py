"""The digest of all that draws, asks and marks: a resumed run may find it changed between arms."""

from functools import cache
from pathlib import Path

from variants.fingerprint import fingerprint, sha256_file

FOLDER = Path(__file__).parent


@cache
def code_sha256() -> str:
    """Digest every file of this package that shapes an answer or its mark."""
    files = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".py", ".yaml"))
    return fingerprint([[str(path.relative_to(FOLDER)), sha256_file(path)] for path in files])
