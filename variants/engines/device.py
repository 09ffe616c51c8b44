"""Hold the measuring device for oneself: an operating-system lock that dies with its holder."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from variants.errors import EngineError


@contextmanager
def hold_device(target: str, wait_s: float = 7200.0) -> Iterator[None]:
    """Hold the one lock of this machine's target, whatever folder a run keeps its state in.

    Raises:
        EngineError: another run still holds it after `wait_s`.
    """
    path = Path(tempfile.gettempdir()) / f"touchstone-device-{target}.lock"
    lock = FileLock(path, mode=0o666)
    try:
        lock.acquire(timeout=wait_s)
    except Timeout as error:
        raise EngineError(
            f"device {target!r} is held by another run (lock {path}) for over {wait_s:.0f} s; "
            "wait for it or stop it: two runs on one device measure each other"
        ) from error
    try:
        yield
    finally:
        lock.release()
