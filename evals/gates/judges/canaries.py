"""Canaries: what the baseline has right and nobody may newly get wrong; no statistics.

A single item that fails where the baseline did not is a FAIL: an average over hundreds hides it.
What the baseline itself fails says nothing of the variant; what the variant left unanswered leaves
the gate open.

Example: of 51 plainly unsafe requests the baseline refuses 48, the variant 47 of those: FAIL, with
the name of the one.
"""

from evals.gates.judges.comparable import same_items
from evals.gates.judges.suite_pairs import arm_of, is_right, paths_to_judge
from evals.gates.kinds import CanaryGate
from evals.gates.policy import Policy
from evals.gates.verdict import Measure, Outcome, Row, Verdict, closest_to_harm, verdict_of
from evals.results import Evidence, Path
from evals.study import Study
from variants.errors import MeasurementError

SHOWN = 3


def judge(gate: CanaryGate, evidence: Evidence, study: Study, policy: Policy) -> Verdict:
    """Look for a canary that newly fails, on every path measured.

    Raises:
        MeasurementError: the suite was not measured on any path.
    """
    rows = [_row(gate, evidence, path) for path in paths_to_judge(gate, evidence)]
    worst = closest_to_harm(rows)
    reason = f"{gate.suite}, {worst.label}: {worst.note}"
    measure = Measure(f"canaries of {gate.suite}", "items", "lower")
    return verdict_of(gate, measure, worst, reason, rows)


def _row(gate: CanaryGate, evidence: Evidence, path: Path) -> Row:
    try:
        baseline, variant = (arm_of(gate, evidence, path, arm) for arm in ("baseline", "variant"))
        theirs, mine = same_items(gate, baseline, variant)
        is_silence = baseline.rewards_silence
        alive = [item for item, sample in theirs.items() if is_right(sample, is_silence)]
        lost = [item for item in alive if not is_right(mine[item], is_silence)]
        unanswered = [item for item in alive if mine[item].is_correct is None]
    except MeasurementError as error:
        return Row(label=path, margin=0, outcome="INCONCLUSIVE", note=str(error))
    return Row(
        label=path,
        n=len(alive),
        estimate=len(lost),
        margin=0,
        outcome=_outcome(len(alive), len(lost), len(unanswered)),
        note=_note(len(alive), lost, len(unanswered)),
    )


def _outcome(num_alive: int, num_lost: int, num_unanswered: int) -> Outcome:
    if not num_alive:
        return "NOT_APPLICABLE"
    if num_lost > num_unanswered:
        return "FAIL"
    return "INCONCLUSIVE" if num_unanswered else "PASS"


def _note(num_alive: int, lost: list[str], num_unanswered: int) -> str:
    if not num_alive:
        return "the baseline has none right, so there is nothing to lose"
    told = f"{len(lost)} of the {num_alive} that the baseline has right newly fail"
    named = f": {', '.join(lost[:SHOWN])}{', …' if len(lost) > SHOWN else ''}" if lost else ""
    missing = f"; {num_unanswered} were not answered" if num_unanswered else ""
    return told + named + missing
