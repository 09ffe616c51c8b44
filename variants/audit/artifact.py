"""One audit of an artifact: offline, on the CPU, from headers and one reading of the bytes.

It asks whether the artifact is whole and is what its label says, before an engine loads it: loaders
fill what is missing with random weights and say nothing (design/verdicts.md, stage 1).
"""

from dataclasses import dataclass
from pathlib import Path

from variants.audit.claims import read_label
from variants.audit.companions import check_companions
from variants.audit.coverage import check_coverage, check_label
from variants.audit.expected import expect
from variants.audit.finding import AuditFinding, judge
from variants.audit.inventory import check_blocks, check_inventory
from variants.audit.kv_scales import check_kv_scales
from variants.audit.label import Label
from variants.audit.linears import Linear, list_linears
from variants.audit.names import check_name, name_of
from variants.audit.numbers import check_constant, check_finite, scan_weights
from variants.audit.origin import check_kinship, check_named_base
from variants.audit.patterns import check_patterns
from variants.audit.safetensors import Tensor
from variants.audit.scales import check_scales
from variants.audit.size import check_bits
from variants.audit.storage import check_dtype
from variants.audit.templates import check_template_safety
from variants.audit.tensors import read_config, read_tensors
from variants.audit.tied import check_tied, may_share_head
from variants.audit.tokenizing import check_probe
from variants.audit.unsafe import check_unsafe
from variants.errors import BuildError
from variants.specs.spec import KvCache, Quantization


@dataclass(frozen=True, slots=True)
class Opened:
    """What the headers and config.json of an artifact say."""

    folder: Path
    config: dict[str, object]
    label: Label | None
    tensors: dict[str, Tensor]
    linears: tuple[Linear, ...]


def audit_artifact(
    folder: Path,
    base_folder: Path | None,
    quantization: Quantization | None,
    kv_cache: KvCache | None = None,
) -> tuple[AuditFinding, ...]:
    """Check an artifact against the recipe that made it and the base it was made from.

    `quantization` None means that the recipe leaves the weights unquantized. Files that can run
    code, or that cannot be read, end the audit at once with that finding.
    """
    return _audit(folder, base_folder, expect(quantization, kv_cache), is_recipe_known=True)


def audit_by_label(folder: Path, base_folder: Path | None) -> tuple[AuditFinding, ...]:
    """Check an artifact whose recipe is not known against its own label."""
    return _audit(folder, base_folder, None, is_recipe_known=False)


def audit_origin(
    folder: Path, base_folder: Path, base_source: str, source: str
) -> tuple[AuditFinding, ...]:
    """Check whether a checkpoint from `source` is made of the study's base, and well named."""
    try:
        return (
            check_named_base(folder, base_source),
            check_name(source, read_label(read_config(folder))),
            check_kinship(read_tensors(folder), read_tensors(base_folder)),
        )
    except BuildError as problem:
        return (judge("kinship", [str(problem)], ""),)


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
    base, trouble = _open_base(base_folder)
    label = _judged_by(opened, expected) if is_recipe_known else opened.label
    return (
        unsafe,
        judge("structure", [], f"{len(opened.tensors)} tensors; index, headers and bytes agree"),
        check_label(opened.label, expected if is_recipe_known else opened.label, opened.linears),
        *([] if is_recipe_known else [check_name(name_of(folder), opened.label)]),
        _check_both_patterns(opened, expected),
        *_check_tensors(opened, label),
        check_tied(opened.tensors, opened.config, base),
        check_template_safety(folder),
        *(trouble or _check_against_base(opened, base_folder, base)),
    )


def _open_base(
    folder: Path | None,
) -> tuple[dict[str, Tensor] | None, tuple[AuditFinding, ...]]:
    """Read the base's headers; what is wrong with them is told as the base's."""
    if folder is None:
        return None, ()
    try:
        return read_tensors(folder), ()
    except BuildError as problem:
        return None, (judge("base", [str(problem)], ""),)


def open_artifact(folder: Path) -> Opened:
    """Read config.json and every header.

    Raises:
        BuildError: they cannot be read, or index, headers and bytes disagree.
    """
    config = read_config(folder)
    tensors = read_tensors(folder)
    label = read_label(config)
    return Opened(folder, config, label, tensors, list_linears(tensors, label))


def _judged_by(opened: Opened, expected: Label | None) -> Label | None:
    """Judge tensors by their own label where the recipe asks the same: it tells storage too."""
    is_met = check_label(opened.label, expected, opened.linears).passed
    return opened.label if is_met else expected


def _check_both_patterns(opened: Opened, expected: Label | None) -> AuditFinding:
    """Look at the patterns of config.json, then at the recipe's own: a builder resolves those."""
    tensors, tied = tuple(opened.tensors.values()), may_share_head(opened.config)
    seen = check_patterns(opened.label, opened.linears, tensors, tied)
    if expected is None or opened.label is None or not seen.passed:
        return seen
    asked = check_patterns(expected, opened.linears, tensors, tied)
    return seen if asked.passed else asked


def _check_tensors(opened: Opened, label: Label | None) -> tuple[AuditFinding, ...]:
    scans = scan_weights(opened.tensors)
    return (
        check_coverage(opened.linears, label, opened.tensors),
        check_bits(opened.linears, label, opened.tensors),
        check_dtype(opened.tensors, opened.linears, label, opened.config),
        check_scales(opened.tensors, opened.linears, label),
        check_kv_scales(opened.tensors, label),
        check_finite(scans),
        check_constant(opened.linears, scans),
    )


def _check_against_base(
    opened: Opened, base_folder: Path | None, base: dict[str, Tensor] | None
) -> tuple[AuditFinding, ...]:
    if base_folder is None or base is None:
        return (check_blocks(opened.tensors, opened.config),)
    try:
        inventory = check_inventory(opened.tensors, opened.linears, base)
        companions = check_companions(opened.folder, base_folder)
        return (inventory, *companions, check_probe(opened.folder, base_folder))
    except BuildError as problem:
        return (judge("base", [str(problem)], ""),)
