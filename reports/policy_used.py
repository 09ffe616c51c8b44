"""The policy that the decisions were made under, if it is still the same to the letter."""

from evals.gates.policy import Policy, load_policy, policy_sha256
from reports.view import View
from variants.errors import StudyError


def policy_of(view: View) -> Policy | None:
    """Return the policy; None: nothing was judged, it is gone, or it has changed since."""
    digests = {decision.policy_sha256 for decision in view.told.decisions}
    try:
        policy = load_policy(view.told.study.policy)
    except StudyError:
        return None
    return policy if digests == {policy_sha256(policy)} else None
