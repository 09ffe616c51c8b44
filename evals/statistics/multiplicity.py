"""Holm's adjustment: which of several failures would stand if they had been looked at together.

It names failures only. Promotion is an intersection-union test (every gate must pass), which needs
no correction. Source: Holm, "A simple sequentially rejective multiple test procedure",
Scandinavian Journal of Statistics 6:65 (1979).

Example: p .01, .04, .03: sorted .01 x 3 = .03, .03 x 2 = .06, .04 x 1 -> max(.06, .04) = .06.
"""

from collections.abc import Mapping

from statsmodels.stats.multitest import multipletests

from evals.statistics.interval import check_finite


def holm(p_values: Mapping[str, float]) -> dict[str, float]:
    """Return the adjusted p of every name.

    Raises:
        MeasurementError: a p that is not finite.
    """
    if not p_values:
        return {}
    check_finite("p values", list(p_values.values()))
    _, adjusted, _, _ = multipletests(list(p_values.values()), method="holm")
    return dict(zip(p_values, map(float, adjusted), strict=True))
