"""Hold the measuring device for oneself: an operating-system lock that dies with its holder."""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from variants.errors import EngineError


@contextmanager
def hold_device(
    target: str, wait_s: float = 7200.0, say: Callable[[str], None] = print
) -> Iterator[None]:
    """Hold the one lock of this machine's target, whatever folder a run keeps its state in.

    Raises:
        EngineError: another run still holds it after `wait_s`.
    """
    path = Path(tempfile.gettempdir()) / f"touchstone-device-{target}.lock"
    lock = FileLock(path, mode=0o666)
    with contextlib.suppress(Timeout):
        lock.acquire(timeout=0)
    if not lock.is_locked:
        say(f"device {target!r} is held by another run (lock {path}); waiting for it")
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
        lock.release(force=True)
