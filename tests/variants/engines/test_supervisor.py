import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from variants.engines.process import EngineProcess, free_port, require_free
from variants.engines.supervisor import session_members, stop_session
from variants.errors import EngineError

ROOT = Path(__file__).resolve().parents[3]
TREE = """
import os, subprocess, sys, time
sleep = [sys.executable, "-c", "import time; time.sleep(60)"]
child = "import subprocess, sys; subprocess.run(" + repr(sleep) + ")"
children = [subprocess.Popen([sys.executable, "-c", child]) for _ in range(2)]
print(os.getpid(), flush=True)
time.sleep(60)
"""
STUBBORN = """
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(os.getpid(), flush=True)
time.sleep(60)
"""
LATE = """
import os, signal, subprocess, sys, time
def bear(*_):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    sys.exit(0)
signal.signal(signal.SIGTERM, bear)
print(os.getpid(), flush=True)
time.sleep(60)
"""
OWNER = """
import sys, time
from pathlib import Path
from variants.engines.process import EngineProcess
engine = EngineProcess.start([sys.executable, "-c", sys.argv[1]], {}, Path(sys.argv[2]))
print(engine.supervisor.pid, flush=True)
time.sleep(60)
"""
TREE_SIZE = 5  # the engine, two children, and a grandchild of each


def wait_until(condition: object, within_s: float) -> None:
    assert callable(condition)
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, "it never came to pass"
        time.sleep(0.05)


def session_of(log: Path) -> int:
    """Wait until the engine said its process id, which is its session's."""
    wait_until(lambda: log.exists() and log.read_text().strip(), 10)
    return int(log.read_text())


def start(program: str, log: Path) -> tuple[EngineProcess, int]:
    engine = EngineProcess.start([sys.executable, "-c", program], {}, log)
    return engine, session_of(log)


def test_stopping_ends_the_whole_tree(tmp_path: Path) -> None:
    engine, session = start(TREE, tmp_path / "log")
    wait_until(lambda: len(session_members(session)) == TREE_SIZE, 10)
    assert len(engine.members()) == TREE_SIZE
    engine.stop()
    assert session_members(session) == []
    assert not engine.is_alive
    assert engine.members() == []
    engine.stop()  # a second stop is no error


def test_kill_9_of_the_owner_leaves_nothing(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-c", OWNER, TREE, str(log)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        supervisor = int(owner.stdout.readline())
        session = session_of(log)
        wait_until(lambda: len(session_members(session)) == TREE_SIZE, 10)
        owner.send_signal(signal.SIGKILL)
    wait_until(lambda: not session_members(session), 20)
    wait_until(lambda: not psutil.pid_exists(supervisor), 20)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_supervisor_ends_the_engine(tmp_path: Path, number: int) -> None:
    engine, session = start(TREE, tmp_path / "log")
    try:
        os.kill(engine.supervisor.pid, number)
        wait_until(lambda: not session_members(session), 5)
        assert engine.supervisor.wait(5) != 0
    finally:
        engine.stop()


def test_an_engine_that_ignores_the_signal_is_killed_after_its_grace(tmp_path: Path) -> None:
    engine, session = start(STUBBORN, tmp_path / "log")
    started = time.monotonic()
    stop_session(session, grace_s=0.3)
    assert 0.3 <= time.monotonic() - started < 5
    assert session_members(session) == []
    assert engine.supervisor.wait(5) != 0
    engine.stop()


def test_a_process_born_while_the_others_are_told_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine answers the signal with one child more: it is terminated, not killed."""
    sent: list[int] = []
    send = psutil.Process.send_signal
    monkeypatch.setattr(
        psutil.Process, "send_signal", lambda one, number: (sent.append(number), send(one, number))
    )
    log = tmp_path / "log"
    with log.open("wb") as stream:  # no supervisor, which would tell the child itself
        engine = subprocess.Popen(
            [sys.executable, "-c", LATE], stdout=stream, start_new_session=True
        )
    stop_session(session_of(log), grace_s=10)
    assert session_members(engine.pid) == []
    assert set(sent) == {signal.SIGTERM}
    engine.wait(5)


def test_what_an_engine_leaves_behind_at_its_own_end_is_stopped(tmp_path: Path) -> None:
    leaves = TREE.replace("time.sleep(60)\n", "time.sleep(0.5); sys.exit(3)\n")
    engine, session = start(leaves, tmp_path / "log")
    assert engine.supervisor.wait(20) == 3
    assert session_members(session) == []
    engine.stop()


def test_the_log_holds_all_that_was_said_and_grows(tmp_path: Path) -> None:
    log = tmp_path / "deep" / "log"
    says = "import sys; print('out'); print('err', file=sys.stderr)"
    for _ in range(2):
        engine = EngineProcess.start([sys.executable, "-c", says], {}, log)
        assert engine.supervisor.wait(10) == 0
        engine.stop()
    assert sorted(log.read_text().split()) == ["err", "err", "out", "out"]


def test_a_port_is_free_or_taken() -> None:
    port = free_port()
    assert require_free(port) == port
    command = [sys.executable, "-m", "variants.engines.scripted", "--port", str(port)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        with pytest.raises(EngineError, match=rf"port {port} is taken \(Address already in use\)"):
            require_free(port)
        process.kill()


def test_an_engine_sees_no_secret_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it serves is other people's code: templates, plug-ins, kernels."""
    for name in ("HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "CUDA_API_KEY", "PREFECT_API_KEY", "OTHER"):
        monkeypatch.setenv(name, "canary")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    log = tmp_path / "engine.log"
    show = "import os; print(dict(os.environ))"
    process = EngineProcess.start([sys.executable, "-c", show], {"VLLM_X": "y"}, log)
    process.supervisor.wait()
    told = log.read_text()
    assert "canary" not in told
    assert "'CUDA_VISIBLE_DEVICES': '1'" in told
    assert "'VLLM_X': 'y'" in told
