"""Does the name of a checkpoint promise what its label says?

People choose by names. Example: Llama-3.1-8B-Instruct-FP8 promises 8-bit floats; without a label in
config.json it is served in bf16, and nobody is told.
"""

import re
from pathlib import Path

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, NumberType

# part of a name -> bits of the weights, and their type where the name tells it
PROMISES: tuple[tuple[str, int, NumberType | None], ...] = (
    (r"(nv|mx)?fp4", 4, "float"),
    (r"(mx)?fp8|f8|w8a8[-_.]fp8", 8, "float"),
    (r"int8|w8a8|w8a16", 8, "int"),
    (r"int4|w4a16|w4a8|awq|gptq[-_.]int4", 4, "int"),
    (r"[48][-_]?bit|gptq", 0, None),
)


def name_of(folder: Path) -> str:
    """Return a folder's name; in a hub's cache the model's, which stands two folders above."""
    is_revision = folder.parent.name == "snapshots"
    return (folder.parent.parent if is_revision else folder).name


def check_name(name: str, label: Label | None) -> AuditFinding:
    """Compare what a name promises with the label; the first promise found counts."""
    last = name.partition("@")[0].rstrip("/").rpartition("/")[2].lower()
    promised = next(
        (
            (found[0], bits, kind)
            for pattern, bits, kind in PROMISES
            if (found := re.search(rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])", last))
        ),
        None,
    )
    if promised is None:
        return judge("name", [], "the name promises no number format")
    told = f"the name says {promised[0]!r}, config.json {label or 'unquantized'}"
    return judge("name", [] if _is_kept(promised[1], promised[2], label) else [told], told)


def _is_kept(bits: int, kind: NumberType | None, label: Label | None) -> bool:
    if label is None:
        return False
    return any(
        bits in (0, group.numbers.num_bits) and kind in (None, group.numbers.number_type)
        for group in label.groups
    )
