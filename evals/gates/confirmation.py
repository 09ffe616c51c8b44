"""Measured again before the channel moves: does the champion still show its gain?

The winner of several candidates is partly lucky, so its gain is taken from fresh repeats that had
no part in choosing it. It need not reach `min_gain` again, only be a gain beyond noise.

Example: TPOT 20 % better [18 %, 22 %] is confirmed, 2 % better [-1 %, 5 %] is not.
"""

from collections.abc import Sequence

from evals.gates.cells import check_enough, damage_interval, mirrored, pair_cells
from evals.gates.metrics import cell_key, declared
from evals.gates.wording import relative
from evals.results import Cell
from evals.statistics import Interval
from evals.study import Study
from variants.errors import MeasurementError, PromotionError

CONFIDENCE = 0.95


def confirm_gain(study: Study, cells: Sequence[Cell]) -> str:
    """Say in one sentence what the fresh repeats show.

    Raises:
        PromotionError: a repeat is missing or supports nothing, or the gain is not beyond noise.
    """
    objective = study.objective
    try:
        gain = _gain(study, cells)
    except MeasurementError as error:
        raise PromotionError(f"the gain could not be measured again: {error}") from error
    told = (
        f"{objective.metric} in {objective.cell} measured again: {relative(gain.estimate)} better "
        f"[{relative(gain.lower)}, {relative(gain.upper)}] (one-sided 95 % bounds), "
        f"{gain.n} repeats"
    )
    if gain.lower <= 0:
        raise PromotionError(f"the gain was not confirmed: {told}")
    return told


def _gain(study: Study, cells: Sequence[Cell]) -> Interval:
    metric, cell = study.objective.metric, study.objective.cell
    key = cell_key(metric)
    pairs = pair_cells(cells, cell, key)
    check_enough(cell, pairs, study.workload.repeats)
    return mirrored(damage_interval(pairs, key, declared(metric).direction, CONFIDENCE))
