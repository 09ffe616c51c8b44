"""One audit of an adapter: offline, from names, headers and its own small matrices, never a pickle.

Nothing is loaded by a framework. What cannot be read ends the audit at once with that finding.
"""

from dataclasses import dataclass
from pathlib import Path

from variants.adapters.checks import (
    check_change,
    check_fits,
    check_numbers,
    check_rank,
    check_targets,
)
from variants.adapters.files import SETTINGS, WEIGHTS, check_files
from variants.adapters.origin_checks import check_base, check_licence
from variants.adapters.pairs import Pair, read_pairs
from variants.adapters.settings import Settings, read_settings
from variants.audit.claims import read_label
from variants.audit.finding import AuditFinding, judge
from variants.audit.linears import Linear, list_linears
from variants.audit.tensors import read_config, read_tensors
from variants.errors import BuildError
from variants.specs.spec import Adapter


@dataclass(frozen=True, slots=True)
class Ground:
    """The base an adapter is offered to: its artifact's folder, address and digest."""

    folder: Path
    source: str = ""
    digest: str = ""


def audit_adapter(
    folder: Path, ground: Ground | None = None, adapter: Adapter | None = None
) -> tuple[AuditFinding, ...]:
    """Check an adapter by itself, and against the base where one is given."""
    files = check_files(folder)
    if not files.passed:
        return (files,)
    licence = check_licence(folder, adapter.licence if adapter else "")
    try:
        settings, pairs = read_settings(folder / SETTINGS), read_pairs(folder / WEIGHTS)
    except BuildError as problem:
        return (files, licence, judge("structure", [str(problem)], ""))
    told = f"{len(pairs)} pairs of matrices; settings, header and bytes agree"
    return (
        files,
        licence,
        judge("structure", [], told),
        *_check_itself(settings, pairs),
        *(_check_against(settings, pairs, ground, adapter) if ground else ()),
    )


def _check_itself(settings: Settings, pairs: tuple[Pair, ...]) -> tuple[AuditFinding, ...]:
    numbers = check_numbers(pairs)
    sound = (check_change(settings, pairs),) if numbers.passed else ()
    return (check_rank(settings, pairs), check_targets(settings, pairs), numbers, *sound)


def _check_against(
    settings: Settings, pairs: tuple[Pair, ...], ground: Ground, adapter: Adapter | None
) -> tuple[AuditFinding, ...]:
    base = check_base(settings, adapter, ground.source, ground.digest)
    try:
        return (base, check_fits(pairs, base_linears(ground.folder)))
    except BuildError as problem:
        return (base, judge("fits the base", [str(problem)], ""))


def base_linears(folder: Path) -> tuple[Linear, ...]:
    """List a base's linear layers, quantized or not.

    Raises:
        BuildError: its headers cannot be read.
    """
    return list_linears(read_tensors(folder), read_label(read_config(folder)))
