"""Offline checks of an artifact: bits, scales, coverage, companions, unsafe files."""

from variants.audit.artifact import audit_artifact, audit_by_label
from variants.audit.finding import AuditFinding
from variants.audit.size import effective_bits, weight_bytes

__all__ = ["AuditFinding", "audit_artifact", "audit_by_label", "effective_bits", "weight_bytes"]
