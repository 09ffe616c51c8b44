"""Monte Carlo of the gates: how often is a worse variant promoted, and a lossless one not?

`make bench-gates`, seeded, minutes. Base accuracy 70 %. Every rule judges the same draws:

- ours: the larger of clustered Tango's and the clustered bootstrap's upper bound inside the margin;
- p > .05: no significant harm by McNemar;
- recovery >= 95 % or 99 %: the ratio of the two accuracies (llm-compressor's and MLPerf's rules).

Clustered draws: clusters of 10 items whose chance to be lost is shared (correlation .1).
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from evals.statistics import (
    PairedCounts,
    clustered_interval,
    clustered_tango_interval,
    mcnemar_harm,
)

CONFIDENCE = 0.95
ACCURACY = 0.70
CLUSTER_SIZE = 10
CORRELATION = 0.1
MARGIN = 0.015  # standard's for 8-bit changes
TRUTHS = {"at the margin": MARGIN, "2 points worse": 0.02, "lossless": 0.0}
SIZES, DISCORDANCES, NUM_DRAWS = (100, 500, 2343), (0.03, 0.09), 1000


@dataclass(frozen=True, slots=True)
class Draw:
    """One made-up comparison: per item 1 lost, -1 won, 0 the same; right in the baseline."""

    differences: NDArray[np.int8]
    num_right: int
    cluster_size: int

    @property
    def counts(self) -> PairedCounts:
        """Items lost and won."""
        lost, won = int((self.differences > 0).sum()), int((self.differences < 0).sum())
        return PairedCounts(lost, won, len(self.differences))

    @property
    def clusters(self) -> list[str]:
        """Name the cluster of every item."""
        return [str(at // self.cluster_size) for at in range(len(self.differences))]


def draw(rng: Generator, num_items: int, chances: tuple[float, float], is_clustered: bool) -> Draw:
    """Draw one comparison with these chances to lose and to win an item."""
    lost_chance, won_chance = chances
    num_clusters = -(-num_items // CLUSTER_SIZE)
    lost_N = np.full(num_items, lost_chance)
    if is_clustered and lost_chance:
        weight = 1 / CORRELATION - 1
        shape = lost_chance * weight, (1 - lost_chance) * weight
        lost_N = np.repeat(rng.beta(*shape, size=num_clusters), CLUSTER_SIZE)[:num_items]
    luck_N = rng.random(num_items)
    differences = np.where(luck_N < lost_N, 1, 0) - np.where(luck_N > 1 - won_chance, 1, 0)
    lost, won = int((differences > 0).sum()), int((differences < 0).sum())
    same_right = rng.binomial(num_items - lost - won, ACCURACY)
    size = CLUSTER_SIZE if is_clustered else 1
    return Draw(differences.astype(np.int8), same_right + lost, size)


def ours(one: Draw, seed: int) -> bool:
    """Pass where both upper bounds are inside the margin (the cheap one is asked first)."""
    differences, names = one.differences.tolist(), one.clusters
    score = clustered_tango_interval(one.counts, differences, names, CONFIDENCE)
    if score.upper > MARGIN:
        return False
    return clustered_interval(differences, names, CONFIDENCE, seed).upper <= MARGIN


def not_significant(one: Draw, seed: int) -> bool:
    """Pass where McNemar shows no harm."""
    return mcnemar_harm(one.counts) > 0.05


def recovery(least: float) -> Callable[[Draw, int], bool]:
    """Pass where the variant keeps this share of the baseline's accuracy."""

    def passes(one: Draw, seed: int) -> bool:
        counts = one.counts
        kept = one.num_right - counts.baseline_only + counts.variant_only
        return kept >= least * one.num_right

    return passes


RULES: dict[str, Callable[[Draw, int], bool]] = {
    "ours": ours,
    "p > .05": not_significant,
    "recovery 95 %": recovery(0.95),
    "recovery 99 %": recovery(0.99),
}


def promoted(num_items: int, chances: tuple[float, float], is_clustered: bool) -> dict[str, float]:
    """Return by rule the share of draws that it promotes."""
    rng = np.random.default_rng([num_items, round(1e4 * sum(chances)), is_clustered])
    draws = [draw(rng, num_items, chances, is_clustered) for _ in range(NUM_DRAWS)]
    return {
        name: sum(rule(one, seed) for seed, one in enumerate(draws)) / NUM_DRAWS
        for name, rule in RULES.items()
    }


def print_promotions() -> None:
    """Print one line per size, discordance, clustering and truth."""
    print(f"promoted, of {NUM_DRAWS} draws; margin {100 * MARGIN:g} points; error about .7 points")
    print(f"{'n':>5} {'psi':>4} {'items':<10} {'truth':<15}", *(f"{rule:>14}" for rule in RULES))
    for num_items in SIZES:
        for psi in DISCORDANCES:
            for is_clustered in (False, True):
                for truth, damage in TRUTHS.items():
                    chances = (psi + damage) / 2, (psi - damage) / 2
                    found = promoted(num_items, chances, is_clustered)
                    kind = "clustered" if is_clustered else "alone"
                    cells = (f"{share:>14.1%}" for share in found.values())
                    print(f"{num_items:>5} {psi:>4.2f} {kind:<10} {truth:<15}", *cells, flush=True)


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    print_promotions()
