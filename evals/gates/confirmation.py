"""Measured again before the channel moves: does the champion still show its gain?

The winner of several candidates is partly lucky, so its gain is taken from fresh repeats that had
no part in choosing it. It need not reach `min_gain` again, only be a gain beyond noise.
"""

from collections.abc import Sequence

from evals.gates.metrics import METRICS
from evals.performance.profile import valid_repeats
from evals.results import Cell
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
    repeats = sorted(valid_repeats(cells, objective.cell))
    if len(repeats) < study.workload.repeats:
        faults = "; ".join(fault for cell in cells for fault in cell.invalid) or "none was measured"
        raise PromotionError(
            f"{len(repeats)} fresh repeats of {objective.cell} are valid, "
            f"{study.workload.repeats} are asked: {faults}"
        )
    values = {(cell.arm, cell.repeat): cell.metrics.get(str(metric.key)) for cell in cells}
    ratio = ratio_interval(
        [_number(values["baseline", repeat]) for repeat in repeats],
        [_number(values["variant", repeat]) for repeat in repeats],
        CONFIDENCE,
    )
    told = (
        f"{objective.metric} in {objective.cell} measured again: {ratio.estimate:.3f} of the "
        f"baseline's [{ratio.lower:.3f}, {ratio.upper:.3f}] (one-sided 95 % bounds), "
        f"{ratio.n} repeats"
    )
    if not (ratio.upper < 1 if metric.direction == "lower" else ratio.lower > 1):
        raise PromotionError(f"the gain was not confirmed: {told}")
    return told


def _number(value: float | None) -> float:
    if value is None:
        raise PromotionError("a fresh repeat lacks the objective's metric")
    return value
