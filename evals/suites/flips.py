"""Flips: items right in one arm and wrong in the other, both ways, task by task.

Source: "Accuracy is Not All You Need" (arXiv 2407.09141): accuracy can stay where it is while many
answers change, since losses and gains cancel; those who use the model meet every one.

Worked example: of 100 items 9 turn wrong and 8 turn right: accuracy falls by 1 point, 17 flip.
"""

from collections.abc import Sequence

from evals.statistics import PairedCounts
from variants.errors import MeasurementError

HEAD = (
    f"{'task':<24}{'items':>8}{'right->wrong':>14}{'wrong->right':>14}{'flipped':>10}{'lost':>10}"
)


def flips(
    tasks: Sequence[str], is_baseline_right: Sequence[bool], is_variant_right: Sequence[bool]
) -> dict[str, PairedCounts]:
    """Count by task, in the order in which tasks first appear; one entry an item in each list.

    Raises:
        MeasurementError: the lists differ in length, or hold nothing.
    """
    sizes = (len(tasks), len(is_baseline_right), len(is_variant_right))
    if len(set(sizes)) > 1 or sizes[0] == 0:
        raise MeasurementError(f"{sizes} tasks and answers of both arms; give one each an item")
    answers: dict[str, list[tuple[bool, bool]]] = {}
    for task, before, after in zip(tasks, is_baseline_right, is_variant_right, strict=True):
        answers.setdefault(task, []).append((bool(before), bool(after)))
    return {task: _counts(pairs) for task, pairs in answers.items()}


def _counts(pairs: list[tuple[bool, bool]]) -> PairedCounts:
    return PairedCounts(pairs.count((True, False)), pairs.count((False, True)), len(pairs))


def told(counts: dict[str, PairedCounts]) -> str:
    """Print one line a task, in columns; `lost` is the fall of accuracy."""
    lines = (
        f"{task:<24}{one.num_items:>8}{one.baseline_only:>14}{one.variant_only:>14}"
        f"{one.discordance:>10.1%}{one.damage:>10.1%}"
        for task, one in counts.items()
    )
    return "\n".join([HEAD, *lines])
