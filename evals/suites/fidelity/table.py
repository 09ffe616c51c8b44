"""The full table of distance: perplexity, KL, change of probability, agreement, with errors.

Source: what llama.cpp's `perplexity --kl-divergence` prints, with its quantiles (linear between
neighbours). Its errors take tokens for independent; these count whole passages (see
`evals.statistics.clustered_error`). The error of a figure that is no mean (a perplexity, a ratio, a
correlation, a root mean square) is that of the mean of its influence values: how far each token
moves it. Source: Hampel, "The influence curve and its role in robust estimation", Journal of the
American Statistical Association 69:383 (1974).

Worked example: a baseline gives four true tokens 1/2 each, a variant 1/4, 1/4, 1/2, 1/2: perplexity
2 and (4 * 4 * 2 * 2)^(1/4) = 2.828, ratio 1.414. Probabilities change by -25, -25, 0, 0 points:
mean -12.5, root mean square sqrt(1250 / 4) = 17.68. With the first two tokens in passage a and the
others in b, the mean change has an error of 12.5 points: the passages sum to -25 and 25 about the
mean, and sqrt(2 * (625 + 625)) / 4 = 12.5.
"""

import math
from dataclasses import dataclass

import numpy as np

from evals.results import FidelityFigure as Figure
from evals.statistics.clustered_error import Codes, Floats, codes_of, mean_error, quantile_error
from evals.suites.fidelity.token_rows import TokenRows, perplexity_of
from variants.errors import MeasurementError

