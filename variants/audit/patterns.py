"""Does every target and every exception of the label match a layer?

A pattern with a typing error matches nothing, and nobody says so: the layers it was meant for are
served unquantized, or quantized although they were to be left out.
"""

from collections.abc import Iterable

from variants.audit.finding import AuditFinding, judge
from variants.audit.label import ANY_LINEAR, PATTERN, Label, matches
from variants.audit.linears import Linear
from variants.audit.safetensors import Tensor

HEAD = "lm_head"


def check_patterns(
    label: Label | None, linears: tuple[Linear, ...], tensors: Iterable[Tensor], is_tied: bool
) -> AuditFinding:
    """Look for what each pattern of a label matches; a tied output head exists without tensors."""
    if label is None:
        return judge("patterns", [], "no label, no pattern")
    modules = _modules(tensors) | ({HEAD} if is_tied else set())
    targets = [target for group in label.groups for target in group.targets]
    unmatched = [f"target {one!r}" for one in targets if not _is_met(one, modules, linears)]
    unmatched += [
        f"exception {one!r}"
        for one in label.ignore
        if not any(matches(one, module) for module in modules)
    ]
    problems = [f"{one} matches no layer; correct or remove it" for one in unmatched]
    num_covered = sum(label.numbers_of(one.module) is not None for one in linears)
    if not problems and label.groups and not num_covered:
        problems = ["targets less exceptions leave no linear layer to quantize"]
    praise = f"{len(targets)} targets and {len(label.ignore)} exceptions match layers"
    return judge("patterns", problems, praise, num_covered=num_covered)


def _is_met(target: str, modules: set[str], linears: tuple[Linear, ...]) -> bool:
    if target == ANY_LINEAR:
        return bool(linears)
    if not target.startswith(PATTERN) and "." not in target and target[:1].isupper():
        return True  # another class of modules: files do not tell classes
    return any(matches(target, module) for module in modules)


def _modules(tensors: Iterable[Tensor]) -> set[str]:
    """Name every module that holds a tensor, and those that hold it."""
    found: set[str] = set()
    for tensor in tensors:
        module = tensor.name.rpartition(".")[0]
        while module and module not in found:
            found.add(module)
            module = module.rpartition(".")[0]
    return found
