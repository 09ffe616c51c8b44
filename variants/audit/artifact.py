"""One audit of an artifact: offline, on the CPU, from headers and small reads.

It asks whether the artifact is whole and is what its label says, before an engine loads it: loaders
fill what is missing with random weights and say nothing (design/verdicts.md, stage 1).
"""

from dataclasses import dataclass
from pathlib import Path

from variants.audit.companions import check_companions, check_unsafe
from variants.audit.coverage import (
    check_coverage,
    check_dtype,
    check_inventory,
    check_label,
    check_layers,
)
from variants.audit.finding import AuditFinding, judge
from variants.audit.label import Label, expect, read_label
from variants.audit.numbers import check_constant, check_finite, check_scales
from variants.audit.safetensors import Tensor
from variants.audit.size import check_bits
from variants.audit.tensors import Linear, list_linears, read_config, read_tensors
from variants.errors import BuildError
from variants.spec import Quantization


@dataclass(frozen=True, slots=True)
class Opened:
    """What the headers and config.json of an artifact say."""

    config: dict[str, object]
    label: Label | None
    tensors: dict[str, Tensor]
    linears: tuple[Linear, ...]


def audit_artifact(
    folder: Path, base_folder: Path | None, quantization: Quantization | None
) -> tuple[AuditFinding, ...]:
    """Check an artifact against the recipe that made it and the base it was made from.

    `quantization` None means that the recipe leaves the weights unquantized. Files that can run
    code, or that cannot be read, end the audit at once with that finding.
    """
    return _audit(folder, base_folder, expect(quantization), is_recipe_known=True)


def audit_by_label(folder: Path, base_folder: Path | None) -> tuple[AuditFinding, ...]:
    """Check an artifact whose recipe is not known against its own label."""
    return _audit(folder, base_folder, None, is_recipe_known=False)


def _audit(
    folder: Path, base_folder: Path | None, expected: Label | None, is_recipe_known: bool
) -> tuple[AuditFinding, ...]:
    unsafe = check_unsafe(folder)
    if not unsafe.passed:
        return (unsafe,)
    try:
        opened = open_artifact(folder)
    except BuildError as problem:
        return (unsafe, judge("structure", [str(problem)], ""))
    label = expected if is_recipe_known else opened.label
    return (
        unsafe,
        judge("structure", [], f"{len(opened.tensors)} tensors; index, headers and bytes agree"),
        check_label(opened.label, label, opened.linears),
        *_check_tensors(opened, label),
        *_check_against_base(opened, folder, base_folder),
    )


def open_artifact(folder: Path) -> Opened:
    """Read config.json and every header.

    Raises:
        BuildError: they cannot be read, or index, headers and bytes disagree.
    """
    config = read_config(folder)
    label, tensors = read_label(config), read_tensors(folder)
    return Opened(config, label, tensors, list_linears(tensors, label.num_bits if label else None))


def _check_tensors(opened: Opened, label: Label | None) -> tuple[AuditFinding, ...]:
    return (
        check_coverage(opened.linears, label),
        check_bits(opened.linears, label),
        check_dtype(opened.tensors, opened.linears, opened.config),
        check_scales(opened.tensors),
        check_finite(opened.tensors),
        check_constant(opened.linears),
    )


def _check_against_base(
    opened: Opened, folder: Path, base_folder: Path | None
) -> tuple[AuditFinding, ...]:
    if base_folder is None:
        return (check_layers(opened.tensors, opened.config),)
    try:
        base = read_tensors(base_folder)
        inventory = check_inventory(opened.tensors, opened.linears, base)
        return (inventory, *check_companions(folder, base_folder))
    except BuildError as problem:
        return (judge("base", [str(problem)], ""),)
