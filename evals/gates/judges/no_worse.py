"""No worse: a performance figure, per cell, by the paired log-ratio over repeats.

The gate is as good as its worst cell. Its rows are the operating envelope.

Example: TPOT damage 4 % [-2 %, 11 %] over 5 repeats, margin 15 %: 11 <= 15 -> PASS.
"""

from evals.gates.cells import (
    cells_of,
    check_enough,
    chosen_cells,
    damage_interval,
    detectable_change,
    pair_cells,
    repeats_needed,
)
from evals.gates.kinds import NoWorseGate
from evals.gates.metrics import cell_key, check_direction
from evals.gates.policy import Policy
from evals.gates.verdict import (
    Measure,
    Row,
    Verdict,
    bounded_row,
    closest_to_harm,
    compare_damage,
    verdict_of,
)
from evals.gates.wording import harm, relative
from evals.results import Evidence
from evals.study import Study
from variants.errors import MeasurementError


def judge(gate: NoWorseGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Bound the damage in every cell, and decide by the worst.

    Raises:
        MeasurementError: an undeclared metric, or a contradicted direction.
    """
    check_direction(gate.metric, gate.direction)
    cells = chosen_cells(gate.cells, study, gate.metric)
    margins = {cell: _margin(gate, study, cell) for cell in cells}
    rows = [_row(gate, evidence, cell, policy, margin) for cell, margin in margins.items()]
    worst = closest_to_harm(rows)
    measure = Measure(gate.metric, "relative to the baseline", gate.direction)
    reason = worst.note if worst.upper is None else _reason(gate, worst, len(rows))
    return verdict_of(gate, measure, worst, reason, rows)


def _margin(gate: NoWorseGate, study: Study, cell: str) -> float:
    margin = gate.margin_for(study.service_class, cell)
    if margin is None:
        raise MeasurementError(
            f"the policy gives {gate.id} no margin for service class {study.service_class}"
        )
    return margin


def _row(gate: NoWorseGate, evidence: Evidence, cell: str, policy: Policy, margin: float) -> Row:
    try:
        return _measured_row(gate, evidence, cell, policy, margin)
    except MeasurementError as error:
        return Row(label=cell, margin=margin, outcome="INCONCLUSIVE", note=str(error))


def _measured_row(
    gate: NoWorseGate, evidence: Evidence, cell: str, policy: Policy, margin: float
) -> Row:
    key = cell_key(gate.metric)
    pairs = pair_cells(cells_of(evidence), cell, key)
    check_enough(cell, pairs, gate.min_repeats)
    damage = damage_interval(pairs, key, gate.direction, policy.confidence)
    limit = 1 + margin if gate.direction == "lower" else 1 - margin
    outcome = compare_damage(damage, margin)
    needed = repeats_needed(pairs, key, limit, policy.confidence)
    note = "; ".join(pairs.refused)
    return bounded_row(cell, damage, margin, outcome, note).model_copy(
        update={
            "detectable": detectable_change(pairs, key, policy.confidence),
            "n_needed": needed if outcome == "INCONCLUSIVE" else None,
        }
    )


def _reason(gate: NoWorseGate, worst: Row, num_cells: int) -> str:
    return (
        f"{gate.metric} in {worst.label} is {harm(worst.estimate)} "
        f"[{harm(worst.lower)}, {harm(worst.upper)}] over {worst.n} repeats, margin "
        f"{relative(worst.margin)}; worst of {num_cells} cells"
    )
