import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.variants.engines.scripted_adapter import ScriptedAdapter
from variants.engines.adapter import Launch
from variants.engines.endpoint import Endpoint, forget_compile_cache, serve
from variants.engines.process import free_port
from variants.errors import EngineError
from variants.specs.spec import Serving

ROOT = Path(__file__).resolve().parents[3]
PYTHON = Path(sys.executable)
DIES = "import sys; print('starting'); sys.exit('ValueError: no kernel for this format')"
NEVER_READY = "import time; time.sleep(60)"


@contextmanager
def served(
    folder: Path, adapter: ScriptedAdapter, deadline_s: float = 20.0, port: int | None = None
) -> Iterator[Endpoint]:
    launch = Launch(folder, Serving(), port or free_port(), folder / "cache")
    with serve(adapter, PYTHON, launch, folder / "engine.log", deadline_s) as endpoint:
        yield endpoint


def mentioning(folder: Path) -> list[psutil.Process]:
    """List living processes whose command line names the test's folder."""
    listed = psutil.process_iter(["cmdline", "status"])
    return [
        process
        for process in listed
        if any(str(folder) in word for word in process.info["cmdline"] or [])
        and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_it_is_ready_answers_and_leaves_nothing(tmp_path: Path) -> None:
    with served(tmp_path, ScriptedAdapter()) as endpoint:
        assert 0 < endpoint.ready_s < 20
        assert endpoint.reported_config() == {"max_model_len": "4096"}
        answer = endpoint.post("/v1/completions", {"prompt": [1, 2], "max_tokens": 2}, 5.0)
        assert answer["choices"][0]["text"] == " t1 t2"
        endpoint.reset_cache()
        assert (endpoint.process.peak_bytes() or 0) > 1 << 20
        assert mentioning(tmp_path)
    assert mentioning(tmp_path) == []
    with pytest.raises(EngineError, match=r"gave no answer within 10 s.*the engine is dead"):
        endpoint.get("/health")


def test_it_leaves_nothing_when_the_work_fails(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), served(tmp_path, ScriptedAdapter()):
        raise ZeroDivisionError
    assert mentioning(tmp_path) == []


def test_an_engine_that_dies_at_start_is_told_with_its_last_error(tmp_path: Path) -> None:
    told = "scripted 1 refused this variant: ValueError: no kernel for this format"
    with (
        pytest.raises(EngineError, match=told),
        served(tmp_path, ScriptedAdapter(program=DIES)),
    ):
        pytest.fail("a dead engine was ready")


def test_an_engine_that_is_never_ready_meets_its_deadline(tmp_path: Path) -> None:
    started = time.monotonic()
    with (
        pytest.raises(EngineError, match="not ready within its start deadline"),
        served(tmp_path, ScriptedAdapter(program=NEVER_READY), deadline_s=0.5),
    ):
        pytest.fail("an engine that sleeps was ready")
    assert time.monotonic() - started < 10
    assert mentioning(tmp_path) == []


def test_a_taken_port_is_said_before_another_server_is_measured(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "variants.engines.scripted"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        port = int(other.stdout.readline().strip().rpartition(":")[2])
        try:
            with (
                pytest.raises(EngineError, match=rf"port {port} is taken"),
                served(tmp_path, ScriptedAdapter(), port=port),
            ):
                pytest.fail("another server was taken for ours")
        finally:
            other.kill()


def test_a_port_used_a_moment_ago_is_free(tmp_path: Path) -> None:
    port = free_port()
    with served(tmp_path, ScriptedAdapter(), port=port):
        client = socket.create_connection(("127.0.0.1", port), timeout=5)
        client.sendall(b"GET /health HTTP/1.1\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200")
    client.close()  # the server left first: its side waits in TIME_WAIT
    with served(tmp_path, ScriptedAdapter(), port=port) as endpoint:
        endpoint.get("/v1/models")


def test_an_engine_that_dies_in_the_middle_is_told(tmp_path: Path) -> None:
    adapter = ScriptedAdapter(script={"die_after": 0})
    body: dict[str, object] = {"prompt": [1], "max_tokens": 5, "stream": True}
    with served(tmp_path, adapter) as endpoint:
        with pytest.raises(EngineError, match="gave no answer"):
            endpoint.post("/v1/completions", body, 5.0)
        endpoint.process.supervisor.wait(10)
        assert not endpoint.process.is_alive


def test_a_refused_request_carries_the_engines_words(tmp_path: Path) -> None:
    with (
        served(tmp_path, ScriptedAdapter(script={"fault": "http_500"})) as endpoint,
        pytest.raises(EngineError, match=r"answered 500: .*scripted failure"),
    ):
        endpoint.post("/v1/completions", {"prompt": [1], "max_tokens": 1}, 5.0)


def test_a_hanging_request_meets_its_deadline(tmp_path: Path) -> None:
    with (
        served(tmp_path, ScriptedAdapter(script={"ttft_ms": 60_000})) as endpoint,
        pytest.raises(EngineError, match=r"within 0\.3 s .*the engine still runs"),
    ):
        endpoint.post("/v1/completions", {"prompt": [1], "max_tokens": 1}, 0.3)


def test_the_engine_sees_none_of_our_python_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    program = "import os, sys; sys.exit('Error: ' + repr(sorted(os.environ)))"
    with pytest.raises(EngineError) as raised, served(tmp_path, ScriptedAdapter(program=program)):
        pytest.fail("it was ready")
    assert "'SCRIPTED'" in str(raised.value)
    assert "PYTHONPATH" not in str(raised.value)
    assert "OMP_NUM_THREADS" not in str(raised.value)
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_a_missing_program_is_said(tmp_path: Path) -> None:
    launch = Launch(tmp_path, Serving(), free_port(), tmp_path / "cache")
    missing = tmp_path / "bin" / "python"
    with (
        pytest.raises(EngineError, match="does not exist; reinstall the engine"),
        serve(ScriptedAdapter(), missing, launch, tmp_path / "log", 1.0),
    ):
        pytest.fail("nothing was started")


def test_a_cold_start_has_no_compile_cache(tmp_path: Path) -> None:
    (tmp_path / "cache" / "inductor").mkdir(parents=True)
    forget_compile_cache(tmp_path / "cache")
    assert not (tmp_path / "cache").exists()
    forget_compile_cache(tmp_path / "cache")
