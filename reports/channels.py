"""Channels by hand: who stands in each, what happened, and the two moves that no run makes.

`python -m reports.channels list | history CHANNEL | undo CHANNEL | force CHANNEL RUN VARIANT`

`undo` puts back the champion before. `force` puts in what no gate has passed: it is for an
emergency, asks who answers for it and why, and is told in red wherever the channel is told.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

from evals.gates.decision import Decision
from evals.results import Artifact
from evals.study_file import variant_specs
from reports.across.past import minute, past_runs
from reports.kept.entries import Promotion
from reports.kept.recorder import Recorder
from reports.kept.run_files import decisions_of, study_of
from reports.ledger import Ledger
from variants.command import ended
from variants.errors import PromotionError
from variants.fingerprint import fingerprint, sha256_text
from variants.home import Home
from variants.kept.manifest import Manifest
from variants.kept.registry import Entry, Key, Registry
from variants.kept.store import Store


def main(arguments: Sequence[str] | None = None) -> int:
    """Show channels, or move one by hand. Exit codes: 0, 1 an error."""
    asked = _parser().parse_args(arguments)
    return ended(lambda: COMMANDS[asked.command](Home.from_environment(), asked), error_code=1)


def key_of(name: str) -> Key:
    """Read a channel's name.

    Raises:
        PromotionError: it is none.
    """
    parts = name.split("@")
    if len(parts) != 3:
        raise PromotionError(
            f"{name!r} is no channel; one is BASE@TARGET@SERVICE-CLASS, see `list`"
        )
    return Key(base=parts[0], target=parts[1], service_class=parts[2])


def undo(home: Home, key: Key, words: str, is_dry: bool) -> str:
    """Make the champion before the champion again.

    Raises:
        PromotionError: there is none before, or its artifact is not whole.
    """
    channel = Registry(home.channels).read(key)
    if channel is None or channel.previous is None:
        raise PromotionError(f"channel {key} has no champion before this one to go back to")
    back = channel.previous.model_copy(update={"at": _now()})
    _verified(home, back.artifact, back.variant)
    return _moved(home, key, back, ("undo", words), is_dry)


def force(home: Home, key: Key, which: tuple[str, str], words: str, is_dry: bool) -> str:
    """Make a run's variant the champion, whatever was decided.

    Raises:
        LedgerError: no such run.
        PromotionError: the run did not decide on the variant, or its artifact is not whole.
    """
    run, variant = which
    study_of(home, run)  # tells which runs there are, where this one is not
    decided = decisions_of(home, run)
    decision = decided.get(variant)
    if decision is None:
        known = ", ".join(decided) or "nothing"
        raise PromotionError(f"run {run} decided on {known}, not on {variant!r}")
    return _moved(home, key, _entry(home, decision), ("force", words), is_dry)


def _entry(home: Home, decision: Decision) -> Entry:
    study = study_of(home, decision.run)
    records = Recorder(Store(home.store), study, decision.run).records()
    built = [
        record.payload.fingerprint
        for _, record in records
        if record.variant == decision.variant and isinstance(record.payload, Artifact)
    ]
    if not built:
        raise PromotionError(f"{decision.variant} was never built in {decision.run}")
    manifest = _verified(home, built[-1], decision.variant)
    return Entry(
        variant=decision.variant,
        artifact=manifest.fingerprint,
        manifest_sha256=manifest.sha256,
        serving_fingerprint=fingerprint(variant_specs(study)[decision.variant].serving),
        decision_sha256=sha256_text(decision.model_dump_json()),
        policy_sha256=decision.policy_sha256,
        run=decision.run,
        at=_now(),
    )


def _verified(home: Home, artifact: str, variant: str) -> Manifest:
    manifest = Store(home.store).find(artifact)
    if manifest is None:
        problems = Store(home.store).verify(artifact)
        raise PromotionError(f"artifact {artifact} of {variant} is not whole: {problems[0]}")
    return manifest


def _moved(home: Home, key: Key, entry: Entry, why: tuple[str, str], is_dry: bool) -> str:
    """Move the channel, and file the move as evidence and in the ledger."""
    registry, (action, words) = Registry(home.channels), why
    channel = registry.read(key)
    before = channel.champion.variant if channel else "nobody"
    told = f"channel {key}: {entry.variant} of {entry.run} instead of {before} ({action}: {words})"
    if is_dry:
        return f"would move {told}"
    study = study_of(home, entry.run)
    promotion = Promotion.model_validate(
        {"study": study.name, "run": entry.run, "variant": entry.variant, "channel": str(key),
         "fingerprint": entry.artifact, "action": action, "at": entry.at, "reason": words}
    )  # fmt: skip
    registry.move(key, entry)
    registry.confirm(key)
    text = promotion.model_dump_json()
    Store(home.store).put_evidence(entry.run, entry.variant, "entry.promotion", text)
    with Ledger(home.ledger) as ledger:
        ledger.append_once(promotion)
    return f"moved {told}"


def _list(home: Home, asked: argparse.Namespace) -> int:
    for path in sorted(home.channels.glob("*.json")):
        channel = Registry(home.channels).read(key_of(path.stem))
        if channel is not None:
            before = channel.previous.variant if channel.previous else "nobody"
            print(
                f"{path.stem}: {channel.champion.variant} since {minute(channel.champion.at)} "
                f"(run {channel.champion.run}); before: {before}"
            )
    return 0


def _history(home: Home, asked: argparse.Namespace) -> int:
    key = str(key_of(asked.channel))
    moves = [move for run in past_runs(home) for move in run.promotions if move.channel == key]
    for move in sorted(moves, key=lambda move: move.at):
        print(f"{minute(move.at)}  {move.action:<8}  {move.variant}  {move.run}  {move.reason}")
    return 0


def _undo(home: Home, asked: argparse.Namespace) -> int:
    print(undo(home, key_of(asked.channel), f"{asked.who}: {asked.why}", asked.dry_run))
    return 0


def _force(home: Home, asked: argparse.Namespace) -> int:
    which = (asked.run, asked.variant)
    print(force(home, key_of(asked.channel), which, f"{asked.who}: {asked.why}", asked.dry_run))
    return 0


COMMANDS = {"list": _list, "history": _history, "undo": _undo, "force": _force}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reports.channels", description=main.__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="every channel, its champion and the one before")
    history = commands.add_parser("history", help="every move of a channel")
    back = commands.add_parser("undo", help="put back the champion before")
    forced = commands.add_parser("force", help="put in what no gate has passed; told in red")
    for one in (history, back, forced):
        one.add_argument("channel", help="BASE@TARGET@SERVICE-CLASS")
    forced.add_argument("run")
    forced.add_argument("variant")
    for one in (back, forced):
        one.add_argument("--who", required=True, help="who answers for it")
        one.add_argument("--why", required=True, help="in a sentence")
        one.add_argument("--dry-run", action="store_true", help="say what would be moved")
    return parser


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


if __name__ == "__main__":
    sys.exit(main())
