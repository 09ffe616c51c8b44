"""Does a recipe fit a model: its group size, its patterns, and what an engine fuses.

Looked at before anything is built, from the headers of the baseline's artifact.

Example: 576 inputs = 64 x 9 take groups of 64; 128 does not divide them. A pattern of experts on a
dense model matches no layer.
"""

import re
from collections.abc import Iterable, Sequence

from variants.audit.linears import Linear
from variants.specs.formats import BLOCK, FORMATS, group_size_of
from variants.specs.spec import Quantization, Recipe, Scheme

GROUP_SIZES = (256, 128, 64, 32, 16)
HEAD = "lm_head"  # ignored by every recipe, whether or not a model has one of its own
# vLLM loads these as one layer (packed_modules_mapping): one number format for all of each.
FUSED = (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj"))
BF16 = "bf16"


def misfits(recipe: Recipe, linears: Sequence[Linear]) -> list[str]:
    """Say why a recipe does not fit a model's linear layers, and what to do; [] where it does."""
    quantization = recipe.quantization
    if quantization is None or recipe.prebuilt is not None:
        return []
    if wrong := _wrong_patterns(quantization):
        return wrong
    chosen = {one.module: _rule_of(one.module, quantization) for one in linears}
    problems = [*_unmatched(quantization, [one.module for one in linears])]
    problems += [*_widths(linears, chosen), *_torn(chosen)]
    if not any(chosen.values()):
        problems.append("every linear layer is left as it was; narrow the patterns of ignore")
    return problems


Chosen = tuple[Scheme, int | None] | None  # None is left as it was


def scheme_of(module: str, quantization: Quantization | None) -> Chosen:
    """Return the format and group size that a recipe gives a linear layer; None is neither."""
    return _rule_of(module, quantization) if quantization else None


def _rule_of(module: str, quantization: Quantization) -> Chosen:
    if any(_matches(entry, module) for entry in quantization.ignore):
        return None
    for rule in quantization.layers:
        if re.match(rule.pattern, module):
            return rule.scheme, rule.group_size
    return quantization.scheme, quantization.group_size


def _matches(entry: str, module: str) -> bool:
    if entry.startswith("re:"):
        return re.match(entry.removeprefix("re:"), module) is not None
    return entry == module


def _patterns(quantization: Quantization) -> list[str]:
    named = [entry for entry in quantization.ignore if entry != HEAD]
    return [*named, *(f"re:{rule.pattern}" for rule in quantization.layers)]


def _wrong_patterns(quantization: Quantization) -> list[str]:
    problems = []
    for entry in _patterns(quantization):
        try:
            re.compile(entry.removeprefix("re:"))
        except re.error as error:
            problems.append(f"{entry!r} is no pattern ({error}); correct it")
    return problems


def _unmatched(quantization: Quantization, modules: Sequence[str]) -> Iterable[str]:
    for entry in _patterns(quantization):
        if not any(_matches(entry, module) for module in modules):
            yield (
                f"{entry!r} matches none of {len(modules)} linear layers, such as {modules[0]}; "
                "a recipe of another model family, or of experts on a dense one? correct it"
            )


def _widths(linears: Sequence[Linear], chosen: dict[str, Chosen]) -> Iterable[str]:
    """Look whether groups and blocks divide the inputs of every layer that has them."""
    covered = [(one, found) for one in linears if (found := chosen[one.module])]
    for scheme, size in dict.fromkeys(found for _, found in covered):
        group = group_size_of(scheme, size)
        widths = sorted({one.shape[1] for one, found in covered if found == (scheme, size)})
        wrong = [width for width in widths if group and width % group]
        if wrong:
            yield _wrong_width(scheme, group or 0, wrong[0], widths)
        sides = {side for one, found in covered if found == (scheme, size) for side in one.shape}
        if FORMATS[scheme].scales == "block" and (torn := sorted(s for s in sides if s % BLOCK)):
            yield f"blocks of {BLOCK} x {BLOCK} do not divide a side of {torn[0]}; use fp8_dynamic"


def _wrong_width(scheme: Scheme, group: int, width: int, widths: list[int]) -> str:
    fitting = [size for size in GROUP_SIZES if not any(width % size for width in widths)]
    told = f"group_size {group} does not divide layer width {width} (widths {widths}); "
    if FORMATS[scheme].group_size:
        return f"{told}{scheme} has no other; use int8_w8a8 or fp8_dynamic"
    return f"{told}use one of {fitting}, or no group_size for one scale per channel"


def _torn(chosen: dict[str, Chosen]) -> Iterable[str]:
    """Look whether layers that an engine fuses have one format."""
    for members in FUSED:
        for module, found in chosen.items():
            parent, _, name = module.rpartition(".")
            others = [f"{parent}.{member}" for member in members[1:]] if name == members[0] else []
            for other in others:
                if chosen.get(other, found) != found:
                    kinds = [one[0] if one else BF16 for one in (found, chosen[other])]
                    yield (
                        f"{module} is {kinds[0]} and {other} is {kinds[1]}, and engines load them "
                        f"as one layer; match all of {', '.join(members)}, or none"
                    )
                    return
