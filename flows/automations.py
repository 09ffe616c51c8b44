"""What Prefect does by itself: a lapsed certificate is requalified, a rejection is passed on.

A rejection goes to the notification block named `touchstone` (Slack, e-mail, any other) where the
team has made one; without it the event stands in the server's feed and nothing else is done.

`python -m flows.automations` makes both on the server that PREFECT_API_URL names.
"""

from uuid import UUID

from prefect.automations import Automation
from prefect.client.orchestration import get_client
from prefect.events.actions import DoNothing, RunDeployment, SendNotification
from prefect.events.schemas.automations import EventTrigger, Posture

from tasks.announce import LAPSED, REJECTED

DEPLOYMENT = "requalify/requalify"
BLOCK = "touchstone"
REQUALIFY = "touchstone: requalify what has lapsed"
PASS_ON = "touchstone: pass a rejection on"
BODY = "{{ event.payload.variant }} of run {{ event.payload.run }}: {{ event.payload.reason }}"


def make_automations() -> list[str]:
    """Make both, in place of earlier ones of these names; return what each does."""
    with get_client(sync_client=True) as client:
        deployment = client.read_deployment_by_name(DEPLOYMENT).id
        block = next((one.id for one in client.read_block_documents() if one.name == BLOCK), None)
        for name in (REQUALIFY, PASS_ON):
            for old in client.read_automations_by_name(name):
                client.delete_automation(old.id)
    requalify = RunDeployment(source="selected", deployment_id=deployment)
    _on(LAPSED, "touchstone.channel.*", REQUALIFY, requalify)
    _on(REJECTED, "touchstone.variant.*", PASS_ON, _passing_on(block))
    told = f"to block {BLOCK}" if block else f"to nobody: make a notification block {BLOCK!r}"
    return [REQUALIFY, f"{PASS_ON} ({told})"]


def _passing_on(block: UUID | None) -> SendNotification | DoNothing:
    if block is None:
        return DoNothing()
    return SendNotification(block_document_id=block, subject="Touchstone rejected", body=BODY)


def _on(
    event: str, resource: str, name: str, action: RunDeployment | SendNotification | DoNothing
) -> None:
    trigger = EventTrigger(
        expect={event}, match={"prefect.resource.id": resource}, posture=Posture.Reactive,
        threshold=1,
    )  # fmt: skip
    Automation(name=name, trigger=trigger, actions=[action]).create()


if __name__ == "__main__":
    for made in make_automations():
        print(f"automation {made}")
