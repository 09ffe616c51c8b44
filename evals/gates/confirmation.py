"""Measured again before the channel moves: does the champion still show its gain?

The winner of several candidates is partly lucky, so its gain is taken from fresh repeats that had
no part in choosing it. It need not reach `min_gain` again, only be a gain beyond noise.
"""

from collections.abc import Sequence

from evals.gates.metrics import METRICS
from evals.results import Arm, Cell
from evals.statistics import ratio_interval
from evals.study import Study
from variants.errors import PromotionError

CONFIDENCE = 0.95


def confirm_gain(study: Study, cells: Sequence[Cell]) -> str:
    """Say in one sentence what the fresh repeats show.

    Raises:
        PromotionError: a repeat is missing or invalid, or the gain is not beyond noise.
    """
    objective, metric = study.objective, METRICS[study.objective.metric]
    ratio = ratio_interval(
        _values(study, cells, "baseline"), _values(study, cells, "variant"), CONFIDENCE
    )
    told = (
        f"{objective.metric} in {objective.cell} measured again: {ratio.estimate:.3f} of the "
        f"baseline's [{ratio.lower:.3f}, {ratio.upper:.3f}] (one-sided 95 % bounds), "
        f"{ratio.n} repeats"
    )
    if not (ratio.upper < 1 if metric.direction == "lower" else ratio.lower > 1):
        raise PromotionError(f"the gain was not confirmed: {told}")
    return told


def _values(study: Study, cells: Sequence[Cell], arm: Arm) -> list[float]:
    key = str(METRICS[study.objective.metric].key)
    own = sorted((cell for cell in cells if cell.arm == arm), key=lambda cell: cell.repeat)
    values = [cell.metrics.get(key) for cell in own if not cell.invalid]
    measured = [value for value in values if value is not None]
    if len(measured) != study.workload.repeats:
        faults = "; ".join(fault for cell in own for fault in cell.invalid) or "cells are missing"
        raise PromotionError(
            f"{len(measured)} of {study.workload.repeats} fresh repeats of {arm} are valid: {faults}"
        )
    return measured
