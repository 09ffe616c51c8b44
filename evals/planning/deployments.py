"""Several adapters in one process beside a process for each: memory, tail latency, failure domain.

Read off what was measured: the peak resident memory of each served variant, the tail of each cell
that all of them ran, and how many adapters are lost when one process dies.

Example: three adapters in one process of 4.2 GB, apart 4.1 GB each: 4.2 against 12.3 GB, 34 %; but
one death takes three adapters down instead of one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from evals.results import Cell, Evidence, Memory, Result
from variants.errors import MeasurementError

TAILS = ("ttft_ms_p99", "tpot_ms_p99")


@dataclass(frozen=True, slots=True)
class Deployment:
    """One served variant: its adapters, its memory, and the median over repeats of each tail."""

    name: str
    adapters: tuple[str, ...]
    peak_bytes: int
    tails: Mapping[str, float]  # "METRIC in CELL" -> ms


class Comparison(Result):
    """One process with all adapters, and the processes that would serve them apart."""

    shared: str
    separate: tuple[str, ...]
    shared_bytes: int
    separate_bytes: int
    tail_ratios: dict[str, float]
    lost_with_a_process: int
    lost_when_separate: int

    @property
    def reason(self) -> str:
        """Say it in one line."""
        share = self.shared_bytes / self.separate_bytes
        tails = ", ".join(f"{name} x {ratio:.2f}" for name, ratio in self.tail_ratios.items())
        return (
            f"{self.shared}: {self.shared_bytes:,} bytes against {self.separate_bytes:,} apart "
            f"({share:.0%}); tails {tails or 'not measured'}; a process that dies takes "
            f"{self.lost_with_a_process} adapters down instead of {self.lost_when_separate}"
        )


def deployment_of(evidence: Evidence, adapters: tuple[str, ...]) -> Deployment:
    """Read a deployment off a variant's evidence.

    Raises:
        MeasurementError: its memory was not measured.
    """
    payloads = [record.payload for record in evidence.records]
    peaks = [
        one.peak_process_bytes
        for one in payloads
        if isinstance(one, Memory) and one.arm == "variant" and one.peak_process_bytes
    ]
    if not peaks:
        raise MeasurementError(f"the memory of {evidence.variant} was not measured")
    seen: dict[str, list[float]] = {}
    for cell in payloads:
        if not isinstance(cell, Cell) or cell.arm != "variant" or cell.invalid:
            continue
        for metric in TAILS:
            if (value := cell.metrics.get(metric)) is not None:
                seen.setdefault(f"{metric} in {cell.name}", []).append(value)
    tails = {name: median(values) for name, values in seen.items()}
    return Deployment(evidence.variant, adapters, max(peaks), tails)


def compare(shared: Deployment, separate: Sequence[Deployment]) -> Comparison:
    """Compare a shared process with one for each of its adapters.

    A tail is compared with the worst of the separate ones, where all of them have it.

    Raises:
        MeasurementError: the separate ones do not serve the same adapters.
    """
    apart = sorted(name for one in separate for name in one.adapters)
    if apart != sorted(shared.adapters):
        raise MeasurementError(
            f"{shared.name} serves {sorted(shared.adapters)}, the separate ones {apart}; "
            "compare the same adapters"
        )
    known = [name for name in shared.tails if all(name in one.tails for one in separate)]
    return Comparison(
        shared=shared.name,
        separate=tuple(one.name for one in separate),
        shared_bytes=shared.peak_bytes,
        separate_bytes=sum(one.peak_bytes for one in separate),
        tail_ratios={
            name: shared.tails[name] / max(one.tails[name] for one in separate) for name in known
        },
        lost_with_a_process=len(shared.adapters),
        lost_when_separate=max(len(one.adapters) for one in separate),
    )
