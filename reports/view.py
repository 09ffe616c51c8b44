"""What the page tells, as typed values: a study, its variants and how each was decided.

No HTML here. A section takes a `View` and chooses what it needs by type of payload.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from evals.gates.decision import Decision
from evals.gates.policy import Policy
from evals.results import Cell, Check, Evidence, Record, Result
from evals.study import Study
from reports.figures.latencies import Distribution, Outcomes
from reports.kept.entries import Promotion, Stage
from variants.errors import LedgerError
from variants.specs.spec import Base

PayloadT = TypeVar("PayloadT", bound=Result)
BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Told:
    """Everything a report is made from; what is empty is told as not measured."""

    study: Study
    run: str
    base: Base
    written_at: str  # UTC, ISO 8601
    evidence: tuple[Evidence, ...]
    decisions: tuple[Decision, ...]
    promotion: Promotion | None = None
    stages: tuple[Stage, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()  # variant -> what it changes, in words
    machine: tuple[tuple[str, str], ...] = ()  # what it is -> value with unit
    commands: tuple[str, ...] = ()  # that reproduce the run
    policy: Policy | None = None  # as the run wrote it down
    distributions: tuple[Distribution, ...] = ()  # of the traces: `reports.figures.distributions`
    outcomes: tuple[Outcomes, ...] = ()

    @property
    def unreadable(self) -> tuple[str, ...]:
        """Name the records that exist and could not be read, each once."""
        problems = (problem for evidence in self.evidence for problem in evidence.unreadable)
        return tuple(dict.fromkeys(problems))


@dataclass(frozen=True, slots=True)
class Arm:
    """One column of the study: a variant, or the baseline (colour 0), and its own records."""

    name: str
    colour: int
    records: tuple[Record, ...]

    def payloads(self, kind: type[PayloadT]) -> tuple[PayloadT, ...]:
        """Return the payloads of one type, in the order recorded."""
        return tuple(r.payload for r in self.records if isinstance(r.payload, kind))

    def cells(self, name: str) -> tuple[Cell, ...]:
        """Return the repeats of one cell."""
        found = (cell for cell in self.payloads(Cell) if cell.name == name)
        return tuple(sorted(found, key=lambda cell: cell.repeat))


@dataclass(frozen=True, slots=True)
class VariantView(Arm):
    """A variant, how it was decided, and where it was stopped."""

    decision: Decision | None
    evidence: Evidence

    @property
    def stops(self) -> tuple[Check, ...]:
        """Return the early looks that it failed."""
        return tuple(check for check in self.payloads(Check) if check.passed is False)


@dataclass(frozen=True, slots=True)
class View:
    """The study as told: facts, the baseline, then every variant in the study's order."""

    told: Told
    baseline: Arm
    variants: tuple[VariantView, ...]

    @property
    def arms(self) -> tuple[Arm, ...]:
        """Return the baseline and every variant."""
        return (self.baseline, *self.variants)

    @property
    def policy(self) -> str:
        """Return the policy and its margin in words, as printed beside every decision."""
        told = self.told
        classes: dict[tuple[str, str], set[str]] = {}
        for one in told.decisions:
            classes.setdefault((one.policy, one.margin), set()).add(one.change_class)
        names = ", ".join(sorted({policy for policy, _ in classes})) or told.study.policy
        margins = [
            margin if len(classes) == 1 else f"{margin} for {' and '.join(sorted(found))}"
            for (_, margin), found in sorted(classes.items())
        ]
        return f"{names} policy: {'; '.join(margins) or 'nothing was judged'}"


def build_view(told: Told) -> View:
    """Give every variant its colour, its own records and its decision.

    Raises:
        LedgerError: a decision belongs to no evidence, another study or another run.
    """
    names = [evidence.variant for evidence in told.evidence]
    for decision in told.decisions:
        key = (decision.study, decision.run)
        if decision.variant not in names or key != (told.study.name, told.run):
            raise LedgerError(
                f"decision on {decision.variant!r} of {key} belongs to no evidence of "
                f"{(told.study.name, told.run)}; give the decisions of this run only"
            )
    candidates = [evidence for evidence in told.evidence if evidence.variant != BASELINE]
    decided = {decision.variant: decision for decision in told.decisions}
    variants = tuple(
        VariantView(
            name=evidence.variant,
            colour=index,
            records=tuple(r for r in evidence.records if not _is_baseline(r, evidence)),
            decision=decided.get(evidence.variant),
            evidence=evidence,
        )
        for index, evidence in enumerate(candidates, start=1)
    )
    return View(told, Arm(BASELINE, 0, _baseline_records(told.evidence)), variants)


def _baseline_records(all_evidence: Iterable[Evidence]) -> tuple[Record, ...]:
    """Pool the baseline's records of all comparisons, each once."""
    pooled = {
        (record.variant, record.step): record
        for evidence in all_evidence
        for record in evidence.records
        if _is_baseline(record, evidence)
    }
    return tuple(pooled.values())


def _is_baseline(record: Record, evidence: Evidence) -> bool:
    """Tell the baseline's records: their own variant, or the baseline arm of a comparison."""
    is_foreign = record.variant != evidence.variant or evidence.variant == BASELINE
    return is_foreign or getattr(record.payload, "arm", "variant") == "baseline"
