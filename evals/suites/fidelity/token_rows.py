"""Token by token: what two arms gave the true text, which passage it is of, and which part of it.

The parts are those that a change of weights can hurt apart: a model may keep its prose and lose the
brackets of its tool calls, which are few among many tokens and vanish in a mean over all.

Example: 3 tokens labelled prompt, answer, answer give the slices prompt (1 token) and answer (2).
"""

import math
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from variants.errors import MeasurementError

PROSE, PROMPT, JSON_PUNCTUATION = "prose", "prompt", "json-punctuation"
LABELS = (PROSE, PROMPT, "answer", "tool-call", JSON_PUNCTUATION, "refusal-prefix")
ROUNDING = 1e-3  # an fp32 sum over 150,000 entries is surer; what is beyond it is no rounding
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class TokenRows:
    """One row a token, teacher-forced in both arms. Shapes: N tokens. Units: nats."""

    baseline_logp_N: Floats  # of the true token
    variant_logp_N: Floats
    kl_N: Floats  # KL(baseline || variant) over the whole vocabulary
    is_same_top_N: NDArray[np.bool_]  # both arms rank the same token first
    passages_N: NDArray[np.str_]
    labels_N: NDArray[np.str_]  # one of LABELS each

    def __post_init__(self) -> None:
        self._check_shapes()
        for name in ("baseline_logp_N", "variant_logp_N", "kl_N"):
            column_N = getattr(self, name)
            if not np.isfinite(column_N).all():
                bad = int((~np.isfinite(column_N)).sum())
                raise MeasurementError(
                    f"{name} has {bad} of {len(column_N)} values that are not finite; count such "
                    "positions apart and leave them out"
                )
        self._check_ranges()

    def _check_shapes(self) -> None:
        shapes = [getattr(self, field.name).shape for field in fields(self)]
        if len(set(shapes)) > 1 or len(shapes[0]) != 1 or shapes[0] == (0,):
            raise MeasurementError(f"columns of shapes {shapes}; give one row a token in each")
        if self.is_same_top_N.dtype != np.bool_:
            raise MeasurementError(f"is_same_top_N holds {self.is_same_top_N.dtype}, not booleans")

    def _check_ranges(self) -> None:
        highest = max(float(self.baseline_logp_N.max()), float(self.variant_logp_N.max()))
        if highest > ROUNDING:
            raise MeasurementError(f"a log-probability is {highest}; none lies above 0")
        if float(self.kl_N.min()) < -ROUNDING:
            raise MeasurementError(f"a KL is {self.kl_N.min()}; none lies below 0")
        unknown = sorted(set(self.labels_N.tolist()) - set(LABELS))
        if unknown:
            raise MeasurementError(f"unknown labels {unknown}; use {', '.join(LABELS)}")


def perplexity_of(nats: float) -> float:
    """Return e to the power of a mean cost or a mean difference.

    Raises:
        MeasurementError: it is beyond what a float holds.
    """
    try:
        return math.exp(nats)
    except OverflowError as error:
        raise MeasurementError(f"a mean of {nats} nats a token has no perplexity") from error


def slices(rows: TokenRows) -> dict[str, TokenRows]:
    """Split rows by label; a label without a token is absent."""
    found = {label: rows.labels_N == label for label in LABELS}
    return {label: _where(rows, is_in_N) for label, is_in_N in found.items() if is_in_N.any()}


def _where(rows: TokenRows, is_in_N: NDArray[np.bool_]) -> TokenRows:
    return TokenRows(
        rows.baseline_logp_N[is_in_N],
        rows.variant_logp_N[is_in_N],
        rows.kl_N[is_in_N],
        rows.is_same_top_N[is_in_N],
        rows.passages_N[is_in_N],
        rows.labels_N[is_in_N],
    )
