"""What a library started dies with a command that was killed; what ends well is left alone."""

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from variants.running.afterwards import VARIABLE
from variants.running.isolation import ROOT

OWNER = """
import subprocess, sys, time
from variants.running.afterwards import leave_nobody
leave_nobody()
leave_nobody()  # twice is once
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"],
                         start_new_session=True)
print(child.pid, flush=True)
time.sleep(600 if sys.argv[1] == "stay" else 0)
"""


def started(how: str) -> tuple[subprocess.Popen[str], psutil.Process]:
    variables = {name: value for name, value in os.environ.items() if name != VARIABLE}
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, how], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=variables,
    )  # fmt: skip
    assert owner.stdout is not None
    return owner, psutil.Process(int(owner.stdout.readline()))


@pytest.mark.parametrize("how", ["stay", "end"])
def test_nobody_outlives_its_owner(how: str) -> None:
    owner, child = started(how)
    if how == "stay":
        assert child.is_running()
        owner.send_signal(signal.SIGKILL)
    owner.wait()
    deadline = time.monotonic() + 60
    while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < deadline, "it outlived its owner"
        time.sleep(0.1)
