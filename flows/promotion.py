"""A champion's way into its channel: moved, served, measured again; or put back."""

from collections.abc import Sequence

from prefect.transactions import transaction

from evals.gates import Decision, choose_champion
from reports.entries import Promotion
from tasks.promote import channel_key, confirm_champion, file_promotion, move_channel
from tasks.run import Run
from variants.errors import QualificationError
from variants.registry import Registry


def promote_champion(run: Run, decisions: Sequence[Decision]) -> Promotion | None:
    """Move the channel to the best of the variants that passed; None if none did."""
    if Registry(run.home.channels).recover(channel_key(run)):
        print("a run that was killed had moved the channel without confirming it: put back")
    name = choose_champion(decisions, run.study.objective)
    if name is None:
        return None
    champion = next(decision for decision in decisions if decision.variant == name)
    try:
        with transaction():
            move_channel(run, champion)
            reason = confirm_champion(run, champion)
        Registry(run.home.channels).confirm(channel_key(run))
    except QualificationError as error:
        print(f"{name} is not promoted: {error}")
        return file_promotion(run, champion, "rollback", str(error))
    print(f"{name} is champion: {reason}")
    return file_promotion(run, champion, "move", reason)
