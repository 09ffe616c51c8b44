"""`make bench-report`: seconds, memory and size of a report over 10 thousand to 1 million requests.

Made-up runs: three variants beside the baseline, four cells, five repeats, 120 Parquet files, drawn
from log-normal times. Each size is told by a fresh process, which does what the last step of a run
does: verify and aggregate the traces, build the view, render the page.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.random import Generator

from evals.performance.trace_file import SCHEMA
from evals.results import Cell, Evidence, Record
from reports.figures.distributions import with_latencies
from reports.page import render
from reports.view import build_view
from tests.reports import fixture, judged
from variants.fingerprint import sha256_file
from variants.kept.store import Store

SIZES = (10_000, 100_000, 1_000_000)
MOST = "asked of 1 million: under 10 s, 500 MB, and 2 MB of page"
NS_PER_MS = 1e6
OUTPUT_TOKENS, FAILED_SHARE = 32, 0.002
RUN_FILE = "evidence.json"


def make_run(folder: Path, num_requests: int) -> None:
    """Write the evidence of a run and its traces, as many requests in all."""
    evidence = fixture.evidence()
    num_files = sum(isinstance(r.payload, Cell) for one in evidence for r in one.records)
    rng = np.random.default_rng(num_requests)
    traced = [
        one.model_copy(
            update={
                "records": tuple(_traced(folder, r, num_requests // num_files, rng)
                                 for r in one.records)
            }
        )
        for one in evidence
    ]  # fmt: skip
    (folder / RUN_FILE).write_text(json.dumps([one.model_dump(mode="json") for one in traced]))


def _traced(folder: Path, record: Record, num: int, rng: Generator) -> Record:
    """Give a cell traces whose times go around its own figures."""
    if not isinstance(record.payload, Cell):
        return record
    cell = record.payload
    table = _table(num, cell.metrics["ttft_ms_p50"] or 1, cell.metrics["tpot_ms_mean"] or 1, rng)
    file = folder / "traces.parquet"
    pq.write_table(table, file, compression="zstd")
    digest = sha256_file(file)
    blob = folder / "blobs" / f"{digest}.parquet"
    blob.parent.mkdir(exist_ok=True)
    file.rename(blob)
    figures = {"traces_sha256": digest, "num_offered": num, "num_ok": num}
    return record.model_copy(update={"payload": cell.model_copy(update=figures)})


def _table(num: int, ttft_ms: float, tpot_ms: float, rng: Generator) -> pa.Table:
    scheduled_N = np.cumsum(rng.exponential(20 * NS_PER_MS, num)).astype(np.int64)
    first_N = scheduled_N + (rng.lognormal(np.log(ttft_ms), 0.4, num) * NS_PER_MS).astype(np.int64)
    spans_N = rng.lognormal(np.log(tpot_ms), 0.15, num) * (OUTPUT_TOKENS - 1) * NS_PER_MS
    last_N = first_N + spans_N.astype(np.int64)
    is_failed_N = rng.random(num) < FAILED_SHARE
    columns = {
        "index": np.arange(num), "scheduled_ns": scheduled_N, "sent_ns": scheduled_N + 40_000,
        "first_byte_ns": first_N, "first_token_ns": first_N, "last_token_ns": last_N,
        "end_ns": last_N + 10_000, "prompt_tokens": np.full(num, 96),
        "cached_tokens": np.zeros(num, int), "output_tokens": np.full(num, OUTPUT_TOKENS),
        "first_read_tokens": np.ones(num, int), "max_gap_ns": spans_N.astype(np.int64) // 9,
        "outcome": np.where(is_failed_N, "timeout", "ok"), "error": np.full(num, ""),
        "is_judged": rng.random(num) < 0.9, "answer": pa.nulls(num, pa.string()),
        "is_valid": pa.nulls(num, pa.bool_()),
    }  # fmt: skip
    return pa.table(columns, schema=SCHEMA)


def tell(folder: Path) -> None:
    """Tell a run, and print what that took as JSON."""
    loaded = json.loads((folder / RUN_FILE).read_text())
    evidence = tuple(Evidence.model_validate(one) for one in loaded)
    stamps, begun_s = [time.perf_counter()], time.process_time()
    told = with_latencies(replace(judged.told(), evidence=evidence), Store(folder).blob)
    stamps.append(time.perf_counter())
    html = render(build_view(told))
    stamps.append(time.perf_counter())
    cpu_s = time.process_time() - begun_s
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(json.dumps({
        "aggregate_s": stamps[1] - stamps[0], "render_s": stamps[2] - stamps[1], "cpu_s": cpu_s,
        "peak_bytes": peak_bytes, "html_bytes": len(html.encode()),
        "told": sum(one.n for one in told.distributions if one.metric == "e2e_ms"),
    }))  # fmt: skip


def print_report(sizes: Sequence[int]) -> None:
    """Print one line per size."""
    print(f"the report over many requests, each size in a fresh process; {MOST}")
    heads = ("requests", "told", "aggregate s", "render s", "all s", "CPU s", "peak MB", "page kB")
    print("".join(f"{head:>13}" for head in heads))
    for num in sizes:
        with tempfile.TemporaryDirectory() as name:
            make_run(Path(name), num)  # file by file: this process stays smaller than its child,
            command = [sys.executable, "-m", __spec__.name, "--tell", name]  # which inherits its
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # peak
        seen = json.loads(done.stdout)
        seconds = (
            seen["aggregate_s"],
            seen["render_s"],
            seen["aggregate_s"] + seen["render_s"],
            seen["cpu_s"],
        )
        cells = [f"{num:,}", f"{seen['told']:,}", *(f"{one:.2f}" for one in seconds),
                 f"{seen['peak_bytes'] / 1e6:.0f}", f"{seen['html_bytes'] / 1e3:.0f}"]  # fmt: skip
        print("".join(f"{cell:>13}" for cell in cells), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tell", type=Path, help="a run made before; print what telling it took")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="requests")
    asked = parser.parse_args()
    if asked.tell:
        tell(asked.tell)
    else:
        print_report(asked.sizes)
