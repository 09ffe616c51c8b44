"""What an artifact says it is: the number format of each linear layer, and of the KV cache.

A label is read from config.json (`claims`) or asked by a recipe (`expected`). One format may hold
for all linear layers, or several for layers matched by name: the most specific match decides.

Example: groups {"Linear": 4 bits} and {"re:.*down_proj$": 8 bits} with lm_head ignored: q_proj has
4 bits, down_proj has 8, lm_head is left as it was.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

NumberType = Literal["int", "float"]
Strategy = Literal["tensor", "channel", "group", "block", "tensor_group"]
ANY_LINEAR = "Linear"  # the class that llm-compressor's recipes name
PATTERN = "re:"


@dataclass(frozen=True, slots=True)
class Numbers:
    """How the weights of a layer are written, and its activations; None is not quantized."""

    num_bits: int
    number_type: NumberType
    strategy: Strategy = "channel"
    group_size: int | None = None  # weights along the input that share a scale
    block: tuple[int, int] | None = None  # outputs, inputs that share a scale
    activation_bits: int | None = None
    has_static_activations: bool = False  # their scales are stored, not computed while serving
    is_symmetric: bool = True

    def __str__(self) -> str:
        scales = {
            "tensor": "one scale a tensor",
            "channel": "channels",
            "block": f"blocks of {self.block}",
        }.get(self.strategy, f"groups of {self.group_size}")
        static = " static" if self.has_static_activations else ""
        return (
            f"{self.number_type}{self.num_bits} in {scales}, activations"
            f"{static} {self.activation_bits}"
        )


@dataclass(frozen=True, slots=True)
class Group:
    """Layers that share a number format, named as compressed-tensors names them."""

    targets: tuple[str, ...]
    numbers: Numbers


@dataclass(frozen=True, slots=True)
class KvNumbers:
    """The number format of the KV cache; static scales are stored beside the attention layers."""

    num_bits: int
    number_type: NumberType
    is_static: bool = True

    def __str__(self) -> str:
        return f"KV cache {self.number_type}{self.num_bits} {'static' if self.is_static else ''}"


@dataclass(frozen=True, slots=True)
class Label:
    """Number formats by layer; `implied` is what the method itself always leaves out."""

    groups: tuple[Group, ...]
    ignore: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    kv_cache: KvNumbers | None = None
    method: str = "compressed-tensors"

    def ignores(self, module: str) -> bool:
        """Whether a module is left as it was."""
        return any(matches(entry, module) for entry in (*self.ignore, *self.implied))

    def numbers_of(self, module: str) -> Numbers | None:
        """Return a linear layer's number format; None where it is left as it was."""
        if self.ignores(module):
            return None
        found = [
            (_rank(target), group.numbers)
            for group in self.groups
            for target in group.targets
            if target == ANY_LINEAR or matches(target, module)
        ]
        return min(found, key=lambda pair: pair[0])[1] if found else None

    def __str__(self) -> str:
        formats = dict.fromkeys(str(group.numbers) for group in self.groups)
        return "; ".join([*formats, *([str(self.kv_cache)] if self.kv_cache else [])])


def matches(entry: str, module: str) -> bool:
    """Whether a name, or `re:` and a pattern for its beginning, matches a module."""
    if entry.startswith(PATTERN):
        return re.match(entry.removeprefix(PATTERN), module) is not None
    return entry == module


def check_patterns(entries: Iterable[str]) -> str:
    """Say which pattern is no regular expression; '' where all are."""
    for entry in entries:
        try:
            re.compile(entry.removeprefix(PATTERN) if entry.startswith(PATTERN) else "")
        except re.error as problem:
            return f"{entry!r} is no pattern: {problem}"
    return ""


def _rank(target: str) -> int:
    if target == ANY_LINEAR:
        return 2
    return 1 if target.startswith(PATTERN) else 0
