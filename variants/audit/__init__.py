"""Offline checks of an artifact: bits, scales, coverage, companions, unsafe files."""

from variants.audit.artifact import audit_artifact, audit_by_label, audit_origin
from variants.audit.finding import AuditFinding
from variants.audit.size import effective_bits, weight_bytes

__all__ = [
    "AuditFinding",
    "audit_artifact",
    "audit_by_label",
    "audit_origin",
    "effective_bits",
    "weight_bytes",
]
