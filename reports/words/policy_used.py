"""The policy that the decisions were made under, to the letter."""

from evals.gates.policy import Policy, load_policy, policy_sha256
from reports.view import View
from variants.errors import StudyError


def policy_of(view: View) -> Policy | None:
    """Return the policy as the run wrote it down, or as it still is.

    None: nothing was judged, or the run wrote nothing down and the policy is gone or changed.
    """
    digests = {decision.policy_sha256 for decision in view.told.decisions}
    for policy in (view.told.policy, _present(view.told.study.policy)):
        if policy is not None and digests == {policy_sha256(policy)}:
            return policy
    return None


def risk_words(view: View) -> str:
    """Say how often chance lets a variant pass one gate that should stop it."""
    policy = policy_of(view)
    if policy is None:
        return "no more often than the policy's risk"
    return f"in about {100 * policy.alpha:g} of 100 runs at most"


def _present(name: str) -> Policy | None:
    try:
        return load_policy(name)
    except StudyError:
        return None
