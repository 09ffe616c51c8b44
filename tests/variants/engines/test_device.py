import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest

from variants.engines.device import hold_device
from variants.errors import EngineError

ROOT = Path(__file__).resolve().parents[3]
HOLDER = """
import sys, time
from variants.engines.device import hold_device
with hold_device(sys.argv[1]):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def target() -> str:
    return f"test-{uuid4().hex}"  # never the machine's own target: a run may be measuring


@pytest.fixture
def holder(target: str) -> Iterator[subprocess.Popen[str]]:
    """Hold the device in another process."""
    command = [sys.executable, "-c", HOLDER, target]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.mark.usefixtures("holder")
def test_a_second_holder_is_told_who_holds_what(target: str) -> None:
    told = re.escape(f"device '{target}' is held by another run")
    with pytest.raises(EngineError, match=told), hold_device(target, wait_s=0.2):
        pytest.fail("two hold one device")


def test_a_killed_holder_frees_it(target: str, holder: subprocess.Popen[str]) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with hold_device(target, wait_s=0.2):
        pass


def test_it_is_free_again_after_use_and_after_an_error(target: str) -> None:
    with pytest.raises(ZeroDivisionError), hold_device(target, wait_s=0.2):
        raise ZeroDivisionError
    with hold_device(target, wait_s=0.2):
        pass
