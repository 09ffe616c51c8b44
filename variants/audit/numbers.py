"""Numbers no trained model holds: NaN, infinities, layers that are one byte throughout.

A NaN poisons every token after it; a constant layer was zeroed, or never written.
"""

from variants.audit.finding import AuditFinding, judge
from variants.audit.linears import Linear
from variants.audit.safetensors import Tensor
from variants.audit.scan import Scan, scan

# Of the weights, of activations, of the whole tensor; `scales` is GPTQ's and AWQ's.
SCALES = ("_scale", "_scale_inv", "_global_scale", ".scales")


def is_scale(name: str) -> bool:
    """Whether a tensor multiplies others."""
    return name.endswith(SCALES)


def scan_weights(tensors: dict[str, Tensor]) -> dict[str, Scan]:
    """Read everything that is no scale, once."""
    return scan(tensor for name, tensor in tensors.items() if not is_scale(name))


def check_finite(scans: dict[str, Scan]) -> AuditFinding:
    """Count NaN and infinities in every float tensor that is no scale."""
    problems = [
        f"{name} holds {one.num_nonfinite:,} NaN or infinite"
        for name, one in sorted(scans.items())
        if one.num_nonfinite
    ]
    num_read = sum(one.num_read for one in scans.values())
    praise = f"{len(scans)} tensors hold no NaN and no infinity"
    return judge("finite", problems, praise, num_bytes_read=num_read)


def check_constant(linears: tuple[Linear, ...], scans: dict[str, Scan]) -> AuditFinding:
    """Find linear layers whose stored bytes are all the same."""
    problems = [
        f"{one.weight.name} holds the one byte 0x{byte:02x} throughout"
        for one in linears
        if (byte := scans[one.weight.name].constant) is not None
    ]
    return judge("constant", problems, f"no layer of {len(linears)} is constant")
