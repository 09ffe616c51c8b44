"""The traffic that a study declares, and whether calibration data is like it.

Example: cells of 96, 96 and 384 tokens, one of three asking for tool calls, declare a median of 96
tokens and a tool share of 1/3. No study says in which language its users write.
"""

from statistics import median, quantiles

from evals.results import Check
from evals.workload.workload import Workload
from variants.calibration import CalibrationUse, Traffic, compare

LIKENESS = "calibration-likeness"


def traffic_of(workload: Workload) -> Traffic:
    """Return what a workload's judged cells declare; each counts once."""
    cells = [cell for cell in workload.cells if cell.judged]
    lengths = [workload.input_of(cell) for cell in cells]
    return Traffic(
        median_tokens=median(lengths) if lengths else None,
        p90_tokens=quantiles(lengths, n=10, method="inclusive")[-1] if len(lengths) > 1 else None,
        tool_share=sum(cell.asks == "tool-call" for cell in cells) / len(cells) if cells else None,
    )


def likeness_check(used: CalibrationUse | None, traffic: Traffic) -> Check:
    """Tell how calibration data differs from the traffic; it fails no variant, its damage does."""
    if used is None:
        told = "the artifact was built before calibration data was described; build it again"
        return Check(stage="audit", name=LIKENESS, passed=True, reason=told)
    seen, unlike = used.likeness, compare(used.likeness, traffic)
    told = f"set {used.corpus} is like the declared traffic in all that was declared"
    if unlike:
        told = (
            f"set {used.corpus} is unlike the declared traffic: {'; '.join(unlike)}; calibrate on "
            "your own requests: calibration: file:///PATH.jsonl#sha256=DIGEST"
        )
    values: dict[str, float | str | None] = {
        **{name: value for name, value in seen.model_dump().items() if name != "num_requests"},
        "traffic_median_tokens": traffic.median_tokens,
        "traffic_p90_tokens": traffic.p90_tokens,
        "traffic_tool_share": traffic.tool_share,
    }
    return Check(stage="audit", name=LIKENESS, passed=True, reason=told, values=values)
