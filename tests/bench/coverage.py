"""Coverage of every interval: how often does the one-sided .95 upper bound lie above the truth?

Part of `make bench-gates`. Nominal 95 %; 2,000 draws have an error of half a point.
"""

import argparse
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from evals.statistics import (
    PairedCounts,
    batch_interval,
    bootstrap_interval,
    clustered_interval,
    clustered_tango_interval,
    exact_interval,
    ratio_interval,
    tango_interval,
    wilson_interval,
)
from tests.bench.gates import draw
from variants.errors import MeasurementError

CONFIDENCE = 0.95
NUM_DRAWS = 2000
Trial = Callable[[Generator, int], bool]  # whether one draw's bound covers


def tango(rng: Generator, seed: int) -> bool:
    """500 items, discordance .09, damage 2 points."""
    lost, won, _ = rng.multinomial(500, [0.055, 0.035, 0.91])
    return tango_interval(PairedCounts(int(lost), int(won), 500), CONFIDENCE).upper >= 0.02


def wald(rng: Generator, seed: int) -> bool:
    """The same draws by the bound that other tools use."""
    lost, won, _ = rng.multinomial(100, [0.025, 0.005, 0.97])
    damage = (lost - won) / 100
    return bool(damage + 1.645 * np.sqrt((lost + won) / 100 - damage**2) / 10 >= 0.02)


def tango_small(rng: Generator, seed: int) -> bool:
    """100 items, discordance .03, damage 2 points."""
    lost, won, _ = rng.multinomial(100, [0.025, 0.005, 0.97])
    return tango_interval(PairedCounts(int(lost), int(won), 100), CONFIDENCE).upper >= 0.02


def clustered(rng: Generator, seed: int) -> bool:
    """500 items in clusters of 10 that are lost together, damage 2 points."""
    one = draw(rng, 500, (0.055, 0.035), is_clustered=True)
    values = one.differences.tolist()
    return clustered_interval(values, one.clusters, CONFIDENCE, seed).upper >= 0.02


def clustered_tango(rng: Generator, seed: int) -> bool:
    """The same, by the score bound on as many items as the clusters are worth."""
    one = draw(rng, 500, (0.055, 0.035), is_clustered=True)
    values = one.differences.tolist()
    return clustered_tango_interval(one.counts, values, one.clusters, CONFIDENCE).upper >= 0.02


def tango_on_clusters(rng: Generator, seed: int) -> bool:
    """The same, by a bound that takes items for independent."""
    one = draw(rng, 500, (0.055, 0.035), is_clustered=True)
    return tango_interval(one.counts, CONFIDENCE).upper >= 0.02


def exact(rng: Generator, seed: int) -> bool:
    """300 trials at 99 %."""
    return exact_interval(int(rng.binomial(300, 0.99)), 300, CONFIDENCE).upper >= 0.99


def wilson(rng: Generator, seed: int) -> bool:
    """300 trials at 90 %."""
    return wilson_interval(int(rng.binomial(300, 0.9)), 300, CONFIDENCE).upper >= 0.9


def bootstrap(rng: Generator, seed: int) -> bool:
    """100 skewed differences with mean 1."""
    return bootstrap_interval(rng.exponential(1.0, 100).tolist(), CONFIDENCE, seed).upper >= 1


def repeats(rng: Generator, seed: int) -> bool:
    """Five paired repeats with 3 % noise, ratio 1."""
    arms = np.exp(rng.normal(0, 0.03, size=(2, 5)))
    return ratio_interval(arms[0].tolist(), arms[1].tolist(), CONFIDENCE).upper >= 1


def batches(rng: Generator, seed: int) -> bool:
    """4,000 values that hang together (.9), mean 0; a window that is refused covers."""
    noise = rng.normal(size=4000)
    values = [noise[0] / np.sqrt(1 - 0.81)]
    for step in noise[1:]:
        values.append(0.9 * values[-1] + step)
    try:
        return batch_interval(values, CONFIDENCE).upper >= 0
    except MeasurementError:
        return True


TRIALS: dict[str, Trial] = {
    "Tango, n 500": tango,
    "Tango, n 100, psi .03": tango_small,
    "Wald, n 100, psi .03 (not ours)": wald,
    "clustered bootstrap": clustered,
    "clustered Tango": clustered_tango,
    "Tango on clusters (alone not ours)": tango_on_clusters,
    "Clopper-Pearson": exact,
    "Wilson": wilson,
    "BCa bootstrap": bootstrap,
    "log-ratio over 5 repeats": repeats,
    "batch means": batches,
}
SLOW = ("BCa bootstrap", "clustered bootstrap", "batch means")


def print_coverage() -> None:
    """Print one line per interval."""
    print(f"\n{'interval (upper bound, nominal 95 %)':<40} coverage")
    for name, trial in TRIALS.items():
        num = NUM_DRAWS // 4 if name in SLOW else NUM_DRAWS
        rng = np.random.default_rng(17)
        covered = sum(trial(rng, seed) for seed in range(num)) / num
        print(f"{name:<40} {covered:8.1%}", flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print_coverage()
