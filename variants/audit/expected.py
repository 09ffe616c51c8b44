"""Which label a recipe must give."""

from variants.audit.label import ANY_LINEAR, PATTERN, Group, KvNumbers, Label, Numbers, Strategy
from variants.specs.formats import BLOCK, FORMATS, group_size_of
from variants.specs.spec import KvCache, Quantization, Scheme

CACHES = {"fp8": KvNumbers(8, "float"), "int8": KvNumbers(8, "int")}
TWO_LEVELS = frozenset({"nvfp4", "nvfp4a16"})  # scales of groups, and one of the tensor over them


def expect(quantization: Quantization | None, kv_cache: KvCache | None = None) -> Label | None:
    """Say which label a recipe must give; None is unquantized."""
    cache = CACHES[kv_cache.scheme] if kv_cache else None
    if quantization is None:
        return Label((), kv_cache=cache) if cache else None
    rules = tuple(
        Group((f"{PATTERN}{rule.pattern}",), numbers_of(rule.scheme, rule.group_size))
        for rule in quantization.layers
    )
    general = Group((ANY_LINEAR,), numbers_of(quantization.scheme, quantization.group_size))
    return Label((*rules, general), quantization.ignore, kv_cache=cache)


def numbers_of(scheme: Scheme, group_size: int | None = None) -> Numbers:
    """Return how a scheme writes the weights of a layer."""
    kind, group = FORMATS[scheme], group_size_of(scheme, group_size)
    strategy: Strategy = "group" if group else kind.scales
    return Numbers(
        num_bits=kind.weight_bits,
        number_type=kind.number_type,
        strategy="tensor_group" if scheme in TWO_LEVELS else strategy,
        group_size=group,
        block=(BLOCK, BLOCK) if kind.scales == "block" else None,
        activation_bits=kind.activation_bits,
        has_static_activations=kind.is_static,
    )
