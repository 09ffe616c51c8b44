"""How fast the baseline was beside each variant: it is measured anew, in turns with the variant.

Where that differs the machine was not as fast all day, so two variants' own figures cannot be
compared; what each gains over the baseline beside it can.

Example: 61.6 ms beside one variant and 46.9 beside another: the slower is 31 % above the faster.
"""

from evals.gates.cells import cells_of
from evals.gates.metrics import declared
from reports.figures.means import bounded
from reports.view import View
from reports.words.numbers import rounded

WORTH_SAYING = 1.1  # slowest / fastest


def beside(view: View) -> dict[str, float]:
    """Return the baseline's mean in the study's objective, by the variant it was measured with."""
    objective = view.told.study.objective
    key = declared(objective.metric).key
    found: dict[str, float] = {}
    for variant in view.variants:
        values = [
            value
            for cell in cells_of(variant.evidence)
            if (cell.name, cell.arm) == (objective.cell, "baseline") and not cell.invalid
            if key and (value := cell.metrics.get(key)) is not None
        ]
        if mean := bounded(values):
            found[variant.name] = mean.estimate
    return found


def drift_words(view: View) -> str:
    """Say that the machine was not as fast all day; '' where it was, or nobody can tell."""
    found, unit = beside(view), declared(view.told.study.objective.metric).unit
    if len(found) < 2 or min(found.values()) <= 0:
        return ""
    ratio = max(found.values()) / min(found.values())
    if ratio < WORTH_SAYING:
        return ""
    said = ", ".join(f"{rounded(value)} {unit} beside {name}" for name, value in found.items())
    return (
        f"The machine was not as fast all day: in cell {view.told.study.objective.cell} the "
        f"baseline itself had {said}. Compare what each variant gains over the baseline beside it, "
        "not the variants' own figures."
    )
