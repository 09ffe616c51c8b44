"""Cells of both arms, paired by repeat, and the ratio of their figures.

A repeat supports a verdict only where both arms have one valid cell with the figure asked for.
What supports nothing is kept with its reason. A ratio becomes a damage, relative to the baseline
and above 0 when the variant is worse: variant / baseline - 1 where lower is better, 1 - variant /
baseline where higher is. A gain is the damage with its sign turned.

Example: TPOT 10 ms -> 9 ms is a damage of -10 %; 100 tokens/s -> 90 is a damage of +10 %.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.gates.kinds import CellChoice
from evals.gates.metrics import Direction, declared
from evals.performance.engine_metrics import REQUIRED
from evals.results import Arm, Cell, Evidence
from evals.statistics import (
    Interval,
    detectable_ratio,
    log_ratios,
    ratio_interval,
    required_repeats,
)
from evals.study import Study
from evals.workload.cell import CellSpec
from variants.errors import MeasurementError

# A time is that of the requests that ended well: with more failures than 1 % (as for missing
# answers, design/verdicts.md) it is the figure of the survivors. These keys count every request.
MAX_FAILED_SHARE = 0.01
COUNTS_FAILURES = ("attainment", "goodput_rps")
LENGTH_KEY, LENGTH_RATIOS = "output_tokens_mean", (0.90, 1.10)  # design/measurement.md, validity


@dataclass(frozen=True, slots=True)
class Pair:
    """One repeat of one cell in both arms."""

    repeat: int
    baseline: Cell
    variant: Cell


@dataclass(frozen=True, slots=True)
class Pairs:
    """The repeats that support a verdict, and why others do not."""

    valid: tuple[Pair, ...]
    refused: tuple[str, ...]

    def figures(self, arm: Arm, key: str) -> list[float]:
        """Return one figure per valid repeat."""
        cells = [pair.baseline if arm == "baseline" else pair.variant for pair in self.valid]
        figures = [cell.metrics[key] for cell in cells]
        return [figure for figure in figures if figure is not None]


def cells_of(evidence: Evidence) -> tuple[Cell, ...]:
    """Return all cells of the evidence, of both arms."""
    return tuple(record.payload for record in evidence.records if isinstance(record.payload, Cell))


def chosen_cells(choice: CellChoice, study: Study, metric: str) -> tuple[str, ...]:
    """Name the cells of the study in which a metric is asked for.

    Raises:
        MeasurementError: the choice names no cell of the study, or one where it is undefined.
    """
    cells = {cell.name: cell for cell in study.workload.cells}
    if isinstance(choice, tuple):
        return _named_cells(choice, cells, metric)
    wanted = tuple(
        cell.name
        for cell in cells.values()
        if cell.judged
        and declared(metric).is_defined_in(cell)
        and choice in ("all", "open" if cell.is_open else "closed")
    )
    if not wanted:
        raise MeasurementError(f"the study has no cell for {metric} (cells: {choice})")
    return wanted


def _named_cells(
    names: tuple[str, ...], cells: Mapping[str, CellSpec], metric: str
) -> tuple[str, ...]:
    unknown = [name for name in names if name not in cells]
    if unknown or not names:
        raise MeasurementError(f"cells {unknown} are not in the study, which has {list(cells)}")
    undefined = [name for name in names if not declared(metric).is_defined_in(cells[name])]
    if undefined:
        raise MeasurementError(f"{metric} is not defined in {', '.join(undefined)}")
    return names


def pair_cells(cells: Sequence[Cell], name: str, key: str) -> Pairs:
    """Pair one cell's repeats by their number, keeping those with a figure in both arms.

    Raises:
        MeasurementError: a repeat was recorded twice, or the same traces back two repeats.
    """
    baseline, variant = _by_repeat(cells, name, "baseline"), _by_repeat(cells, name, "variant")
    valid, refused = [], []
    for repeat in sorted(baseline.keys() | variant.keys()):
        why = (
            _fault(baseline.get(repeat), "baseline", key)
            or _fault(variant.get(repeat), "variant", key)
            or _length_fault(baseline[repeat], variant[repeat])
        )
        if why:
            refused.append(f"repeat {repeat}: {why}")
        else:
            valid.append(Pair(repeat, baseline[repeat], variant[repeat]))
    _check_traces(name, valid)
    return Pairs(tuple(valid), tuple(refused))


def check_enough(name: str, pairs: Pairs, min_repeats: int) -> None:
    """Refuse fewer valid repeats than asked.

    Raises:
        MeasurementError: with the reason of the first refused repeat, and how many were refused.
    """
    if len(pairs.valid) < min_repeats:
        count = len(pairs.refused)
        why = f" ({count} refused, the first: {pairs.refused[0]})" if count else ""
        raise MeasurementError(
            f"{len(pairs.valid)} valid pairs of repeats of {name}, {min_repeats} are needed{why}"
        )


def damage_interval(pairs: Pairs, key: str, direction: Direction, confidence: float) -> Interval:
    """Bound the relative damage over repeats, each side at `confidence`."""
    ratio = ratio_interval(
        pairs.figures("baseline", key), pairs.figures("variant", key), confidence
    )
    if direction == "lower":
        return Interval(ratio.estimate - 1, ratio.lower - 1, ratio.upper - 1, ratio.n)
    return Interval(1 - ratio.estimate, 1 - ratio.upper, 1 - ratio.lower, ratio.n)


def mirrored(damage: Interval) -> Interval:
    """Turn a damage into a gain, or back."""
    return Interval(-damage.estimate, -damage.upper, -damage.lower, damage.n)


def repeats_needed(pairs: Pairs, key: str, limit: float, confidence: float) -> int | None:
    """Return the repeats that would settle on which side of the ratio `limit` the variant lies."""
    logs = log_ratios(pairs.figures("baseline", key), pairs.figures("variant", key))
    return required_repeats(logs, limit, confidence)


def detectable_change(pairs: Pairs, key: str, confidence: float) -> float:
    """Return the smallest relative change that these repeats tell from none with power .8."""
    logs = log_ratios(pairs.figures("baseline", key), pairs.figures("variant", key))
    return detectable_ratio(logs, confidence) - 1


def _by_repeat(cells: Sequence[Cell], name: str, arm: Arm) -> dict[int, Cell]:
    found: dict[int, Cell] = {}
    for cell in cells:
        if (cell.name, cell.arm) != (name, arm):
            continue
        if cell.repeat in found:
            raise MeasurementError(f"repeat {cell.repeat} of {name} ({arm}) is recorded twice")
        found[cell.repeat] = cell
    return found


def _fault(cell: Cell | None, arm: Arm, key: str) -> str:
    """Say why a cell supports nothing; empty if it does."""
    if cell is None:
        return f"no {arm} cell"
    if cell.invalid:
        return f"{arm} is invalid, {', '.join(cell.invalid)}"
    vanished = [name for name in REQUIRED if cell.engine.get(name) is None]
    if vanished:
        return f"{arm} has no engine metric {', '.join(vanished)}; missing is not 0"
    return _unfounded(cell, arm, key)


def _length_fault(baseline: Cell, variant: Cell) -> str:
    """Say that the arms answered at different length, where answers end when they like.

    With failures in an arm its mean is that of the survivors, and the failures are what counts.
    """
    if _is_survivors_only(baseline) or _is_survivors_only(variant):
        return ""
    lengths = [cell.metrics.get(LENGTH_KEY) for cell in (baseline, variant)]
    if lengths == [None, None]:  # recorded before lengths were, when all were fixed
        return ""
    if None in lengths or not lengths[0]:
        return "the length of the answers is known in one arm only"
    ratio = (lengths[1] or 0.0) / lengths[0]
    low, high = LENGTH_RATIOS
    if low <= ratio <= high:
        return ""
    return f"the variant's answers are {ratio:.2f} times as long ({low:.2f} to {high:.2f} is fair)"


def _unfounded(cell: Cell, arm: Arm, key: str) -> str:
    """Say why a valid cell's figure rests on nothing, or on the survivors alone."""
    if cell.num_offered < 1:
        return f"{arm} was offered no request"
    if cell.num_ok > cell.num_offered:
        return f"{arm} ended {cell.num_ok} of {cell.num_offered} requests ok, which cannot be"
    if cell.metrics.get(key) is None:
        return f"{arm} has no {key}"
    if _is_survivors_only(cell) and key not in COUNTS_FAILURES:
        return f"{arm} failed {cell.num_offered - cell.num_ok} of {cell.num_offered} requests"
    return ""


def _is_survivors_only(cell: Cell) -> bool:
    return cell.num_offered - cell.num_ok > MAX_FAILED_SHARE * cell.num_offered


def _check_traces(name: str, pairs: list[Pair]) -> None:
    digests = [cell.traces_sha256 for pair in pairs for cell in (pair.baseline, pair.variant)]
    if len(set(digests)) != len(digests):
        raise MeasurementError(f"the same traces back two repeats of {name}; measure it again")
