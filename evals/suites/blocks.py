"""Ask a suite block by block, and stop once more items would not change the verdict.

Blocks double, so that looking costs little and a hopeless variant is asked little: 2,000 items with
a smallest block of 250 are looked at after 250, 500, 1,000 and 2,000. Items lie in drawn order, so
whatever has been asked is a random draw of the suite.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from evals.results import Stop, SuiteResult
from evals.suites.assignment import Assignment
from variants.errors import MeasurementError

Look = Callable[[SuiteResult], Stop | None]  # at what is in so far


def go_on(found: SuiteResult) -> Stop | None:
    """Never stop."""
    return None


def block_ends(num_planned: int, smallest: int) -> tuple[int, ...]:
    """Return after how many items to look: the whole, halved while a block is not too small."""
    ends = [num_planned]
    while ends[0] >= 2 * smallest:
        ends.insert(0, ends[0] // 2)
    return tuple(ends)


def in_blocks(
    assignment: Assignment,
    ends: Sequence[int | None],
    measure: Callable[[Assignment], SuiteResult],
    look: Look,
) -> SuiteResult:
    """Measure up to each end in turn, until a look says that it is enough; None ends at the last.

    Raises:
        MeasurementError: blocks do not belong together.
    """
    found = measure(replace(assignment, end=ends[0]))
    for end in ends[1:]:
        if found.num_spared == 0:
            break
        if stopped := look(found):
            return found.model_copy(update={"stopped": stopped})
        block = measure(replace(assignment, begin=found.num_issued, end=end))
        found = merge([found, block], found.seconds + block.seconds)
    return found


def merge(parts: Sequence[SuiteResult], seconds: float) -> SuiteResult:
    """Join blocks, or shards, of one suite that together took so long.

    Raises:
        MeasurementError: the parts were drawn from different item sets, or by other weights.
    """
    if len({(part.items_sha256, part.weights_sha256, part.num_planned) for part in parts}) != 1:
        raise MeasurementError(f"parts of {parts[0].suite} had other items, or other weights")
    samples = sorted((one for part in parts for one in part.samples), key=lambda one: one.item)
    return parts[0].model_copy(
        update={
            "samples": tuple(samples),
            "num_issued": sum(part.num_issued for part in parts),
            "seconds": seconds,
            "prompt_tokens": _summed([part.prompt_tokens for part in parts]),
            "engine_busy_share": _busy_share(parts),
        }
    )


def _summed(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if len(known) == len(counts) else None


def _busy_share(parts: Sequence[SuiteResult]) -> float | None:
    """Return the share of all seconds; None where a part does not say."""
    busy = [None if (p := part.engine_busy_share) is None else p * part.seconds for part in parts]
    seconds = sum(part.seconds for part in parts)
    known = [one for one in busy if one is not None]
    return sum(known) / seconds if seconds and len(known) == len(parts) else None
