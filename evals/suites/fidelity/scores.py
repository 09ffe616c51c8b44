"""What two arms gave the scored tokens, where each token stands, and which have a number at all.

A token for which the variant gave any entry of the vocabulary NaN or an infinity is kept here, so
that it is counted, and left out of every figure.

Example: 3 tokens, of which the variant lost one: `rows_where` returns 2 rows, and the third is
where `is_finite_N` is false.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from evals.suites.fidelity.texts import Part, Text
from evals.suites.fidelity.token_rows import TokenRows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What both arms gave the scored tokens of some texts. Shapes: N tokens. Units: nats."""

    baseline_logp_N: Floats
    variant_logp_N: Floats  # undefined where `is_finite_N` is false, and so is what follows
    kl_N: Floats
    is_same_top_N: Flags
    is_finite_N: Flags  # the variant gave every entry of the vocabulary a number


def joined(parts: Iterable[Scores]) -> Scores:
    """Put the scores of several texts one behind the other."""
    every = list(parts)
    return Scores(
        *(np.concatenate([getattr(part, field.name) for part in every]) for field in fields(Scores))
    )


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Where each scored token stands. Shapes: N tokens."""

    parts_N: NDArray[np.str_]
    passages_N: NDArray[np.str_]
    labels_N: NDArray[np.str_]
    positions_N: NDArray[np.intp]

    def of(self, part: Part) -> Flags:
        """Mark the tokens of one part."""
        is_of_N: Flags = self.parts_N == part
        return is_of_N


def places_of(given: tuple[Text, ...]) -> Places:
    """List the scored tokens of all texts, text by text."""
    sizes = [len(text.positions) for text in given]
    return Places(
        np.repeat(np.array([text.part for text in given], np.str_), sizes),
        np.repeat(np.array([text.passage for text in given], np.str_), sizes),
        np.array([label for text in given for label in text.labels], np.str_),
        np.array([position for text in given for position in text.positions], np.intp),
    )


def rows_where(scores: Scores, places: Places, is_in_N: Flags) -> TokenRows | None:
    """Take the tokens marked that have a number; None: none has.

    Raises:
        MeasurementError: the baseline itself gave no number.
    """
    kept_N = is_in_N & scores.is_finite_N
    if not kept_N.any():
        return None
    return TokenRows(
        scores.baseline_logp_N[kept_N],
        scores.variant_logp_N[kept_N],
        scores.kl_N[kept_N],
        scores.is_same_top_N[kept_N],
        places.passages_N[kept_N],
        places.labels_N[kept_N],
    )
