"""Every study with its runs, the newest first: a column per variant, a link per report."""

from collections.abc import Sequence
from itertools import count

from reports.across.linking import Links
from reports.across.past import PastRun, minute
from reports.across.trend import trend_blocks
from reports.blocks import Block, Column, Prose, Table, Value
from reports.content import Part
from reports.words.numbers import NOT_ASKED, TONES, gain

EXITS = {0: "promoted or confirmed", 10: "all rejected", 20: "on hold"}
FEW = 4  # variants whose table becomes cards on a phone; with more it scrolls


def by_study(runs: Sequence[PastRun]) -> dict[str, list[PastRun]]:
    """Group the runs, the study that ran last first."""
    grouped: dict[str, list[PastRun]] = {}
    for run in runs:
        grouped.setdefault(run.study_name, []).append(run)
    return grouped


def study_parts(runs: Sequence[PastRun], links: Links) -> tuple[Part, ...]:
    """Tell one section per study."""
    numbers = count(1)
    return tuple(
        Part(f"study-{next(numbers)}", f"Study {name}", _blocks(found, links))
        for name, found in by_study(runs).items()
    )


def _blocks(runs: Sequence[PastRun], links: Links) -> tuple[Block, ...]:
    problems = [f"{run.name}: {problem}" for run in runs for problem in run.problems]
    return (_table(runs, links), *trend_blocks(runs), *map(Prose, problems))


def variant_names(runs: Sequence[PastRun]) -> list[str]:
    """Name every variant that was decided on, in the order first met."""
    return list(dict.fromkeys(name for run in runs for name in run.decisions))


def _table(runs: Sequence[PastRun], links: Links) -> Table:
    names = variant_names(runs)
    return Table(
        caption="Runs, the newest first, times in UTC. Below each outcome: the gain in the study's "
        "objective with 95 % bounds each side.",
        columns=(
            *map(Column, ("Run", "Promoted", "How it ended")),
            *map(Column, names),
        ),
        rows=tuple(_row(run, names, links) for run in runs),
        is_stacked=len(names) <= FEW,
    )


def _row(run: PastRun, names: Sequence[str], links: Links) -> tuple[Value, ...]:
    promoted = run.promoted
    link = links.report(run.name)
    began = f"began {minute(run.began_at)}" if run.began_at else "beginning not recorded"
    return (
        Value(run.name, link=link, note=began if link else f"{began}; no report is written"),
        Value(promoted.variant, note=promoted.action) if promoted else Value("none", tone="muted"),
        _ended(run),
        *(_outcome(run, name) for name in names),
    )


def _ended(run: PastRun) -> Value:
    if run.problems:
        return Value("cannot be read in full", note="see below", tone="fail")
    if run.end is None:
        return Value("no end is recorded", tone="muted")
    how = EXITS.get(run.end.exit_code, f"error, exit code {run.end.exit_code}")
    return Value(how, note=minute(run.end.ended_at))


def _outcome(run: PastRun, name: str) -> Value:
    decision = run.decisions.get(name)
    if decision is None:
        return NOT_ASKED
    found = gain(decision.gains[0]) if decision.gains else None
    note = f"{found.text} {found.note}" if found else "gain not measured"
    return Value(
        decision.outcome,
        exact=found.exact if found else "",
        note=note,
        tone=TONES[decision.outcome],
        is_badge=True,
    )
