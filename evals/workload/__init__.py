"""What is sent: arrivals, prompts and callers of each cell, all drawn from one seed beforehand."""

from evals.workload.cell import CellSpec
from evals.workload.slo import Slo
from evals.workload.workload import Workload

__all__ = ["CellSpec", "Slo", "Workload"]
