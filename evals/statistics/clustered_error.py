"""Standard errors of means and quantiles over tokens, where those of one passage count together.

Tokens of a passage are alike, so an error over independent tokens is too small. Sources: Liang and
Zeger, "Longitudinal data analysis using generalized linear models", Biometrika 73:13 (1986), with
the factor K / (K - 1) for K passages; Woodruff, "Confidence intervals for medians and other
position measures", Journal of the American Statistical Association 47:635 (1952): the error of a
quantile is half the distance between the quantiles one error of the share below it to either side.

Worked example: values 1, 1, 0, 0 in passages a, a, b, b: about the mean .5 the passages sum to 1
and -1, so the squared error is 2/1 * (1 + 1) / 4^2 = .25 and the error .5.
"""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]  # 0 .. K - 1: which passage a token is of


def codes_of(passages_N: NDArray[np.str_]) -> Codes:
    """Number the passages."""
    _, codes_N = np.unique(passages_N, return_inverse=True)
    return codes_N.astype(np.intp)


def mean_error(values_N: Floats, codes_N: Codes) -> float | None:
    """Return the standard error of a mean; None for one passage, which has no spread to show."""
    num_passages = int(codes_N.max()) + 1
    if num_passages < 2:
        return None
    sums_K = np.bincount(codes_N, weights=values_N - values_N.mean())
    variance = float(np.square(sums_K).sum()) * num_passages / (num_passages - 1)
    return math.sqrt(variance) / len(values_N)


def quantile_error(values_N: Floats, level: float, codes_N: Codes) -> float | None:
    """Return the standard error of a quantile; too small where its neighbourhood ends the data.

    Example: 0, 1, 2, 3, 4 in a passage each: .6 lie at or below the median 2, with an error of
    sqrt(5/4 * 1.2 / 25) = .245; the quantiles at .255 and .745 are 1.02 and 2.98, so .98.
    """
    is_below_N = (values_N <= np.quantile(values_N, level)).astype(np.float64)
    error = mean_error(is_below_N, codes_N)
    if error is None:
        return None
    ends = np.clip([level - error, level + error], 0.0, 1.0)
    low, high = np.quantile(values_N, ends)
    return float(high - low) / 2
