"""Serve one machine: a Prefect server, this project's deployments, and a worker for one pool.

`python -m flows.serve [--pool cpu]`; a server that PREFECT_API_URL names is used instead of a new
one.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from variants.engines.process import require_free
from variants.errors import EngineError

ROOT = Path(__file__).resolve().parent.parent
PORT = 4200
START_S = 180
PREFECT = [str(Path(sys.executable).parent / "prefect"), "--no-prompt"]


def main() -> None:
    """Start what is missing, deploy, and work until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m flows.serve", description=__doc__)
    parser.add_argument("--pool", default="cpu", help="work pool, named after the target")
    parser.add_argument("--port", type=int, default=PORT, help="of the server that is started")
    options = parser.parse_args()
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background job ignores SIGINT
        signal.signal(number, signal.default_int_handler)
    with api(options.port) as url:
        variables = os.environ | {"PREFECT_API_URL": url}
        _call(["work-pool", "create", options.pool, "--type", "process", "--overwrite"], variables)
        _call(["deploy", "--all"], variables)
        automations = [sys.executable, "-m", "flows.automations"]
        subprocess.run(automations, cwd=ROOT, env=variables, check=True)
        print(
            f"server {url}; run: PREFECT_API_URL={url} prefect deployment run qualify/smollm2-cpu"
        )
        subprocess.run(
            [*PREFECT, "worker", "start", "--pool", options.pool],
            cwd=ROOT,
            env=variables,
            check=False,
        )


@contextmanager
def api(port: int) -> Iterator[str]:
    """Yield the address of the server in use, starting one where none is named."""
    if named := os.environ.get("PREFECT_API_URL"):
        yield named
        return
    try:
        require_free(port)
    except EngineError as error:
        sys.exit(f"{error}; or set PREFECT_API_URL to use the server that is there")
    server = subprocess.Popen([*PREFECT, "server", "start", "--port", str(port)], cwd=ROOT)
    try:
        _await(f"http://127.0.0.1:{port}/api/health", server)
        yield f"http://127.0.0.1:{port}/api"
    finally:
        server.terminate()
        server.wait()


def _await(url: str, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except OSError:
            time.sleep(0.5)
    sys.exit(f"the Prefect server did not answer at {url}; is the port taken? try --port")


def _call(arguments: list[str], variables: dict[str, str]) -> None:
    finished = subprocess.run([*PREFECT, *arguments], cwd=ROOT, env=variables, check=False)
    if finished.returncode:
        sys.exit(f"`prefect {' '.join(arguments)}` failed with code {finished.returncode}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(0)
