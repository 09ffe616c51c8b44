"""`make bench-loadgen`: ours and its peers against one endpoint of known timing, side by side.

The endpoint's own send times are the truth. One client runs at a time, on the same cores as the
endpoint. Columns: events (tokens) per second that the client drew in the steady middle, and of the
ideal; the error of what it says against the truth; CPU seconds per 10,000 events and peak memory of
its whole process tree, start-up included; seconds until its first request.
"""

import argparse
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psutil

from evals.workload.arrivals import dispersion
from tests.bench.loadgen.clients import CLIENTS, OUTPUT_TOKENS, Client, Load, Said
from tests.bench.loadgen.truth import ROOT, Truth, read_truth, scripted
from tests.byte_tokenizer import write_tokenizer

STREAMS = (8, 32, 128, 256)
TTFT_MS, TPOT_MS = 20.0, 5.0
ARRIVAL_RATE, ARRIVAL_S = 50.0, 60.0
LEAST_PEERS = 2
GRACE_S = 120.0  # for start-up and results, beyond the duration


@dataclass(frozen=True, slots=True)
class Outcome:
    """One client's run."""

    said: Said
    truth: Truth
    cpu_s: float
    peak_bytes: int
    start_s: float

    @property
    def num_events(self) -> int:
        """Tokens the endpoint wrote."""
        return int(self.truth.num_tokens)


def run(client: Client, load: Load) -> Outcome:
    """Run one client to its end and measure its process tree.

    Raises:
        OSError: it cannot be installed, or it failed; with its last words.
    """
    command = [str(client.interpreter()), *client.command(load)]
    before, began_ns = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic_ns()
    log = load.folder / "log"
    environment = os.environ | {"PYTHONPATH": str(ROOT), "DO_NOT_TRACK": "1"}
    with log.open("wb") as stream:
        process = subprocess.Popen(
            command, stdout=stream, stderr=subprocess.STDOUT, cwd=ROOT, env=environment
        )
        peak = _watch(process, load.seconds + GRACE_S)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        words = log.read_text(errors="replace")[-1500:]
        raise OSError(f"{client.name} ended with {process.returncode}: {words}")
    truth = read_truth(load.url)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    start_s = (truth.first_arrival_ns - began_ns) / 1e9
    return Outcome(client.read(load.folder), truth, cpu_s, peak, start_s)


def _watch(process: subprocess.Popen[bytes], limit_s: float) -> int:
    """Wait for the end; return the highest sum of the proportional sets of its tree, in bytes."""
    peak, until = 0, time.monotonic() + limit_s
    while process.poll() is None:
        if time.monotonic() > until:
            process.kill()  # and its own children see their parent gone
        try:
            tree = [psutil.Process(process.pid)]
            tree += tree[0].children(recursive=True)
            peak = max(peak, sum(one.memory_full_info().pss for one in tree))
        except psutil.Error:
            pass
        time.sleep(0.5)
    return peak


def measure(client: Client, tokenizer: Path, **shape: float) -> Outcome:
    """Run one client against a fresh endpoint."""
    with TemporaryDirectory() as folder, scripted(ttft_ms=TTFT_MS, tpot_ms=TPOT_MS) as url:
        load = Load(url, Path(folder), tokenizer, **shape)  # type: ignore[arg-type]
        return run(client, load)


def print_saturation(clients: list[Client], tokenizer: Path, seconds: float) -> set[str]:
    """Print one line per client and number of streams; name those measured at every number."""
    failed: set[str] = set()
    print(
        f"{'client':<18} {'streams':>7} {'events/s':>9} {'of ideal':>8} "
        f"{'TTFT p50, p99 said - true':>26} {'TPOT p50':>9} {'CPU s/10k':>10} {'MB':>6} "
        f"{'start s':>8}"
    )
    for streams in STREAMS:
        ideal = streams * OUTPUT_TOKENS / (TTFT_MS + (OUTPUT_TOKENS - 1) * TPOT_MS) * 1e3
        ours_cpu = 0.0
        for client in clients:
            try:
                found = measure(client, tokenizer, concurrency=streams, seconds=seconds)
            except OSError as error:
                print(f"{client.name:<18} {streams:>7} {error}", flush=True)
                failed.add(client.name)
                continue
            cpu = found.cpu_s / found.num_events * 1e4
            ours_cpu = cpu if client is CLIENTS["ours"] else ours_cpu
            ratio = f"CPU x {cpu / ours_cpu:.1f}" if ours_cpu else "ours failed"
            rate = found.truth.events_per_s
            errors = [
                found.said[f"ttft_p{p}"] - np.percentile(found.truth.ttft_ms, p) for p in (50, 99)
            ]
            tpot = found.said["tpot_p50"] - np.percentile(found.truth.tpot_ms, 50)
            print(
                f"{client.name:<18} {streams:>7} {rate:>9,.0f} {rate / ideal:>8.1%} "
                f"{errors[0]:>12.2f} {errors[1]:>10.2f} ms {tpot:>6.3f} ms {cpu:>10.3f} "
                f"{found.peak_bytes / 1e6:>6.0f} {found.start_s:>8.2f}  "
                f"{ratio}; endpoint late p99 {found.truth.late_ms_p99:.2f} ms",
                flush=True,
            )
    return {client.name for client in clients} - failed


def print_arrivals(tokenizer: Path) -> None:
    """Print what became of Poisson arrivals at 1, 2 and 4 workers of ours."""
    print(f"\nPoisson {ARRIVAL_RATE:g}/s for {ARRIVAL_S:g} s, index of dispersion (Poisson: 1)")
    for workers in (1, 2, 4):
        found = measure(
            CLIENTS["ours"], tokenizer, rate=ARRIVAL_RATE, seconds=ARRIVAL_S, num_workers=workers
        )
        at_s = (found.truth.arrivals_ns - found.truth.first_arrival_ns) / 1e9
        within = at_s[at_s < ARRIVAL_S]
        bins = {size: dispersion(within, ARRIVAL_S, size) for size in (0.1, 1.0, 5.0)}
        shown = ", ".join(f"{size:g} s {value:.2f}" for size, value in bins.items() if value)
        print(f"ours, {workers} workers: {len(within) / ARRIVAL_S:.2f}/s; {shown}", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", nargs="*", default=list(CLIENTS), choices=list(CLIENTS))
    parser.add_argument("--seconds", type=float, default=10)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        tokenizer = write_tokenizer(Path(folder))
        clients = [CLIENTS[name] for name in options.clients]
        measured = print_saturation(clients, tokenizer, options.seconds)
        print_arrivals(tokenizer)
    num_peers = len(measured - {"ours"})
    if num_peers < LEAST_PEERS or "ours" not in measured:
        print(
            f"\nmeasured: {sorted(measured)}; ours and at least {LEAST_PEERS} peers are needed for "
            "a comparison"
        )
        sys.exit(1)


if __name__ == "__main__":
    main()
