"""Apply a packaged adapter to a model in process, unmerged, as an engine does (adapter over torch).

Each layer's output gains scaling * B (A x); the layer itself stays as it is, in whatever number
format it is stored, so the same lines serve a quantized base.

Merged and unmerged agree in fp32 up to its rounding. Half a unit is 6e-8; a sum of 1,536 products
errs by about sqrt(1,536) = 39 times that, 2.3e-6; through 30 blocks of 7 layers the errors add as
sqrt(210) = 14.5, so 3.4e-5 of a logit; of a logit near 32 that is 1.1e-3 nats.
"""

from pathlib import Path
from typing import Any

import torch

from variants.adapters.files import SETTINGS, WEIGHTS
from variants.adapters.pairs import Pair, matrix, read_pairs
from variants.adapters.settings import read_settings
from variants.errors import MeasurementError

MERGE_TOLERANCE_NATS = 1.1e-3  # of a log-probability, fp32


def apply_adapter(model: torch.nn.Module, folder: Path) -> None:
    """Add an adapter to a loaded model.

    Raises:
        MeasurementError: the model has not got one of its layers.
    """
    settings = read_settings(folder / SETTINGS)
    modules = dict(model.named_modules())
    for pair in read_pairs(folder / WEIGHTS):
        if pair.module not in modules:
            raise MeasurementError(f"the model has no {pair.module}; audit the adapter first")
        module = modules[pair.module]
        module.register_forward_hook(_change(pair, settings.scaling(pair.module)))


def _change(pair: Pair, scaling: float) -> Any:
    down_RI = torch.from_numpy(matrix(pair.down))
    up_OR = torch.from_numpy(matrix(pair.up)) * scaling
    kept: dict[torch.dtype, tuple[torch.Tensor, torch.Tensor]] = {}

    def hook(_: torch.nn.Module, given: tuple[torch.Tensor], output_BTO: torch.Tensor) -> Any:
        dtype = output_BTO.dtype
        if dtype not in kept:
            kept[dtype] = down_RI.to(dtype), up_OR.to(dtype)
        down, up = kept[dtype]
        return output_BTO + (given[0].to(dtype) @ down.T) @ up.T

    return hook