KL_LEVELS = (1.0, 0.999, 0.99, 0.95, 0.9, 0.5, 0.1, 0.05, 0.01, 0.0)
DELTA_P_LEVELS = (1.0, 0.999, 0.99, 0.95, 0.9, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01, 0.001, 0.0)
WORDS = {1.0: "maximum", 0.5: "median", 0.0: "minimum"}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its standard error by passage; None: fewer than two passages, or an extreme."""

    value: float
    standard_error: float | None

    def __post_init__(self) -> None:
        numbers = (self.value, 0.0 if self.standard_error is None else self.standard_error)
        if not all(map(math.isfinite, numbers)):
            raise MeasurementError(
                f"a figure is {self.value} with an error of {self.standard_error}; the arms lie "
                "too far apart for a table"
            )


@dataclass(frozen=True, slots=True)
class Quantile:
    """The value that a share of tokens lies at or below; 1 is the maximum, 0 the minimum."""

    level: float
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Perplexity:
    """What a token costs each arm."""

    baseline: Estimate
    variant: Estimate
    log_correlation: Estimate | None  # of the arms' log-probabilities; None: an arm is constant
    log_ratio_nats: Estimate  # ln(variant / baseline)
    ratio: Estimate  # variant / baseline
    difference: Estimate  # variant - baseline


@dataclass(frozen=True, slots=True)
class Spread:
    """How something is spread over tokens; quantiles from the highest level down."""

    mean: Estimate
    quantiles: tuple[Quantile, ...]


@dataclass(frozen=True, slots=True)
class FidelityTable:
    """Everything about one set of tokens."""

    num_tokens: int
    num_passages: int
    perplexity: Perplexity
    kl_nats: Spread  # KL(baseline || variant)
    delta_p_points: Spread  # variant - baseline probability of the true token, in points of 100
    rms_delta_p_points: Estimate
    same_top_share: Estimate


def fidelity_table(rows: TokenRows) -> FidelityTable:
    """Summarize rows; for one slice, take it from `evals.suites.fidelity.token_rows.slices`.

    Raises:
        MeasurementError: a figure is not finite.
    """
    codes_N = codes_of(rows.passages_N)
    baseline_N = rows.baseline_logp_N.astype(np.float64)
    variant_N = rows.variant_logp_N.astype(np.float64)
    delta_p_N = 100 * (np.exp(variant_N) - np.exp(baseline_N))
    return FidelityTable(
        num_tokens=len(codes_N),
        num_passages=int(codes_N.max()) + 1,
        perplexity=_perplexity(-baseline_N, -variant_N, codes_N),
        kl_nats=_spread(rows.kl_N.astype(np.float64), KL_LEVELS, codes_N),
        delta_p_points=_spread(delta_p_N, DELTA_P_LEVELS, codes_N),
        rms_delta_p_points=_root_mean_square(delta_p_N, codes_N),
        same_top_share=_mean(rows.is_same_top_N.astype(np.float64), codes_N),
    )


def _perplexity(baseline_N: Floats, variant_N: Floats, codes_N: Codes) -> Perplexity:
    """Compare costs in nats, which are negative log-probabilities."""
    ratio_N = variant_N - baseline_N
    baseline, variant = perplexity_of(baseline_N.mean()), perplexity_of(variant_N.mean())
    ratio = perplexity_of(ratio_N.mean())
    return Perplexity(
        baseline=_estimate(baseline, baseline * baseline_N, codes_N),
        variant=_estimate(variant, variant * variant_N, codes_N),
        log_correlation=_correlation(baseline_N, variant_N, codes_N),
        log_ratio_nats=_mean(ratio_N, codes_N),
        ratio=_estimate(ratio, ratio * ratio_N, codes_N),
        difference=_estimate(
            variant - baseline, variant * variant_N - baseline * baseline_N, codes_N
        ),
    )


def _correlation(baseline_N: Floats, variant_N: Floats, codes_N: Codes) -> Estimate | None:
    if np.ptp(baseline_N) == 0 or np.ptp(variant_N) == 0:
        return None
    z_N, w_N = _standardized(baseline_N), _standardized(variant_N)
    correlation = float((z_N * w_N).mean())
    influence_N = z_N * w_N - correlation * (z_N**2 + w_N**2) / 2
    return _estimate(correlation, influence_N, codes_N)


def _standardized(values_N: Floats) -> Floats:
    standardized_N: Floats = (values_N - values_N.mean()) / values_N.std()
    return standardized_N


def _spread(values_N: Floats, levels: tuple[float, ...], codes_N: Codes) -> Spread:
    return Spread(
        mean=_mean(values_N, codes_N),
        quantiles=tuple(Quantile(level, _quantile(values_N, level, codes_N)) for level in levels),
    )


def _root_mean_square(values_N: Floats, codes_N: Codes) -> Estimate:
    root = math.sqrt(float(np.square(values_N).mean()))
    influence_N = np.square(values_N) / (2 * root) if root > 0 else values_N
    return _estimate(root, influence_N, codes_N)


def _quantile(values_N: Floats, level: float, codes_N: Codes) -> Estimate:
    is_extreme = level in (0.0, 1.0)
    error = None if is_extreme else quantile_error(values_N, level, codes_N)
    return Estimate(float(np.quantile(values_N, level)), error)


def _mean(values_N: Floats, codes_N: Codes) -> Estimate:
    return _estimate(float(values_N.mean()), values_N, codes_N)


def _estimate(value: float, influence_N: Floats, codes_N: Codes) -> Estimate:
    return Estimate(float(value), mean_error(influence_N, codes_N))


def figures_of(rows: TokenRows) -> tuple[Figure, ...]:
    """Summarize rows into what is recorded; () where the arms lie too far apart for a table."""
    try:
        return _figures(fidelity_table(rows))
    except MeasurementError:
        return ()


def _figures(table: FidelityTable) -> tuple[Figure, ...]:
    named = (
        ("perplexity, baseline", table.perplexity.baseline, ""),
        ("perplexity, variant", table.perplexity.variant, ""),
        ("correlation of ln perplexity", table.perplexity.log_correlation, ""),
        ("ln perplexity ratio", table.perplexity.log_ratio_nats, "nats"),
        ("perplexity ratio", table.perplexity.ratio, ""),
        ("perplexity difference", table.perplexity.difference, ""),
        *_spread_figures("KL", table.kl_nats, "nats"),
        *_spread_figures("delta p", table.delta_p_points, "points"),
        ("delta p, root mean square", table.rms_delta_p_points, "points"),
        ("same top token", table.same_top_share, "of 1"),
    )
    return tuple(
        Figure(
            name=name,
            value=None if found is None else found.value,
            standard_error=None if found is None else found.standard_error,
            unit=unit,
        )
        for name, found, unit in named
    )


def told(table: FidelityTable) -> str:
    """Print one figure a line, its error behind it, in columns."""
    head = f"{table.num_tokens} tokens of {table.num_passages} passages; errors by passage"
    return "\n".join([head, *map(_line, _figures(table))])


def _spread_figures(name: str, spread: Spread, unit: str) -> list[tuple[str, Estimate, str]]:
    quantiles = [
        (f"{name}, {WORDS.get(one.level, f'{one.level:.1%}')}", one.estimate, unit)
        for one in spread.quantiles
    ]
    return [(f"{name}, mean", spread.mean, unit), *quantiles]


def _line(figure: Figure) -> str:
    if figure.value is None:
        return f"{figure.name:<30}{'undefined':>16}"
    error = "" if figure.standard_error is None else f"± {figure.standard_error:.6f}"
    return f"{figure.name:<30}{figure.value:>16.6f} {error:<16} {figure.unit}".rstrip()
