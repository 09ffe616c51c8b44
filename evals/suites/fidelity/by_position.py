"""Perplexity and KL by position: does a variant get worse the further back it must look?

Fewer bits, of weights or of the cache, can leave the first tokens alone and ruin the last, which a
mean over a text hides: over long contexts 8-bit models lost .8 % of accuracy, 4-bit ones up to 59 %
(arXiv 2505.20276). Buckets double: 0-256, 256-512, 512-1024, and so on. The ratio is e to the mean
paired difference, and so are its bounds, for which whole passages are resampled.

Worked example: in one bucket a baseline gives its tokens ln(1/2) and ln(1/8), a variant ln(1/4)
and ln(1/8): perplexities sqrt(2 * 8) = 4 and sqrt(4 * 8) = 5.657, ratio 1.414.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.statistics import Interval, clustered_interval
from evals.suites.fidelity.token_rows import ROUNDING, perplexity_of
from variants.errors import MeasurementError

FIRST_END = 256
CONFIDENCE = 0.95  # of each bound alone
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTokens:
    """The true tokens of some passages. Shapes: N tokens. Units: nats; positions in tokens."""

    baseline_logp_N: Floats
    variant_logp_N: Floats
    positions_N: NDArray[np.integer]  # tokens before it in its context
    passages_N: NDArray[np.str_]
    kl_N: Floats | None = None  # None: an engine gave the true tokens' log-probabilities only

    def __post_init__(self) -> None:
        columns = [self.baseline_logp_N, self.variant_logp_N, self.positions_N, self.passages_N]
        columns += [] if self.kl_N is None else [self.kl_N]
        sizes = [column.shape for column in columns]
        if len(set(sizes)) > 1 or len(sizes[0]) != 1 or sizes[0] == (0,):
            raise MeasurementError(f"columns of shapes {sizes}; give one row a token in each")
        for column in (self.baseline_logp_N, self.variant_logp_N, self.kl_N):
            if column is not None and not np.isfinite(column).all():
                raise MeasurementError("a token has a log-probability or KL that is not finite")
        if not np.issubdtype(self.positions_N.dtype, np.integer) or self.positions_N.min() < 0:
            raise MeasurementError("positions must be whole numbers from 0 on")
        if max(self.baseline_logp_N.max(), self.variant_logp_N.max()) > ROUNDING:
            raise MeasurementError("a log-probability lies above 0")
        if self.kl_N is not None and self.kl_N.min() < -ROUNDING:
            raise MeasurementError("a KL lies below 0")


@dataclass(frozen=True, slots=True)
class Bucket:
    """The tokens at positions `start` up to, not including, `end`; None: not measured."""

    start: int
    end: int
    num_tokens: int
    num_passages: int
    baseline_perplexity: float
    variant_perplexity: float
    ratio: float  # variant / baseline
    ratio_bounds: tuple[float, float] | None  # each at .95; None: fewer than 2 passages
    log_ratio: Interval | None  # nats: mean of baseline minus variant log-probability
    mean_kl_nats: float | None  # None: no KL was given
    kl: Interval | None  # nats, the mean with its bounds


def by_position(tokens: PlacedTokens, seed: int) -> tuple[Bucket, ...]:
    """Summarize each bucket that holds a token, nearest first."""
    ends_N = np.array([bucket_end(int(position)) for position in tokens.positions_N])
    return tuple(_bucket(tokens, ends_N == end, int(end), seed) for end in np.unique(ends_N))


def bucket_end(position: int) -> int:
    """Return where the bucket of a position ends: 255 -> 256, 256 -> 512, 512 -> 1024."""
    return FIRST_END << (position // FIRST_END).bit_length()


def _bucket(tokens: PlacedTokens, is_in_N: NDArray[np.bool_], end: int, seed: int) -> Bucket:
    baseline_B = tokens.baseline_logp_N[is_in_N].astype(np.float64)
    variant_B = tokens.variant_logp_N[is_in_N].astype(np.float64)
    passages_B = tokens.passages_N[is_in_N]
    kl_B = None if tokens.kl_N is None else tokens.kl_N[is_in_N].astype(np.float64)
    bounds = bounds_by_passage(baseline_B - variant_B, passages_B, seed)
    return Bucket(
        start=0 if end == FIRST_END else end // 2,
        end=end,
        num_tokens=len(baseline_B),
        num_passages=len(set(passages_B.tolist())),
        baseline_perplexity=perplexity_of(-baseline_B.mean()),
        variant_perplexity=perplexity_of(-variant_B.mean()),
        ratio=perplexity_of((baseline_B - variant_B).mean()),
        ratio_bounds=None if bounds is None else _ratios(bounds),
        log_ratio=bounds,
        mean_kl_nats=None if kl_B is None else float(kl_B.mean()),
        kl=None if kl_B is None else bounds_by_passage(kl_B, passages_B, seed),
    )


def bounds_by_passage(
    values_B: NDArray[np.float64], passages_B: NDArray[np.str_], seed: int
) -> Interval | None:
    """Bound a mean, each side at `CONFIDENCE`; None for one passage, which shows no spread."""
    passages = passages_B.tolist()
    if len(set(passages)) < 2:
        return None
    return clustered_interval(values_B.tolist(), passages, CONFIDENCE, seed)


def _ratios(bounds: Interval) -> tuple[float, float]:
    return perplexity_of(bounds.lower), perplexity_of(bounds.upper)


def told(buckets: tuple[Bucket, ...]) -> str:
    """Print one line a bucket, in columns."""
    head = ("positions", "tokens", "passages", "baseline", "variant", "ratio", "bounds", "mean KL")
    rows = [head, *map(_cells, buckets)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(lines)


def _cells(bucket: Bucket) -> tuple[str, ...]:
    bounds = bucket.ratio_bounds
    return (
        f"{bucket.start}-{bucket.end}",
        str(bucket.num_tokens),
        str(bucket.num_passages),
        f"{bucket.baseline_perplexity:.4f}",
        f"{bucket.variant_perplexity:.4f}",
        f"{bucket.ratio:.5f}",
        "-" if bounds is None else f"{bounds[0]:.5f} to {bounds[1]:.5f}",
        "-" if bucket.mean_kl_nats is None else f"{bucket.mean_kl_nats:.6f}",
    )
