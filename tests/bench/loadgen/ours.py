"""Our load generator as a command of its own, so that it is measured like its peers."""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evals.performance import latency
from evals.performance.client.sending import Sender
from evals.performance.endpoint import Endpoint
from evals.results import Trace
from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from evals.workload.workload import Workload
from tests.bench.loadgen.clients import INPUT_TOKENS, OUTPUT_TOKENS

STREAM = [(i * 7919) % 5000 for i in range(20_000)]


def main() -> None:
    """Send, and write what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--closed", type=int)
    parser.add_argument("--rate", type=float)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--to", type=Path, required=True)
    options = parser.parse_args()
    cell = CellSpec(closed=options.closed, poisson=options.rate)
    workload = Workload(
        input_tokens=INPUT_TOKENS, output_tokens=OUTPUT_TOKENS, cells=(cell,), ramp_s=0,
        window_s=options.seconds, timeout_s=5,
    )  # fmt: skip
    endpoint = Endpoint(
        base_url=options.url, model="scripted", engine="scripted", engine_version="1"
    )
    with (
        TemporaryDirectory() as folder,
        Sender(Path(folder), num_workers=options.workers) as sender,
    ):  # the sender starts while the plan is drawn
        sent = sender.send(endpoint, plan_cell(workload, cell, 7, 0, STREAM))
    options.to.write_text(json.dumps(summary([x for x in sent.traces if x.outcome == "ok"])))


def summary(traces: list[Trace]) -> dict[str, float]:
    """Percentiles in ms, of all that ended well, as the peers give them."""
    first = [value for trace in traces if (value := latency.ttft_ms(trace)) is not None]
    gap = [value for trace in traces if (value := latency.tpot_ms(trace)) is not None]
    return {
        "ttft_p50": float(np.percentile(first, 50)),
        "ttft_p99": float(np.percentile(first, 99)),
        "tpot_p50": float(np.percentile(gap, 50)),
    }


if __name__ == "__main__":
    main()
