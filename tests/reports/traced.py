"""A tiny run whose cells have traces, with times that can be worked by hand."""

from collections.abc import Sequence
from pathlib import Path

from evals.performance.trace_file import write_traces
from evals.results import Arm, Cell, Check, Evidence, Outcome, Payload, Trace
from reports.figures.distributions import with_latencies
from reports.view import Told
from tests.reports import fixture
from variants.kept.store import Store

MS = 1_000_000


def ended(outcome: Outcome, is_judged: bool = True) -> Trace:
    """Return a request that did not end ok, after a first token at once."""
    return Trace(
        index=0, scheduled_ns=0, sent_ns=0, first_token_ns=1, last_token_ns=2, end_ns=9 * MS,
        output_tokens=2, outcome=outcome, is_judged=is_judged,
    )  # fmt: skip


def answered(ttft_ms: int, tpot_ms: int, is_judged: bool = True) -> Trace:
    """Return a request due at 5 ms that came as 11 tokens, the first alone."""
    first_ns = (5 + ttft_ms) * MS
    last_ns = first_ns + 10 * tpot_ms * MS
    return Trace(
        index=0, scheduled_ns=5 * MS, sent_ns=6 * MS, first_token_ns=first_ns,
        last_token_ns=last_ns, end_ns=last_ns + MS, output_tokens=11, outcome="ok",
        is_judged=is_judged,
    )  # fmt: skip


def whole(e2e_ms: int) -> Trace:
    """Return a request due at 5 ms whose answer came whole."""
    end_ns = (5 + e2e_ms) * MS
    return Trace(
        index=0, scheduled_ns=5 * MS, sent_ns=6 * MS, end_ns=end_ns, output_tokens=11, outcome="ok"
    )


class TracedRun:
    """A store that is filled cell by cell, and what a page would be told of it."""

    def __init__(self, folder: Path) -> None:
        self.store, self._folder = Store(folder / "store"), folder
        self._payloads: list[tuple[str, Payload]] = []

    def add(
        self, name: str, arm: Arm, traces: Sequence[Trace], invalid: tuple[str, ...] = ()
    ) -> Path:
        """Add the next repeat of a cell of int8 or of the baseline; return its stored file."""
        held = [one for _, one in self._payloads if isinstance(one, Cell)]
        repeat = sum((one.name, one.arm) == (name, arm) for one in held)
        file = self._folder / "traces.parquet"
        cell = fixture.cell("int8-w8a8", arm, "closed-1", 0).model_copy(
            update={
                "name": name, "repeat": repeat, "invalid": invalid,
                "traces_sha256": write_traces(file, traces),
            }
        )  # fmt: skip
        self._payloads.append((f"cell.{name}.r{repeat}.{arm}", cell))
        return self.store.root / "blobs" / f"{self.store.put_blob(file)}.parquet"

    def change(self, at: int, **fields: object) -> None:
        """Change fields of a cell that was added."""
        step, payload = self._payloads[at]
        self._payloads[at] = (step, payload.model_copy(update=fields))

    def check(self, check: Check) -> None:
        """Add a look."""
        self._payloads.append((f"check.{check.name}", check))

    def told(self) -> Told:
        """Tell it, with the latencies of its traces."""
        return with_latencies(self.untold(), self.store.blob)

    def untold(self) -> Told:
        """Tell it before anybody has read the traces."""
        evidence = Evidence(
            study=fixture.STUDY, run=fixture.RUN, variant="int8-w8a8", change_class="8-bit",
            model_class="up to 3B",
            records=tuple(fixture.record("int8-w8a8", *one) for one in self._payloads),
        )  # fmt: skip
        return Told(fixture.study(), fixture.RUN, fixture.BASE, fixture.AT, (evidence,), ())
