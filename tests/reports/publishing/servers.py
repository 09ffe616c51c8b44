"""Real servers on loopback to publish to, each in a process of its own."""

import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from variants.engines.process import free_port

START_S = 180.0
KEYS = {
    "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1",
}  # fmt: skip
REGISTRY = """\
version: 0.1
storage: {filesystem: {rootdirectory: ROOT}}
http: {addr: "127.0.0.1:PORT"}
"""


@contextmanager
def running(command: list[str], url: str, folder: Path) -> Iterator[None]:
    """Keep a server up, and what it says in a file."""
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        _await(url, server, folder)
        yield
    finally:
        server.terminate()
        server.wait()


def _await(url: str, server: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert server.poll() is None, (folder / "server.log").read_text()
        try:
            urllib.request.urlopen(url, timeout=5).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise AssertionError((folder / "server.log").read_text())


@contextmanager
def s3(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An S3-compatible server (moto's, over HTTP) with one bucket."""
    boto3 = pytest.importorskip("boto3")
    pytest.importorskip("moto")
    port = free_port()
    for name, value in (KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}).items():
        monkeypatch.setenv(name, value)
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with running(command, f"http://127.0.0.1:{port}/", folder):
        boto3.client("s3").create_bucket(Bucket="models")
        yield "s3://models/team"


@contextmanager
def oci(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The reference registry of the OCI distribution project, where it is installed."""
    program = shutil.which("docker-registry")
    if program is None:
        pytest.skip("docker-registry is not installed (Debian has it): no OCI registry to push to")
    port = free_port()
    text = REGISTRY.replace("ROOT", str(folder / "blobs")).replace("PORT", str(port))
    (folder / "registry.yml").write_text(text)
    command = [program, "serve", str(folder / "registry.yml")]
    with running(command, f"http://127.0.0.1:{port}/v2/", folder):
        yield f"oci+http://127.0.0.1:{port}/team/models"


@contextmanager
def mlflow(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A real MLflow server; its pins are not ours, so it lives in an environment of its own."""
    program = os.environ.get("TOUCHSTONE_TEST_MLFLOW") or _install(folder)
    port = free_port()
    command = [
        program, "server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1",
        "--backend-store-uri", f"sqlite:///{folder}/mlflow.db",
        "--artifacts-destination", str(folder / "artifacts"),
    ]  # fmt: skip
    with running(command, f"http://127.0.0.1:{port}/health", folder):
        yield f"mlflow+http://127.0.0.1:{port}"


def _install(folder: Path) -> str:
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    pip = [str(folder / "venv/bin/python"), "-m", "pip", "install", "--quiet", "mlflow==3.17.2"]
    subprocess.run(pip, check=True)
    return str(folder / "venv/bin/mlflow")


@contextmanager
def folder_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A shared disk."""
    yield (folder / "shared").as_uri()
