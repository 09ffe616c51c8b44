"""The verdict of one gate, and the two comparisons every verdict comes from.

Damage (baseline minus variant, or its mirror): the upper bound inside the margin passes, the
lower bound beyond it fails, anything else is inconclusive. A benefit turns the same bounds round.
Nothing is rounded before it is compared.

Example: damage 1.2 points [-.3, 2.6], margin 5 points: 2.6 <= 5 -> PASS. Damage 4 [2, 6]: neither.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from evals.gates.kinds import Gate, Tier
from evals.gates.metrics import Direction
from evals.results import Result
from evals.statistics import Interval

Outcome = Literal["PASS", "FAIL", "INCONCLUSIVE", "NOT_APPLICABLE"]
# Worst first; a gate over several rows has the worst of their outcomes.
SEVERITY: tuple[Outcome, ...] = ("FAIL", "INCONCLUSIVE", "NOT_APPLICABLE", "PASS")


class Figures(Result):
    """The numbers of a comparison; None is not asked or not measured."""

    n: int | None = Field(default=None, description="items, repeats or looks")
    n_effective: int | None = Field(
        default=None, description="independent items that n, which cluster, are worth"
    )
    baseline_only: int | None = Field(default=None, description="b: items lost")
    variant_only: int | None = Field(default=None, description="c: items won")
    estimate: float | None = Field(default=None, description="damage; a gain for kind benefit")
    lower: float | None = Field(default=None, description="one-sided bound at the policy's alpha")
    upper: float | None = Field(default=None, description="one-sided bound at the policy's alpha")
    margin: float | None = Field(default=None, description="what the bounds are compared with")
    detectable: float | None = Field(
        default=None, description="smallest damage that n tells from none with power .8 (MDE)"
    )
    n_needed: int | None = Field(default=None, description="items or repeats that would settle it")
    null_flips: float | None = Field(
        default=None, description="share of items that flip in the null arm"
    )
    mcnemar_p: float | None = Field(default=None, description="exact, one-sided, of harm")


class Row(Figures):
    """One line behind a verdict: a cell, a path, a look, a metric."""

    label: str = Field(description="cell, path, look or metric")
    outcome: Outcome
    note: str = ""


def bounded_row(
    label: str, interval: Interval, margin: float | None, outcome: Outcome, note: str = ""
) -> Row:
    """Put a bounded figure and what it was compared with into a row."""
    return Row(
        label=label,
        n=interval.n,
        estimate=interval.estimate,
        lower=interval.lower,
        upper=interval.upper,
        margin=margin,
        outcome=outcome,
        note=note,
    )


class Verdict(Figures):
    """What one gate says of one variant: the figures are those of the row that decides."""

    gate: str
    tier: Tier
    kind: str
    outcome: Outcome
    reason: str = Field(description="one plain sentence with numbers, unit and n")
    metric: str | None = None
    unit: str | None = Field(default=None, description="of estimate, bounds and margin")
    direction: Direction | None = Field(default=None, description="in which the metric is better")
    holm_p: float | None = Field(
        default=None, description="McNemar's p among the suites of the variant; names failures"
    )
    waived_by: str | None = Field(default=None, description="who answers for going on without it")
    evidence_sha256: str | None = Field(
        default=None, description="of the sorted digests of the records it was judged on"
    )
    details: tuple[Row, ...] = ()


@dataclass(frozen=True, slots=True)
class Measure:
    """What a verdict's numbers are numbers of."""

    metric: str
    unit: str
    direction: Direction | None


def compare_damage(interval: Interval, margin: float) -> Outcome:
    """Compare a bounded damage with what is allowed."""
    if interval.upper <= margin:
        return "PASS"
    return "FAIL" if interval.lower > margin else "INCONCLUSIVE"


def compare_gain(interval: Interval, asked: float) -> Outcome:
    """Compare a bounded gain with what is asked."""
    if interval.lower >= asked:
        return "PASS"
    return "FAIL" if interval.upper < asked else "INCONCLUSIVE"


def worst_of(rows: Sequence[Row]) -> Row:
    """Return the first row of the worst outcome."""
    return min(rows, key=lambda row: SEVERITY.index(row.outcome))


def closest_to_harm(rows: Sequence[Row]) -> Row:
    """Return the row that decides on damage: of the worst outcome, the highest upper bound."""
    deciding = [row for row in rows if row.outcome == worst_of(rows).outcome]
    return max(deciding, key=lambda row: float("-inf") if row.upper is None else row.upper)


def verdict_of(
    gate: Gate, measure: Measure, deciding: Row, reason: str, details: Sequence[Row]
) -> Verdict:
    """Fill a verdict from the row that decides it."""
    return Verdict(
        gate=gate.id,
        tier=gate.tier,
        kind=gate.kind,
        outcome=deciding.outcome,
        reason=reason,
        metric=measure.metric,
        unit=measure.unit,
        direction=measure.direction,
        details=tuple(details),
        **deciding.model_dump(include=set(Figures.model_fields)),
    )


def inconclusive(gate: Gate, reason: str) -> Verdict:
    """Say why a gate cannot be judged."""
    return Verdict(
        gate=gate.id, tier=gate.tier, kind=gate.kind, outcome="INCONCLUSIVE", reason=reason
    )
