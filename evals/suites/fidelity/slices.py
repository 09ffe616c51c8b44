"""Distance slice by slice and bucket by bucket, with the null arm's distance over the same tokens.

A model may keep its prose and lose the brackets of its JSON, or keep near tokens and lose far ones;
both vanish in a mean over all. A token for which the variant gave no number is left out and
counted: a slice without any number has no distance, never a small one.

Worked example: a slice has 4 tokens in 2 passages, and for one the variant gave NaN. The others lie
.1, .2 and .3 nats apart: 3 tokens, mean KL .2, 1 not finite.
"""

import math

import numpy as np
from numpy.typing import NDArray

from evals.results import FidelityBucket, FidelitySlice
from evals.statistics.clustered_error import codes_of, mean_error
from evals.suites.fidelity.by_position import (
    FIRST_END,
    Bucket,
    PlacedTokens,
    bounds_by_passage,
    bucket_end,
    by_position,
)
from evals.suites.fidelity.scores import Flags, Floats, Places, Scores, rows_where
from evals.suites.fidelity.token_rows import LABELS, TokenRows
from variants.errors import MeasurementError

SEED = 1  # of the resampling: the same evidence has the same bounds
MOST_NATS = 20.0  # a ratio of 5e8 fails every gate; beyond some hundred it is no number
LEAST_LOGP = -700.0  # e to 700 is near the largest float; a token this unlikely is lost anyway


def slices_of(scores: Scores, places: Places, null: dict[str, float]) -> tuple[FidelitySlice, ...]:
    """Summarize every role; `null` is what `null_kls` returned for the null arm."""
    found = []
    for name, is_in_N in _slices(places).items():
        rows = rows_where(scores, places, is_in_N)
        blank = FidelitySlice(
            name=name,
            num_tokens=0,
            num_passages=0,
            num_nonfinite=_num_lost(scores, is_in_N),
            null_mean_kl=null[name],
        )
        found.append(blank if rows is None else _filled_slice(blank, rows))
    return tuple(found)


def buckets_of(
    scores: Scores, places: Places, null: dict[str, float]
) -> tuple[FidelityBucket, ...]:
    """Summarize every bucket of positions of the long passages, nearest first."""
    found = []
    for end, is_in_N in _buckets(places).items():
        rows = rows_where(scores, places, is_in_N)
        blank = FidelityBucket(
            start_token=0 if end == FIRST_END else end // 2,
            end_token=end,
            num_tokens=0,
            num_passages=0,
            num_nonfinite=_num_lost(scores, is_in_N),
            null_mean_kl=null[str(end)],
        )
        placed = None if rows is None else _bucket(rows, scores, places, is_in_N)
        found.append(blank if placed is None else _filled_bucket(blank, placed))
    return tuple(found)


def null_kls(scores: Scores, places: Places) -> dict[str, float]:
    """Return the null arm's mean KL of every slice and, under where it ends, of every bucket.

    Raises:
        MeasurementError: the null arm gave a token no number.
    """
    if not scores.is_finite_N.all():
        raise MeasurementError(
            f"the baseline computed in fp32 gives {int((~scores.is_finite_N).sum())} of "
            f"{len(scores.is_finite_N)} tokens no number; look at the baseline's artifact"
        )
    marked = _slices(places) | {str(end): is_in_N for end, is_in_N in _buckets(places).items()}
    return {name: float(scores.kl_N[is_in_N].mean()) for name, is_in_N in marked.items()}


def capped_ratio(log_ratio_nats: float) -> float:
    """Return e to the power of a mean difference, at most e to `MOST_NATS`."""
    return math.exp(min(log_ratio_nats, MOST_NATS))


def _slices(places: Places) -> dict[str, Flags]:
    """Mark the tokens of each role; a role without a token is absent. Long prose is no role."""
    is_short_N = ~places.of("long")
    found = {label: is_short_N & (places.labels_N == label) for label in LABELS}
    return {label: is_in_N for label, is_in_N in found.items() if is_in_N.any()}


def _buckets(places: Places) -> dict[int, Flags]:
    """Mark the tokens of each bucket of positions, under where it ends."""
    is_long_N = places.of("long")
    ends_N = np.array([bucket_end(int(position)) for position in places.positions_N])
    return {int(end): is_long_N & (ends_N == end) for end in np.unique(ends_N[is_long_N])}


def _num_lost(scores: Scores, is_in_N: Flags) -> int:
    return int((is_in_N & ~scores.is_finite_N).sum())


def _least(logp_N: NDArray[np.floating]) -> Floats:
    """Raise what no float could hold e to the power of; it stays lost beyond every limit."""
    least_N: Floats = np.maximum(logp_N.astype(np.float64), LEAST_LOGP)
    return least_N


def _filled_slice(blank: FidelitySlice, rows: TokenRows) -> FidelitySlice:
    baseline_N, variant_N = _least(rows.baseline_logp_N), _least(rows.variant_logp_N)
    codes_N, kl_N = codes_of(rows.passages_N), rows.kl_N.astype(np.float64)
    bounds = bounds_by_passage(baseline_N - variant_N, rows.passages_N, SEED)
    figures = {
        "num_tokens": len(codes_N),
        "num_passages": int(codes_N.max()) + 1,
        "mean_kl": float(kl_N.mean()),
        "kl_error": mean_error(kl_N, codes_N),
        "top1_agreement": float(rows.is_same_top_N.mean()),
        "mean_delta_p": float(100 * (np.exp(variant_N) - np.exp(baseline_N)).mean()),
        "perplexity_ratio": capped_ratio(float((baseline_N - variant_N).mean())),
        "ratio_lower": None if bounds is None else capped_ratio(bounds.lower),
        "ratio_upper": None if bounds is None else capped_ratio(bounds.upper),
    }
    return FidelitySlice.model_validate(blank.model_dump() | figures)  # which refuses NaN


def _bucket(rows: TokenRows, scores: Scores, places: Places, is_in_N: Flags) -> Bucket:
    placed = PlacedTokens(
        baseline_logp_N=_least(rows.baseline_logp_N),
        variant_logp_N=_least(rows.variant_logp_N),
        positions_N=places.positions_N[is_in_N & scores.is_finite_N],
        passages_N=rows.passages_N,
        kl_N=rows.kl_N,
    )
    (bucket,) = by_position(placed, SEED)
    return bucket


def _filled_bucket(blank: FidelityBucket, found: Bucket) -> FidelityBucket:
    most = math.exp(MOST_NATS)
    ratio_bounds = found.ratio_bounds
    figures = {
        "num_tokens": found.num_tokens,
        "num_passages": found.num_passages,
        "mean_kl": found.mean_kl_nats,
        "kl_lower": None if found.kl is None else found.kl.lower,
        "kl_upper": None if found.kl is None else found.kl.upper,
        "baseline_perplexity": min(found.baseline_perplexity, most),
        "variant_perplexity": min(found.variant_perplexity, most),
        "perplexity_ratio": min(found.ratio, most),
        "ratio_lower": None if ratio_bounds is None else min(ratio_bounds[0], most),
        "ratio_upper": None if ratio_bounds is None else min(ratio_bounds[1], most),
    }
    return FidelityBucket.model_validate(blank.model_dump() | figures)  # which refuses NaN
