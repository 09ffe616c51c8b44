"""Numbers no trained model holds: NaN, infinities, scales not above zero, constant layers.

A scale of zero silences its whole channel; a NaN poisons every token after it.
"""

import numpy as np

from variants.audit.finding import AuditFinding, judge
from variants.audit.safetensors import Tensor, count_nonfinite, map_bytes, read_floats
from variants.audit.tensors import Linear

SCALES = ("_scale", "_scale_inv", "_global_scale")


def check_scales(tensors: dict[str, Tensor]) -> AuditFinding:
    """Read every scale: finite and above zero."""
    scales = [tensor for name, tensor in sorted(tensors.items()) if name.endswith(SCALES)]
    problems = [problem for tensor in scales if (problem := _scale_problem(tensor))]
    return judge(
        "scales",
        problems,
        f"{len(scales)} scale tensors are finite and above zero",
        num_scales=len(scales),
    )


def _scale_problem(tensor: Tensor) -> str:
    values = read_floats(tensor)
    if values is None:
        return f"{tensor.name} is {tensor.dtype}, which is no number format of scales"
    counts = {
        "NaN": int(np.isnan(values).sum()),
        "infinite": int(np.isinf(values).sum()),
        "zero": int((values == 0).sum()),
        "negative": int((values < 0).sum()),
    }
    seen = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    return f"{tensor.name} holds {seen} of {values.size}" if seen else ""


def check_finite(tensors: dict[str, Tensor]) -> AuditFinding:
    """Count NaN and infinities in every float tensor that is no scale."""
    counts = {
        name: count_nonfinite(tensor)
        for name, tensor in sorted(tensors.items())
        if not name.endswith(SCALES)
    }
    problems = [f"{name} holds {count} NaN or infinite" for name, count in counts.items() if count]
    return judge("finite", problems, f"{len(counts)} tensors hold no NaN and no infinity")


def check_constant(linears: tuple[Linear, ...]) -> AuditFinding:
    """Find linear layers whose stored bytes are all the same: zeroed, or never written."""
    stored = [one.parts.get("weight_packed") or one.parts.get("weight") for one in linears]
    problems = [
        f"{tensor.name} holds the one byte 0x{int(raw[0]):02x} throughout"
        for tensor in stored
        if tensor is not None and (raw := map_bytes(tensor)).size and raw.min() == raw.max()
    ]
    return judge("constant", problems, f"no layer of {len(linears)} is constant")
