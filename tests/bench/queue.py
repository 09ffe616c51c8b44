"""The attainment gate on a queue that sits exactly at its target: how often is it passed?

Part of `make bench-gates`. M/M/1, first come first served: a request's time in the system is
exponential with rate mu - lambda, so a limit of ln(10) / (mu - lambda) is met by 90 % (Kleinrock,
Queueing Systems I (1975), section 3.2). Requests hang together, so a bound that takes them for
independent passes far too often.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from evals.gates.cells import Pair, Pairs
from evals.gates.judges.attainment import attainment_interval
from evals.results import Cell
from evals.statistics import autocorrelation_time, wilson_interval

TARGET = 0.90
CONFIDENCE = 0.95
NUM_REPEATS, WARM_UP = 5, 1000
NUM_DRAWS = 1000
SIZES = (20, 100, 400)  # requests a repeat
LOADS = (0.3, 0.5, 0.8, 0.9)
Uses = NDArray[np.float64]  # time / limit; shape: repeats x requests, in order of arrival


def simulate(rng: Generator, load: float, num_requests: int, share: float = TARGET) -> Uses:
    """Return how much of the limit requests used, in independent repeats in steady state."""
    limit = math.log(1 / (1 - share)) / (1 - load)
    return np.array([_times(rng, load, num_requests) / limit for _ in range(NUM_REPEATS)])


def _times(rng: Generator, load: float, num_requests: int) -> NDArray[np.float64]:
    """Time in the system by Lindley's recursion, unrolled: W(n) = S(n) - min S up to n."""
    num = WARM_UP + num_requests
    services, gaps = rng.exponential(1.0, num), rng.exponential(1 / load, num)
    steps = np.concatenate([[0.0], np.cumsum(services[:-1] - gaps[1:])])
    waits = steps - np.minimum.accumulate(steps)
    times: NDArray[np.float64] = (waits + services)[WARM_UP:]
    return times


def ours(uses: Uses) -> bool:
    """The gate's own bound."""
    cells = [_cell(repeat, row) for repeat, row in enumerate(uses)]
    pairs = Pairs(tuple(Pair(cell.repeat, cell, cell) for cell in cells), ())
    return attainment_interval(pairs, "variant", CONFIDENCE).lower >= TARGET


def independent(uses: Uses) -> bool:
    """Wilson's bound over all requests as if they were independent."""
    good = uses <= 1
    return wilson_interval(int(good.sum()), good.size, CONFIDENCE).lower >= TARGET


def point_estimate(uses: Uses) -> bool:
    """Two floats compared."""
    return bool((uses <= 1).mean() >= TARGET)


def _cell(repeat: int, row: NDArray[np.float64]) -> Cell:
    logs = np.log(row)
    metrics: dict[str, float | None] = {
        "attainment": float((row <= 1).mean()),
        "slo_use_log_mean": float(logs.mean()),
        "slo_use_log_sd": float(logs.std(ddof=1)),
        "slo_use_correlation": autocorrelation_time(logs.tolist()),
    }
    return Cell(
        name="poisson",
        arm="variant",
        repeat=repeat,
        order=repeat,
        num_offered=len(row),
        num_ok=len(row),
        window_s=1.0,
        metrics=metrics,
        engine={},
        traces_sha256=str(repeat),
    )


RULES: dict[str, Callable[[Uses], bool]] = {
    "ours": ours,
    "independent Wilson": independent,
    "point estimate": point_estimate,
}


def print_queue() -> None:
    """Print one line per size and load: at the target, and well inside the limit."""
    print(
        f"\nPASS of attainment {TARGET:.0%} on an M/M/1 queue, {NUM_REPEATS} repeats, {NUM_DRAWS} "
        "draws: false at the target, true where 99.99 % meet the limit"
    )
    print(f"{'requests':>8} {'load':>5}", *(f"{rule:>19}" for rule in RULES), f"{'ours, true':>12}")
    for num_requests in SIZES:
        for load in LOADS:
            rng = np.random.default_rng([num_requests, round(100 * load)])
            draws = [simulate(rng, load, num_requests) for _ in range(NUM_DRAWS)]
            shares = [sum(map(rule, draws)) / NUM_DRAWS for rule in RULES.values()]
            well = [ours(simulate(rng, load, num_requests, 0.9999)) for _ in range(NUM_DRAWS // 4)]
            cells = (f"{share:>19.1%}" for share in shares)
            true = f"{sum(well) / len(well):>12.1%}"
            print(f"{num_requests:>8} {load:>5.2f}", *cells, true, flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print_queue()
