"""The kinds of gate a policy may hold: what each asks, with its limits.

To add a kind: a class in this package, one line in `gate.Gate`, a judge in `evals.gates.judges`
with its line in `evals.gates.judging.JUDGES`, what it reads in `evals.gates.reading.READS`, and its
sentence in `evals.gates.explain`.
"""

from evals.gates.kinds.accuracy import (
    AccuracyGate,
    CliffGate,
    PairedAccuracyGate,
    PooledAccuracyGate,
    SuiteGate,
)
from evals.gates.kinds.base import BaseGate, CellChoice, Tier
from evals.gates.kinds.gate import Gate, stage_of
from evals.gates.kinds.performance import (
    AttainmentGate,
    BenefitGate,
    BenefitOption,
    LimitGate,
    NoWorseGate,
)
from evals.gates.kinds.screens import CheckGate, CheckStage, FidelityGate, FidelityLimit

__all__ = [
    "AccuracyGate",
    "AttainmentGate",
    "BaseGate",
    "BenefitGate",
    "BenefitOption",
    "CellChoice",
    "CheckGate",
    "CheckStage",
    "CliffGate",
    "FidelityGate",
    "FidelityLimit",
    "Gate",
    "LimitGate",
    "NoWorseGate",
    "PairedAccuracyGate",
    "PooledAccuracyGate",
    "SuiteGate",
    "Tier",
    "stage_of",
]
