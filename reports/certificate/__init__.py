"""What was qualified, bound by digests and signed: anybody can ask whether it still holds."""

from reports.certificate.changes import Present, changes
from reports.certificate.signed import read_signed, sign
from reports.certificate.statement import Qualification, Statement

__all__ = ["Present", "Qualification", "Statement", "changes", "read_signed", "sign"]
