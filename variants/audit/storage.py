"""Is each tensor of the data type that the label, or config.json, says?

Example: a label of 8-bit integers over tensors of F8_E4M3 has the right bits and the wrong numbers:
an engine that reads them as integers multiplies by noise.
"""

from collections.abc import Mapping

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, Numbers
from variants.audit.linears import PARTS, UNQUANTIZED, Linear
from variants.audit.numbers import is_scale
from variants.audit.safetensors import Tensor
from variants.audit.size import bits_problem

CONFIG_DTYPES = {"bfloat16": "BF16", "float16": "F16", "float32": "F32"}
# (number type, bits) -> the part and the data type that may hold the weights; compressed-tensors
# packs where activations are untouched, and stores bytes where they are not.
COMPRESSED: Mapping[tuple[str, int], tuple[tuple[str, str], ...]] = {
    ("int", 8): (("weight", "I8"), ("weight_packed", "I32")),
    ("float", 8): (("weight", "F8_E4M3"),),
    ("float", 4): (("weight_packed", "U8"),),
}
FOREIGN: Mapping[str, tuple[tuple[str, str], ...]] = {
    "gptq": (("qweight", "I32"),),
    "awq": (("qweight", "I32"),),
    "fp8": (("weight", "F8_E4M3"),),
}
PACKED = (("weight_packed", "I32"),)  # integers of any other width


def check_dtype(
    tensors: dict[str, Tensor],
    linears: tuple[Linear, ...],
    label: Label | None,
    config: Mapping[str, object],
) -> AuditFinding:
    """Compare quantized layers with the label, and everything else with config.json's dtype.

    A layer of another width than the label says is the bits' finding, and not told twice.
    """
    named = config.get("dtype") or config.get("torch_dtype")
    asked = CONFIG_DTYPES.get(str(named))
    parts = {part.name for one in linears if not one.is_plain for part in one.parts.values()}
    plain = [
        f"{name} is {tensor.dtype}, config.json says {named}"
        for name, tensor in sorted(tensors.items())
        if name not in parts and not _is_beside(name) and tensor.dtype != asked
    ]
    problems = [
        problem for one in linears if label is not None and (problem := _problem(one, label))
    ]
    praise = f"as the label says, and {asked} where nothing is quantized"
    return judge("dtype", problems + plain, praise, dtype=asked)


def _problem(one: Linear, label: Label) -> str:
    numbers = label.numbers_of(one.module)
    if numbers is None or one.is_plain or bits_problem(one, numbers):
        return ""
    allowed = stored_as(numbers, label.method)
    if any(part in one.parts and one.parts[part].dtype == dtype for part, dtype in allowed):
        return ""
    expected = " or ".join(f"{part} {dtype}" for part, dtype in allowed)
    return f"{one.module} has {one.held}, not {expected}: {numbers}"


def stored_as(numbers: Numbers, method: str) -> tuple[tuple[str, str], ...]:
    """Return the tensors, each a part and a data type, that may hold such weights."""
    if method in FOREIGN:
        return FOREIGN[method]
    return COMPRESSED.get((numbers.number_type, numbers.num_bits), PACKED)


def _is_beside(name: str) -> bool:
    """Scales have data types of their own."""
    part = name.rpartition(".")[2]
    return is_scale(name) or (part in PARTS and part != "weight") or part in ("k_zero_point",)


__all__ = ["UNQUANTIZED", "check_dtype", "stored_as"]
