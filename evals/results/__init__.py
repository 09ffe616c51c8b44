"""What a measurement returns: plain frozen records, with None for what was not measured.

Everything that crosses from a measurement to the ledger, the gates and the report is one of these
payloads inside a `Record`. A record is written once, named by its digest, and never changed.
"""

from evals.results.base import Arm, Result
from evals.results.performance import (
    Cell,
    Compilation,
    EffectiveConfig,
    Memory,
    Outcome,
    Speculated,
    StartUp,
    TenantUse,
    Trace,
)
from evals.results.quality import (
    REFUSED,
    WHY_STOPPED,
    Fidelity,
    FidelityBucket,
    FidelityFigure,
    FidelitySlice,
    Path,
    Sample,
    Stop,
    SuiteArm,
    SuiteResult,
)
from evals.results.record import (
    Artifact,
    Binding,
    Check,
    Evidence,
    ModelClass,
    Payload,
    Record,
)

__all__ = [
    "REFUSED",
    "WHY_STOPPED",
    "Arm",
    "Artifact",
    "Binding",
    "Cell",
    "Check",
    "Compilation",
    "EffectiveConfig",
    "Evidence",
    "Fidelity",
    "FidelityBucket",
    "FidelityFigure",
    "FidelitySlice",
    "Memory",
    "ModelClass",
    "Outcome",
    "Path",
    "Payload",
    "Record",
    "Result",
    "Sample",
    "Speculated",
    "StartUp",
    "Stop",
    "SuiteArm",
    "SuiteResult",
    "TenantUse",
    "Trace",
]
