"""Any gate, told apart by its kind, and the stage whose evidence it reads."""

from typing import Annotated

from pydantic import Field

from evals.gates.kinds.accuracy import (
    AccuracyGate,
    CliffGate,
    PairedAccuracyGate,
    PooledAccuracyGate,
)
from evals.gates.kinds.base import BaseGate
from evals.gates.kinds.performance import AttainmentGate, BenefitGate, LimitGate, NoWorseGate
from evals.gates.kinds.screens import CheckGate, FidelityGate

Gate = Annotated[
    CheckGate
    | FidelityGate
    | PairedAccuracyGate
    | PooledAccuracyGate
    | CliffGate
    | NoWorseGate
    | LimitGate
    | AttainmentGate
    | BenefitGate,
    Field(discriminator="kind"),
]


def stage_of(gate: BaseGate) -> str:
    """Name the stage whose evidence a gate reads."""
    if isinstance(gate, CheckGate):
        return gate.stage
    if isinstance(gate, FidelityGate):
        return "fidelity"
    return "tasks" if isinstance(gate, AccuracyGate) else "performance"
