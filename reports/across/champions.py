"""Channels: who is champion of each, and how it came to be, with the gain that it was moved for."""

from collections.abc import Sequence

from pydantic import ValidationError

from reports.across.linking import Links
from reports.across.past import PastRun, minute
from reports.blocks import Block, Column, Missing, Prose, Table, Value
from reports.content import Part
from reports.kept.entries import Promotion
from reports.words.numbers import NOT_ASKED, gain
from variants.errors import PromotionError
from variants.home import Home
from variants.kept.registry import Entry, Key, Registry

WORDS = {
    "move": "moved to",
    "confirm": "confirmed",
    "rollback": "put back, not",
    "undo": "moved back to",
    "force": "FORCED, past the gates:",
}
Move = tuple[Promotion, PastRun]


def champion_part(runs: Sequence[PastRun], links: Links) -> Part:
    """Tell every channel: its champion as the channel's file has it, then its moves."""
    moves = _moves(runs)
    channels = sorted(moves.keys() | {path.stem for path in links.home.channels.glob("*.json")})
    blocks: tuple[Block, ...] = tuple(
        block for name in channels for block in _channel(name, moves.get(name, []), links)
    )
    nobody = Missing("No channel has a champion: nothing was ever promoted in this home.")
    return Part("champions", "Champions", blocks or (nobody,))


def champions(home: Home) -> list[str]:
    """Name the variants that stand in channels now."""
    read = (_standing(home, path.stem) for path in sorted(home.channels.glob("*.json")))
    return [one.variant for one in read if isinstance(one, Entry)]


def _moves(runs: Sequence[PastRun]) -> dict[str, list[Move]]:
    """Gather the moves by channel, the newest first."""
    found: dict[str, list[Move]] = {}
    pairs = ((promotion, run) for run in runs for promotion in run.promotions)
    for promotion, run in sorted(pairs, key=lambda pair: pair[0].at, reverse=True):
        found.setdefault(promotion.channel, []).append((promotion, run))
    return found


def _channel(name: str, moves: Sequence[Move], links: Links) -> tuple[Block, ...]:
    standing = _standing(links.home, name)
    if isinstance(standing, Entry):
        said = (
            f"Channel {name}: champion is {standing.variant} (artifact {standing.artifact}) since "
            f"{minute(standing.at)}, from run {standing.run}."
        )
    else:
        said = f"Channel {name}: {standing}"
    if not moves:
        return (Prose(said), Missing(f"No move of channel {name} is among the evidence here."))
    return (Prose(said), _table(name, moves, links))


def _standing(home: Home, name: str) -> Entry | str:
    """Return who stands in a channel by its file, or why nobody can be named."""
    try:
        base, target, service_class = name.split("@")
        key = Key(base=base, target=target, service_class=service_class)
        channel = Registry(home.channels).read(key)
    except (PromotionError, ValidationError, ValueError) as error:
        return f"its file cannot be read: {error}"
    return channel.champion if channel else "nobody stands in it now."


def _table(name: str, moves: Sequence[Move], links: Links) -> Table:
    return Table(
        caption=f"Moves of channel {name}, the newest first, times in UTC. Gain: in the objective "
        "of the run that moved it, with 95 % bounds each side.",
        columns=(
            *map(Column, ("When", "What")),
            Column("Gain", "number"),
            *map(Column, ("Run", "Reason")),
        ),
        rows=tuple(_row(promotion, run, links) for promotion, run in moves),
    )


def _row(promotion: Promotion, run: PastRun, links: Links) -> tuple[Value, ...]:
    decision = run.decisions.get(promotion.variant)
    return (
        Value(minute(promotion.at)),
        Value(
            f"{WORDS[promotion.action]} {promotion.variant}",
            note=promotion.fingerprint,
            tone="fail" if promotion.action == "force" else "plain",
        ),
        gain(decision.gains[0]) if decision and decision.gains else NOT_ASKED,
        Value(run.name, link=links.report(run.name)),
        Value(promotion.reason),
    )
