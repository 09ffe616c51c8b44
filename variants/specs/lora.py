"""LoRA variants as functions that return full specs (Hu et al., arXiv 2106.09685).

An adapter's source is `file:///PATH` (a folder or a .zip) or `hf://ORG/NAME@REVISION`, then
`#sha256=DIGEST`, and where its files do not say it `&licence=NAME`, and `&base=DIGEST` to hold it
to the base it was trained on.

Example: `hf://acme/poet@4f1c…#sha256=9b2e…&licence=apache-2.0`.
"""

from shlex import split

from variants.specs.address import split_pin
from variants.specs.quantized import claimed
from variants.specs.spec import Adapter, Base, Recipe, Serving, Variant

FIELDS = {"licence": "licence", "base": "base_sha256"}


def lora(base: Base, serving: Serving, name: str, source: str, on: str = "") -> Variant:
    """Return a LoRA adapter that the engine applies to the base, or to the base made `on` a scheme.

    Raises:
        ValueError: the source names no digest, or the scheme is unknown.
    """
    return Variant(
        name=name,
        base=base,
        recipe=Recipe(quantization=claimed(on)),
        serving=serving.model_copy(update={"adapters": (adapter_of(name, source),)}),
    )


def lora_merged(base: Base, serving: Serving, name: str, source: str, on: str = "") -> Variant:
    """Return a LoRA adapter merged into the base's weights, before they are made `on` a scheme.

    Raises:
        ValueError: the source names no digest, or the scheme is unknown.
    """
    recipe = Recipe(quantization=claimed(on), adapter=adapter_of(name, source))
    return Variant(name=name, base=base, serving=serving, recipe=recipe)


def loras(base: Base, serving: Serving, name: str, sources: str, asked: str = "") -> Variant:
    """Return several LoRA adapters in one process: "poet=file:///a#sha256=... clerk=hf://...".

    The one that is `asked`, the first unless another is named, answers every suite and cell; the
    others are resident beside it.

    Raises:
        ValueError: an entry is no NAME=SOURCE#sha256=DIGEST, or `asked` is none of them.
    """
    entries = [entry.partition("=") for entry in split(sources)]
    adapters = [adapter_of(own, source) for own, _, source in entries]
    names = [adapter.name for adapter in adapters]
    if not adapters or (asked and asked not in names):
        raise ValueError(f"asked is {asked!r}, the adapters are {names}")
    # stable: where none is asked for, all keep their order
    adapters.sort(key=lambda adapter: bool(asked) and adapter.name != asked)
    checked = Serving.model_validate({**serving.model_dump(), "adapters": tuple(adapters)})
    return Variant(name=name, base=base, serving=checked)


def adapter_of(name: str, source: str) -> Adapter:
    """Read an adapter's address.

    Raises:
        ValueError: it names no digest, or says something else behind it.
    """
    address, pin = split_pin(source)
    sha256, *said = pin.split("&")
    pairs = [entry.partition("=") for entry in said]
    if unknown := [key for key, _, _ in pairs if key not in FIELDS]:
        raise ValueError(f"{source!r} says {unknown[0]!r}; {' and '.join(FIELDS)} can be said")
    fields = {FIELDS[key]: value for key, _, value in pairs}
    return Adapter.model_validate({"name": name, "source": address, "sha256": sha256, **fields})
