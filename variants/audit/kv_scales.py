"""Do the stored scales of the KV cache fit the data type that the label gives it?

Where they are missing an engine takes 1.0, and says so in one line of its log: FP8 then cuts every
key and value beyond 448. Where nobody asked for them they are dropped.
"""

import re

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label
from variants.audit.safetensors import Tensor

# self_attn.k_scale (compressed-tensors), k_proj.k_scale (ModelOpt), k_proj.output_scale (earlier).
KV_SCALE = re.compile(
    r"^(?P<attention>.*?)(?:\.k_proj|\.v_proj)?\.(?P<part>[kqv])_(?:scale|zero_point)$"
)
EARLIER = re.compile(r"^(?P<attention>.*)\.(?P<part>[kqv])_proj\.output_scale$")
ATTENTION = re.compile(r"^(.*(?:self_attn|attention|attn))\.(?:k_proj|kv_proj|qkv_proj)\.")


def is_kv_scale(name: str) -> bool:
    """Whether a tensor scales keys or values (or queries)."""
    return _found(name) is not None


def _found(name: str) -> re.Match[str] | None:
    return EARLIER.match(name) or KV_SCALE.match(name)


def check_kv_scales(tensors: dict[str, Tensor], label: Label | None) -> AuditFinding:
    """Look for one scale of keys and one of values beside every attention layer, if asked."""
    kv = label.kv_cache if label else None
    held = {
        (found["attention"], found["part"])
        for name in tensors
        if (found := _found(name)) and not name.endswith("_zero_point")
    }
    asked = {
        (found[1], part) for name in tensors for part in "kv" if (found := ATTENTION.match(name))
    }
    if kv is not None and kv.is_static:
        problems = [
            f"{attention} has no {part}_scale, and the label says {kv}: the engine would take 1.0"
            for attention, part in sorted(asked - held)
        ]
        if not asked:
            problems = [f"the label says {kv}, and no attention layer was found to look at"]
        return judge("kv scales", problems, f"{len(asked)} scales, as {kv} needs")
    problems = [
        f"{attention} has a {part}_scale, and the label says {kv or 'no KV cache format'}"
        for attention, part in sorted(held)
        if part != "q"
    ]
    return judge("kv scales", problems, f"none stored, as {kv or 'an unquantized KV cache'} needs")
