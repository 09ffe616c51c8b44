"""Write each measurement as evidence the moment it exists, and find it again on resume.

A step is measured once per run: when the run already holds a verified record of it, that record
is returned and nothing is measured. Measurements of other runs are never looked at.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from pydantic import ValidationError

from evals.results import Check, Evidence, ModelClass, Payload, Record, SuiteResult
from evals.results import Path as Route
from evals.study import Study
from variants.kept.store import Store
from variants.specs.ladder import answers_in_process, change_class
from variants.specs.spec import Variant

BASELINE = "baseline"
CONFIRMATION = "confirm."  # steps measured after the decision; they never enter it
CAPACITY = "capacity."  # and steps that were never meant for one
AGAIN = ".again"  # ends a step that was looked at again: .again1, .again2
SHARED = ("binding", "artifact")  # of the baseline, beside its suites


class Recorder:
    """The evidence of one run."""

    def __init__(self, store: Store, study: Study, run: str) -> None:
        """Read what the run has already recorded."""
        self._store, self._study, self._run = store, study, run
        self._records: dict[tuple[str, str], tuple[str, Record]] = {}
        self._unreadable: dict[str, list[str]] = {}
        for file in store.evidence(run):
            self._admit(file.variant, file.step, file.digest, file.text or "")

    def _admit(self, variant: str, step: str, digest: str, text: str) -> None:
        if step.startswith("entry."):
            return  # decisions and the like: told by the ledger, not measured
        if (variant, step) in self._records:
            self._unreadable.setdefault(variant, []).append(f"{variant}/{step}: there twice")
            return
        try:
            self._records[variant, step] = digest, Record.model_validate_json(text)
        except ValidationError as error:
            problem = f"{variant}/{step}: {error.error_count()} errors"
            self._unreadable.setdefault(variant, []).append(problem)

    def find(self, variant: str, step: str) -> Payload | None:
        """Return what this run has already measured."""
        found = self._records.get((variant, step))
        return found[1].payload if found else None

    def _looks(self, variant: str, step: str) -> list[Payload]:
        """Return the first look of a step and those that were taken again, in order."""
        found = [self.find(variant, step)]
        while found[-1] is not None:
            found.append(self.find(variant, f"{step}{AGAIN}{len(found)}"))
        return [look for look in found if look is not None]

    def keep(self, variant: str, step: str, payload: Payload) -> Payload:
        """Write one measurement.

        A resumed run looks again at what it serves. What it measured first stands; a check that
        now comes out otherwise is kept beside the first, and both count, unless the first could
        not be looked at.
        """
        looks = self._looks(variant, step)
        if looks:
            known = [look for look in looks if isinstance(look, Check)]
            if not isinstance(payload, Check) or not known:
                return looks[0]
            for look in known:
                if look.passed == payload.passed:
                    return look
            step = f"{step}{AGAIN}{len(looks)}"
        record = Record(
            study=self._study.name,
            run=self._run,
            variant=variant,
            step=step,
            recorded_at=datetime.now(UTC).isoformat(timespec="seconds"),
            payload=payload,
        )
        digest = self._store.put_evidence(self._run, variant, step, record.model_dump_json())
        self._records[variant, step] = digest, record
        return payload

    def obtain(self, variant: str, step: str, measure: Callable[[], Payload]) -> Payload:
        """Return this run's measurement of a step, measuring it if there is none."""
        found = self.find(variant, step)
        return found if found is not None else self.keep(variant, step, measure())

    def settle(self, variant: str, step: str) -> None:
        """Let a check that an interrupted run left open count as looked at: it went well now."""
        looks = self._looks(variant, step)
        found = looks[0] if len(looks) == 1 else None  # looked at again: that stands
        if isinstance(found, Check) and found.passed is None:
            told = f"went well when it was tried again; before: {found.reason}"
            self.keep(variant, step, found.model_copy(update={"passed": True, "reason": told}))

    def keep_all(self, variant: str, prefix: str, checks: Iterable[Check]) -> None:
        """Write several looks under `PREFIX.NAME`; each tells how many there are, lest one go."""
        taken = list(checks)
        for check in taken:
            name = check.name.replace(" ", "-")
            told = check.model_copy(update={"num_together": len(taken)})
            self.keep(variant, f"{prefix}.{name}", told)

    def _beside(self, variant: Variant, own: Sequence[Record]) -> list[Record]:
        """Return the baseline's records that stand beside those of a variant."""
        path: Route = "artifact" if answers_in_process(variant) else "engine"
        suites = [one.payload for one in own if isinstance(one.payload, SuiteResult)]
        answered = {(suite.suite, suite.path) for suite in suites}

        def is_paired(payload: Payload) -> bool:
            return isinstance(payload, SuiteResult) and (
                payload.path == path
                or (payload.suite, payload.path) in answered
                or payload.is_given_up_in_writing
            )

        return [
            record
            for _, record in self.records()
            if record.variant == BASELINE and (record.step in SHARED or is_paired(record.payload))
        ]

    def _is_superseded(self, record: Record) -> bool:
        """Whether a check that could not be looked at was looked at later."""
        is_open = isinstance(record.payload, Check) and record.payload.passed is None
        return is_open and len(self._looks(record.variant, record.step.split(AGAIN)[0])) > 1

    def records(self) -> list[tuple[str, Record]]:
        """Return every record of the run with its digest, in the order of writing."""
        return list(self._records.values())

    def standing(self, variant: str) -> list[Record]:
        """Return a variant's records, less the looks that were taken again."""
        own = (record for _, record in self.records() if record.variant == variant)
        return [record for record in own if not self._is_superseded(record)]

    def evidence(self, variant: Variant, model_class: ModelClass) -> Evidence:
        """Collect what a decision on one variant rests on.

        The baseline's artifact and its answers to what the variant was asked, and what the run
        was bound to, stand once per run beside the variant's records; the baseline's other
        records stay with the baseline.
        """
        measured = [
            record
            for record in self.standing(variant.name)
            if not record.step.startswith((CONFIRMATION, CAPACITY))
        ]
        shared = self._beside(variant, measured) if variant.name != BASELINE else []
        return Evidence(
            study=self._study.name,
            run=self._run,
            variant=variant.name,
            change_class=change_class(variant),
            model_class=model_class,
            # one order, whether measured just now or read again: a decision has one digest
            records=tuple(
                sorted([*measured, *shared], key=lambda record: (record.variant, record.step))
            ),
            unreadable=tuple(
                problem
                for name in dict.fromkeys((variant.name, BASELINE))
                for problem in self._unreadable.get(name, ())
            ),
        )
