"""The gain in the study's objective, by which a champion is chosen."""

from pydantic import Field

from evals.gates.cells import cells_of, damage_interval, mirrored, pair_cells
from evals.gates.metrics import cell_key, declared
from evals.gates.policy import Policy
from evals.results import Evidence, Result
from evals.study import Study
from variants.errors import MeasurementError


class Gain(Result):
    """How much better the variant is than the baseline in one metric of one cell."""

    metric: str
    cell: str
    unit: str = Field(description="of the metric; the gain itself is relative")
    estimate: float = Field(description="relative to the baseline; above 0 is better")
    lower: float = Field(description="one-sided bound at the policy's alpha")
    upper: float = Field(description="one-sided bound at the policy's alpha")
    n: int = Field(description="pairs of repeats")


def objective_gain(study: Study, policy: Policy, evidence: Evidence) -> tuple[Gain, ...]:
    """Return the gain in the objective, or () where it was not measured in both arms."""
    objective = study.objective
    gain = gain_in(objective.metric, objective.cell, evidence, policy.confidence)
    return () if gain is None else (gain,)


def gain_in(metric: str, cell: str, evidence: Evidence, confidence: float) -> Gain | None:
    """Bound the gain over the pairs of repeats, or None where both arms were not measured.

    The two of a pair were measured in turns: what slows the machine down slows both.
    """
    known, key = declared(metric), cell_key(metric)
    try:
        pairs = pair_cells(cells_of(evidence), cell, key)
        damage = damage_interval(pairs, key, known.direction, confidence)
    except MeasurementError:
        return None
    gain = mirrored(damage)
    return Gain(
        metric=metric,
        cell=cell,
        unit=known.unit,
        estimate=gain.estimate,
        lower=gain.lower,
        upper=gain.upper,
        n=gain.n,
    )
