"""The one reason of a decision, in words for somebody who has never seen a gate.

What the gates themselves said stands beside it, word for word.

Example: a gate `tool-calling` that FAILs with 16.5 points lost, at least 13.1, margin 5, reads
"It gives worse answers: choosing the right tool call (tool-calling) lost 16.5 points, at least
13.1; 5 are allowed."
"""

import re
from collections.abc import Callable

from evals.gates.decision import Decision
from evals.gates.verdict import Verdict
from evals.study import Study
from reports.words.numbers import measure, rounded
from reports.words.plain_words import cell_words, figure_words, suite_words

LOOKS = {  # stage of a check, or its name where that says more -> what its failure means
    "plan": "It cannot run here",
    "build": "It could not be built",
    "audit": "Its files are not what their label says",
    "identity": "Its server does not answer as these weights do",
    "coherence": "What it writes is no language",
    "pace": "It is too slow to be measured",
    "isolation": "It could not be measured by itself",
    "engine": "Its engine failed",
}
PLACE = re.compile(r"\S*(?:://|(?<![\w.])/)\S+\s*")  # an address or a path: no reason
MOST_WORDS = 120  # characters of a look's own words; all of them stand in "Refused and failed"
DISTANCES = {
    "mean_kl": "its probabilities differ by a mean KL of",
    "top1_agreement": "its first choice of a word agrees in a share of",
    "perplexity_ratio": "its surprise at plain text is that of the baseline times",
    "nonfinite": "numbers missing from its output:",
}
POINTS = "share of items"
OPEN = (
    "paired_accuracy", "pooled_accuracy", "cliff", "paired_odds", "no_worse", "attainment",
    "benefit",
)  # fmt: skip  # kinds whose bounds can lie on both sides of a limit


def plain_reason(decision: Decision, study: Study) -> str:
    """Say why a variant was decided as it was."""
    verdict = deciding(decision)
    if verdict is None:
        return decision.reason[:1].upper() + decision.reason[1:]
    if decision.outcome == "PROMOTE":
        return f"It passed every gate, and it is better: {_benefit(verdict, study)}."
    if decision.outcome == "HOLD":
        return _open(verdict, study)
    return WORDS[verdict.kind](verdict, study)


def deciding(decision: Decision) -> Verdict | None:
    """Return the verdict that decided, if one did."""
    named = (one for one in decision.verdicts if one.gate == decision.deciding_gate)
    return next(named, None)


def _open(verdict: Verdict, study: Study) -> str:
    """Say what is not known; a HOLD is no fault."""
    if verdict.outcome == "NOT_APPLICABLE":
        return (
            f"Nobody can say what it loses in {suite_words(verdict.gate)}: the baseline itself is "
            "hardly better than chance there."
        )
    if verdict.kind == "check":
        return "One of the early looks could not be taken, so nothing after it counts yet."
    if verdict.estimate is None or verdict.kind not in OPEN:
        return f"Not known yet, for want of evidence: {verdict.reason}."
    if verdict.kind == "benefit":
        return f"Not known yet whether it is better by enough: {_benefit(verdict, study)}."
    verb, asked = ("reached", "needed") if verdict.kind == "attainment" else ("lost", "allowed")
    found, span = f"{_said(verdict.estimate, verdict)} {_unit(verdict)} {verb}", _span(verdict)
    if verb == "lost":
        found = _lost(verdict.estimate, verdict)
    return (
        f"Not known yet whether it is good enough in {_what(verdict, study)}: {found}, and "
        f"anything from {span} fits; {_said(verdict.margin, verdict)} are {asked}."
    )


def _span(verdict: Verdict) -> str:
    """Say both bounds, each as loss or gain where one of them is a gain."""
    ends = (verdict.lower, verdict.upper)
    has_gain = verdict.kind != "attainment" and any(end is not None and end < 0 for end in ends)
    return " to ".join((_lost if has_gain else _said)(end, verdict) for end in ends)


def _lost(value: float | None, verdict: Verdict) -> str:
    """Say a loss as a loss, and one below zero as the gain that it is."""
    if value is None:
        return "an unknown amount"
    verb = "gained" if value < 0 else "lost"
    return f"{_said(abs(value), verdict)} {_unit(verdict)} {verb}"


def _what(verdict: Verdict, study: Study) -> str:
    """Name what is judged: a suite, all of them, or a figure of a cell."""
    if verdict.kind == "pooled_accuracy":
        return "all suites together"
    is_suite = verdict.kind in ("paired_accuracy", "cliff", "paired_odds")
    return suite_words(verdict.gate) if is_suite else _where(verdict, study)


