import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evals.performance.endpoint import Endpoint

ROOT = Path(__file__).resolve().parents[3]
Serve = Callable[..., Endpoint]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start scripted endpoints; the first line each prints is its address."""
    processes: list[subprocess.Popen[str]] = []

    def start(**script: object) -> Endpoint:
        path = tmp_path / f"script-{len(processes)}.json"
        path.write_text(json.dumps(script))
        process = subprocess.Popen(
            [sys.executable, "-m", "variants.engines.scripted", "--script", str(path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, "the scripted endpoint did not start"
        return Endpoint(base_url=address, model="scripted", engine="scripted", engine_version="1")

    yield start
    for process in processes:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
