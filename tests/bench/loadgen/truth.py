"""What the scripted endpoint really did, as numbers to compare a client's with."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[3]
EDGE_S = 1.0  # cut from both ends: start-up and the last round are not the steady state


@dataclass(frozen=True, slots=True)
class Truth:
    """Per-request figures in ms, and the rate of events in the steady middle."""

    arrivals_ns: NDArray[np.int64]  # R requests, in order of arrival
    ttft_ms: NDArray[np.float64]  # of those with a token
    tpot_ms: NDArray[np.float64]  # of those with two
    num_tokens: int
    events_per_s: float
    late_ms_p99: float  # the endpoint's own lateness

    @property
    def first_arrival_ns(self) -> int:
        """Stamp of the first request."""
        return int(self.arrivals_ns[0])


@contextmanager
def scripted(**script: object) -> Iterator[str]:
    """Serve a script; give the address."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "script.json"
        path.write_text(json.dumps(script))
        command = [sys.executable, "-m", "variants.engines.scripted", "--script", str(path)]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield process.stdout.readline().strip()
            finally:
                process.kill()  # also where a client failed: the `with` waits for its end


def read_truth(url: str) -> Truth:
    """Ask the endpoint what it did."""
    content = httpx.get(f"{url}/truth", timeout=60).json()
    arrivals_R2 = np.array(content["arrivals"], dtype=np.int64).reshape(-1, 2)
    writes_W4 = np.array(content["writes"], dtype=np.int64).reshape(-1, 4)
    tokens_W4 = writes_W4[writes_W4[:, 3] > 0]
    number_W, due_W, sent_W = tokens_W4[:, 0], tokens_W4[:, 1], tokens_W4[:, 2]
    order = np.lexsort((sent_W, number_W))
    numbers_Q, firsts_Q = np.unique(number_W[order], return_index=True)
    sent_sorted_W = sent_W[order]
    first_Q = sent_sorted_W[firsts_Q]
    last_Q = sent_sorted_W[np.append(firsts_Q[1:], len(order)) - 1]
    count_Q = np.diff(np.append(firsts_Q, len(order)))
    read_at = dict(arrivals_R2.tolist())
    read_Q = np.array([read_at[number] for number in numbers_Q.tolist()], dtype=np.int64)
    several = count_Q > 1
    inside = (sent_W > sent_W.min() + EDGE_S * 1e9) & (sent_W < sent_W.max() - EDGE_S * 1e9)
    length_s = float(np.ptp(sent_W)) / 1e9 - 2 * EDGE_S
    return Truth(
        arrivals_ns=np.sort(arrivals_R2[:, 1]),
        ttft_ms=(first_Q - read_Q) / 1e6,
        tpot_ms=(last_Q - first_Q)[several] / (count_Q[several] - 1) / 1e6,
        num_tokens=int(tokens_W4[:, 3].sum()),
        events_per_s=float(inside.sum()) / length_s if length_s > 0 else float("nan"),
        late_ms_p99=float(np.percentile(sent_W - due_W, 99)) / 1e6,
    )
