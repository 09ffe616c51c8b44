"""Which gates of a policy a variant is asked.

Those of its class of change. The fidelity screen is not asked where both arms were shown to hold
the same weights: there is nothing to compare in process. Where they differ, or nobody knows, it is
asked, and a lossless variant with weights of its own is held to the limits of a lossless one.
"""

from evals.gates.kinds import Gate
from evals.gates.policy import Policy
from evals.results import Artifact, Evidence
from variants.kept.contents import weights_sha256


def asked_gates(policy: Policy, evidence: Evidence) -> list[Gate]:
    """Return the gates that apply to the variant."""
    is_same = holds_same_weights(evidence) and evidence.change_class == "lossless"
    return [
        gate
        for gate in policy.gates
        if evidence.change_class in gate.applies_to and not (is_same and gate.kind == "fidelity")
    ]


def holds_same_weights(evidence: Evidence) -> bool:
    """Whether both arms were built, of one and the same weights."""
    built = weights_built(evidence)
    return len(built) == 2 and built["variant"] == built["baseline"]


def weights_built(evidence: Evidence) -> dict[str, str]:
    """Digest of each arm's weight files, from its artifact record."""
    return {
        "variant" if record.variant == evidence.variant else "baseline": digest
        for record in evidence.records
        if isinstance(record.payload, Artifact)
        and (digest := weights_sha256(record.payload.files)) is not None
    }
