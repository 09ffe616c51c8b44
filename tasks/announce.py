"""Tell Prefect's automations what happened: something was rejected, a certificate lapsed.

An automation matches the event and the resource, and does what a team wants: a message, another
run. `flows.automations` makes two.
"""

from prefect.events import emit_event

from evals.gates import Decision
from tasks.show import softly

REJECTED = "touchstone.variant.rejected"
LAPSED = "touchstone.certificate.lapsed"


def announced(decision: Decision) -> dict[str, object]:
    """Return what an event says of a decision."""
    return {
        "study": decision.study,
        "run": decision.run,
        "variant": decision.variant,
        "gate": decision.deciding_gate,
        "reason": decision.reason,
    }


def announce(event: str, resource: str, **payload: object) -> None:
    """Emit an event about one resource; that nobody listens fails nothing."""
    about = {"prefect.resource.id": f"touchstone.{resource}", "prefect.resource.name": resource}
    softly(f"event {event}", lambda: emit_event(event=event, resource=about, payload=payload))
