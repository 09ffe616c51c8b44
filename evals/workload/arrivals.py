"""When requests arrive in an open loop: each process a spec and how it is drawn.

Offsets are absolute seconds from the start, so that a late request never shifts those behind it
(coordinated omission: vLLM issue #54101), and one generator draws all of them, so that no worker
repeats another's gaps (research/profiling.md F1).

To add a process: a spec with `rate_rps`, `label` and `draw`, and its line in `Arrivals`.
"""

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from pydantic import Field

from evals.results import Result

Seconds = NDArray[np.float64]  # ascending offsets
RateAt = Callable[[Seconds], Seconds]


class Constant(Result):
    """Equal gaps."""

    kind: Literal["constant"] = "constant"
    rate: float = Field(ge=0.001, le=10_000, description="requests per second")

    @property
    def label(self) -> str:
        """constant-2."""
        return f"constant-{self.rate:g}"

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Begin anywhere in the first gap, so that no two cells are in step."""
        first = rng.uniform(0, 1 / self.rate)
        return np.arange(first, total_s, 1 / self.rate)


class Poisson(Result):
    """Exponential gaps: many independent users."""

    kind: Literal["poisson"] = "poisson"
    rate: float = Field(ge=0.001, le=10_000, description="requests per second")

    @property
    def label(self) -> str:
        """poisson-2.5."""
        return f"poisson-{self.rate:g}"

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Sum exponential gaps."""
        return _renewal(rng, total_s, self.rate, 1.0)


class Gamma(Result):
    """Gamma gaps: burstier than Poisson where the coefficient of variation is above 1."""

    kind: Literal["gamma"] = "gamma"
    rate: float = Field(ge=0.001, le=10_000, description="requests per second")
    cv: float = Field(ge=0.05, le=10, description="standard deviation of a gap / its mean")

    @property
    def label(self) -> str:
        """gamma-2-cv3."""
        return f"gamma-{self.rate:g}-cv{self.cv:g}"

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Sum gamma gaps of shape 1 / cv^2."""
        return _renewal(rng, total_s, self.rate, self.cv)


class Bursts(Result):
    """Poisson arrivals in bursts, and fewer or none between them.

    Example: rate 6 for 1 s, then none for 2 s, is 2 requests/s on average.
    """

    kind: Literal["bursts"] = "bursts"
    rate: float = Field(ge=0.001, le=10_000, description="requests per second in a burst")
    between: float = Field(
        default=0, ge=0, le=10_000, description="requests per second between bursts"
    )
    on_s: float = Field(ge=0.01, le=3600)
    off_s: float = Field(ge=0.01, le=3600)

    @property
    def label(self) -> str:
        """bursts-6-1s-2s."""
        return f"bursts-{self.rate:g}-{self.on_s:g}s-{self.off_s:g}s"

    @property
    def period_s(self) -> float:
        """From burst to burst."""
        return self.on_s + self.off_s

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Thin a Poisson process of the higher rate."""
        return _thinned(rng, total_s, max(self.rate, self.between), self._rate_at)

    def _rate_at(self, at_s: Seconds) -> Seconds:
        return np.where(at_s % self.period_s < self.on_s, self.rate, self.between)


class Periodic(Result):
    """Poisson arrivals whose rate rises and falls as a sine, like a day."""

    kind: Literal["periodic"] = "periodic"
    rate: float = Field(ge=0.001, le=10_000, description="requests per second on average")
    period_s: float = Field(ge=0.01, le=3600)
    depth: float = Field(default=0.8, gt=0, le=1, description="1: no arrivals at the lowest point")

    @property
    def label(self) -> str:
        """periodic-2-8s."""
        return f"periodic-{self.rate:g}-{self.period_s:g}s"

    def draw(self, rng: Generator, total_s: float) -> Seconds:
        """Thin a Poisson process of the highest rate."""
        return _thinned(rng, total_s, self.rate * (1 + self.depth), self._rate_at)

    def _rate_at(self, at_s: Seconds) -> Seconds:
        return self.rate * (1 + self.depth * np.sin(2 * math.pi * at_s / self.period_s))


Arrivals = Constant | Poisson | Gamma | Bursts | Periodic


def dispersion(offsets_s: Seconds, total_s: float, bin_s: float) -> float | None:
    """Variance of counts per bin / their mean: 1 for Poisson, 0 for constant; None below 2 bins.

    Source: Cox and Lewis, The Statistical Analysis of Series of Events (1966), section 4.5.

    Example: counts 2, 4, 2, 4 have mean 3 and variance 4/3: .44.
    """
    num_bins = int(total_s / bin_s)
    if num_bins < 2 or not len(offsets_s):
        return None
    counts_B, _ = np.histogram(offsets_s, bins=num_bins, range=(0, num_bins * bin_s))
    return float(counts_B.var(ddof=1) / counts_B.mean()) if counts_B.any() else None


def _renewal(rng: Generator, total_s: float, rate: float, cv: float) -> Seconds:
    """Sum independent gaps of mean 1 / rate until the end is passed."""
    shape, mean = 1 / cv**2, rate * total_s
    offsets_s = np.zeros(0)
    start_s = 0.0
    while start_s < total_s:  # nearly always once: ten standard deviations more than needed
        num_drawn = math.ceil(mean + 10 * cv * math.sqrt(mean) + 10)
        more_s = start_s + np.cumsum(rng.gamma(shape, 1 / (rate * shape), num_drawn))
        offsets_s, start_s = np.concatenate([offsets_s, more_s]), float(more_s[-1])
    return offsets_s[offsets_s < total_s]


def _thinned(rng: Generator, total_s: float, highest: float, rate_at: RateAt) -> Seconds:
    """Keep each arrival of a faster process with the share of its rate that is wanted then.

    Source: Lewis and Shedler, "Simulation of nonhomogeneous Poisson processes by thinning", Naval
    Research Logistics Quarterly 26:403 (1979).
    """
    offsets_s = _renewal(rng, total_s, highest, 1.0)
    return offsets_s[rng.uniform(0, highest, len(offsets_s)) < rate_at(offsets_s)]
