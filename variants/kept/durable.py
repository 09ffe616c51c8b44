"""Files that are whole or absent, after a crash too: write beside, fsync, rename; and OS locks.

Source: the rename protocol of sqlite.org/atomiccommit.html and of Pillai et al., "All File Systems
Are Not Created Equal" (OSDI 2014): without fsync before the rename a crash can leave an empty file
under the final name, and without fsync of the folder the rename itself can be lost.
"""

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from variants.errors import BuildError, QualificationError


def write_bytes(path: Path, content: bytes) -> None:
    """Put these bytes under this name, whole or not at all."""
    with beside(path) as stream:
        stream.write(content)


@contextlib.contextmanager
def beside(path: Path) -> Iterator[IO[bytes]]:
    """Open a stream whose content takes the name `path` only when the block ends well."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".writing-", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync(path.parent)


def append_line(path: Path, line: str) -> None:
    """Add one line to a file that only grows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as stream:
        stream.write(line + "\n")
        stream.flush()
        os.fsync(stream.fileno())


def sync(path: Path) -> None:
    """Force one file or folder to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_tree(folder: Path) -> None:
    """Force every file, then every folder, below and with `folder` to the disk."""
    for path in sorted(folder.rglob("*"), reverse=True):
        sync(path)
    sync(folder)


@contextlib.contextmanager
def lock(path: Path, wait: bool = True) -> Iterator[bool]:
    """Hold an OS lock; it vanishes with the process, so a killed run leaves none behind.

    Yields whether the lock is held: always True when waiting, False when `wait` is false and
    another process holds it. The empty lock file stays: removing it would race.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield False
            return
        yield True


def free_bytes(path: Path) -> int:
    """Bytes free on the disk that holds `path`, which need not exist yet."""
    existing = next(
        parent for parent in (path.absolute(), *path.absolute().parents) if parent.exists()
    )
    return shutil.disk_usage(existing).free


def require_space(path: Path, num_bytes: int, error: type[QualificationError] = BuildError) -> None:
    """Refuse before writing what would not fit.

    Raises:
        QualificationError: of the given class, with the bytes needed and free.
    """
    free = free_bytes(path)
    if free < num_bytes:
        raise error(
            f"{path} needs {num_bytes:,} bytes and its disk has {free:,} free; "
            "free some space, prune the store, or set TOUCHSTONE_HOME to another disk"
        )


def is_disk_full(problem: BaseException | None) -> bool:
    """Whether an error, or any it was raised from, says that the disk or the quota is full.

    Libraries in Rust and in child processes wrap the number in words, hence the text.
    """
    seen: set[int] = set()
    while problem is not None and id(problem) not in seen:
        seen.add(id(problem))
        if isinstance(problem, OSError) and problem.errno in (errno.ENOSPC, errno.EDQUOT):
            return True
        if "No space left on device" in str(problem):
            return True
        problem = problem.__cause__ or problem.__context__
    return False