def _look(verdict: Verdict, study: Study) -> str:
    """Say what failed, and the gist of its own words."""
    row = next((one for one in verdict.details if one.outcome == verdict.outcome), None)
    names = (row.label if row else "", verdict.gate, verdict.metric or "")
    said = next((LOOKS[name] for name in names if name in LOOKS), "An early look failed")
    words = _gist(row.note if row else verdict.reason)
    return f"{said}: {words}." if words else f"{said}."


def _gist(words: str) -> str:
    """Keep the first clause, without addresses and paths.

    Example: "http://host/v1 gave no answer within 30 s; log /x/y.log" -> "gave no answer within
    30 s".
    """
    first = PLACE.sub("", words.partition(";")[0]).strip().rstrip(".")
    return first if len(first) <= MOST_WORDS else f"{first[:MOST_WORDS].rstrip()} …"


def _distance(verdict: Verdict, study: Study) -> str:
    found = measure(verdict.estimate, "nats" if verdict.metric == "mean_kl" else "").text
    limit = measure(verdict.margin, "").text
    said = DISTANCES.get(verdict.metric or "", f"{verdict.metric or verdict.gate} is")
    return f"It predicts other words than the baseline: {said} {found}, the limit is {limit}."


def _worse_answers(verdict: Verdict, study: Study) -> str:
    least = f", at least {_said(verdict.lower, verdict)}" if verdict.lower is not None else ""
    return (
        f"It gives worse answers: {_what(verdict, study)} lost {_said(verdict.estimate, verdict)} "
        f"{_unit(verdict)}{least}; {_said(verdict.margin, verdict)} are allowed."
    )


def _slower(verdict: Verdict, study: Study) -> str:
    least = f", at least {_said(verdict.lower, verdict)} %" if verdict.lower is not None else ""
    return (
        f"It is worse than the baseline in {_where(verdict, study)}: by "
        f"{_said(verdict.estimate, verdict)} %{least}; {_said(verdict.margin, verdict)} % are "
        "allowed."
    )


def _late(verdict: Verdict, study: Study) -> str:
    return (
        f"Too few requests are answered in time: {_said(verdict.estimate, verdict)} %, at most "
        f"{_said(verdict.upper, verdict)} %; {_said(verdict.margin, verdict)} % are needed."
    )


def _limit(verdict: Verdict, study: Study) -> str:
    found, limit = (measure(one, verdict.unit).text for one in (verdict.estimate, verdict.margin))
    return f"Its {figure_words(verdict.metric)} is {found}, the limit is {limit}."


def _no_benefit(verdict: Verdict, study: Study) -> str:
    return f"Nothing is gained by it: at best {_benefit(verdict, study)}."


def _newly_unsafe(verdict: Verdict, study: Study) -> str:
    suite = suite_words(verdict.gate)
    return f"In {suite} it fails requests that the baseline has right; not one may be."


def _benefit(verdict: Verdict, study: Study) -> str:
    asked = f"at least {_said(verdict.margin, verdict)} % is needed"
    gain = f"{figure_words(verdict.metric)} improved by {_said(verdict.estimate, verdict)} %"
    if verdict.estimate is None:
        return f"{figure_words(verdict.metric)} was not measured well enough, {asked}"
    if verdict.metric == "weight_bytes":
        share = _said(verdict.estimate, verdict)
        return f"its weights take {share} % less memory (counted, not sampled), {asked}"
    low, high = (_said(end, verdict) for end in (verdict.lower, verdict.upper))
    cell = next((row.label for row in verdict.details if row.estimate == verdict.estimate), "")
    where = f" in {cell_words(study, cell.rpartition(' in ')[2])}" if cell else ""
    return f"{gain} [{low}, {high}]{where}, {asked}"


def _where(verdict: Verdict, study: Study) -> str:
    """Name the figure, and the cell that decides: the one with the verdict's own numbers."""
    figures = (verdict.estimate, verdict.upper)
    rows = (row for row in verdict.details if (row.estimate, row.upper) == figures)
    row = next(rows, None)
    cell = f" in cell {cell_words(study, row.label)}" if row else ""
    return f"{figure_words(verdict.metric)}{cell}"


def _said(value: float | None, verdict: Verdict) -> str:
    """Say a share in hundredths, and other figures as they are."""
    if value is None:
        return "an unknown amount"
    return rounded(value if verdict.unit == "nats" else 100 * value)


def _unit(verdict: Verdict) -> str:
    return {POINTS: "points", "nats": "nats"}.get(verdict.unit or "", "%")


WORDS: dict[str, Callable[[Verdict, Study], str]] = {
    "check": _look,
    "fidelity": _distance,
    "paired_accuracy": _worse_answers,
    "pooled_accuracy": _worse_answers,
    "cliff": _worse_answers,
    "paired_odds": _worse_answers,
    "canaries": _newly_unsafe,
    "no_worse": _slower,
    "attainment": _late,
    "limit": _limit,
    "benefit": _no_benefit,
}
