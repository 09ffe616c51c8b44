"""How far the builds of one recipe lie apart, by their distance from the baseline.

A variant is judged by the one build that would be deployed; the spread says how much of what was
measured is the draw. Sources of the need: mlx-lm issue 1759 (same seed, five models), omlx issue
2293 (unseeded calibration, MMLU 81.7 to 83.0).

Example: mean KL of .18, .20 and .25 nats: mean .21, standard deviation .036, the judged build .18
the nearest of three.
"""

from collections.abc import Sequence
from statistics import mean, stdev

from evals.results import Check

FEWEST = 2  # builds that have a spread


def spread_check(mean_kls: Sequence[float]) -> Check:
    """Tell the mean KL of each build, the judged one first; it fails no variant."""
    if len(mean_kls) < FEWEST:
        told = f"{len(mean_kls)} build was compared; a spread needs {FEWEST}"
        return Check(stage="build", name="replicas", passed=None, reason=told)
    middle, spread = mean(mean_kls), stdev(mean_kls)
    listed = ", ".join(f"{kl:.4f}" for kl in mean_kls)
    rank = sorted(mean_kls).index(mean_kls[0]) + 1
    told = (
        f"{len(mean_kls)} builds: mean KL {listed} nats (mean {middle:.4f}, standard "
        f"deviation {spread:.4f}); the judged build is number {rank} from the baseline"
    )
    values: dict[str, float | str | None] = {
        "num_builds": len(mean_kls),
        "mean_kl": middle,
        "sd_kl": spread,
        "min_kl": min(mean_kls),
        "max_kl": max(mean_kls),
    }
    return Check(stage="build", name="replicas", passed=True, reason=told, values=values)
