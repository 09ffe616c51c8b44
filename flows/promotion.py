"""A champion's way into its channel: moved, served, measured again; or put back."""

from collections.abc import Sequence

from prefect.transactions import transaction

from evals.gates import Decision, choose_champion
from reports.kept.entries import Promotion
from tasks.certify import certify
from tasks.promote import channel_key, confirm_champion, move_channel, record_promotion
from tasks.run import Run
from variants.errors import QualificationError
from variants.home import Home
from variants.kept.registry import Registry


def promote_champion(run: Run, decisions: Sequence[Decision]) -> Promotion | None:
    """Move the channel to the best of the variants that passed; None if none did."""
    name = choose_champion(decisions, run.study.objective)
    if name is None:
        return None
    champion = next(decision for decision in decisions if decision.variant == name)
    registry, key = Registry(run.home.channels), channel_key(run)
    try:
        with transaction():
            move_channel(run, champion)
            reason = confirm_champion(run, champion)
            promotion: Promotion = record_promotion(run, champion, "move", reason)
    except QualificationError as error:
        registry.recover(key)  # nothing to do where the transaction has put it back
        print(f"{name} is not promoted: {error}")
        rollback: Promotion = record_promotion(run, champion, "rollback", str(error))
        return rollback
    registry.confirm(key)
    certify(run)
    print(f"{name} is champion: {reason}")
    return promotion


def recover_channels(home: Home) -> None:
    """Put back what a killed run had moved without confirming it."""
    for key in Registry(home.channels).unconfirmed():
        if Registry(home.channels).recover(key):
            print(
                f"channel {key} was moved by a run that was killed before confirming it: put back"
            )
