"""Full specs out of the table of recipes, with the options that each line takes.

Example: `int4_w4a16(algorithm="awq", seed=1)` is the variant int4-w4a16-g64-awq-s1; what is left at
its default does not show in the name.
"""

from collections.abc import Callable
from inspect import Parameter, Signature
from typing import Any

from variants.fingerprint import fingerprint
from variants.specs.address import DIGEST_MARK, addressed
from variants.specs.formats import needs_calibration
from variants.specs.recipes import RECIPES, RecipeLine
from variants.specs.spec import (
    Base,
    Calibration,
    KvCache,
    LayerRule,
    Quantization,
    Recipe,
    Serving,
    Variant,
)

HEAD = "lm_head"
DRAW: dict[str, int | str] = {
    "calibration": "stdlib-docstrings", "num_samples": 32, "sequence_tokens": 256, "seed": 0,
    "replicas": 0,
}  # fmt: skip
MARKS = {"num_samples": "n", "sequence_tokens": "t", "seed": "s"}


class Quantized:
    """One line of the table, called as every function of the catalogue is."""

    def __init__(self, name: str, line: RecipeLine) -> None:
        self.name, self.line = name, line
        self.defaults = options_of(line)
        self.__doc__ = line.what
        own = [
            Parameter(key, Parameter.KEYWORD_ONLY, default=value, annotation=type(value))
            for key, value in self.defaults.items()
        ]
        first = [Parameter(key, Parameter.POSITIONAL_ONLY) for key in ("base", "serving")]
        self.__signature__ = Signature([*first, *own])

    def __call__(self, base: Base, serving: Serving, **options: Any) -> Variant:
        """Return the full spec.

        Raises:
            ValueError: an option that the recipe does not take, or takes otherwise.
        """
        given = self.defaults | options
        calibration = _calibration(self.line, given, frozenset(options))
        cache = self.line.kv_cache
        recipe = Recipe(
            quantization=_quantization(self.line, given, calibration),
            kv_cache=KvCache(scheme=cache, calibration=calibration) if cache else None,
        )
        served = {"kv_cache_dtype": "fp8"} if cache == "fp8" else {}
        return Variant(
            name=_name(self, given),
            base=base,
            serving=serving.model_copy(update=served),
            recipe=recipe,
            replicas=given.get("replicas", 0),
        )


def options_of(line: RecipeLine) -> dict[str, Any]:
    """Return the options that a line takes, each with its default."""
    options: dict[str, Any] = {}
    if line.group_size:
        options["group_size"] = line.group_size
    if len(line.algorithms) > 1:
        options["algorithm"] = line.default
    if line.layers:
        options["layers"] = line.layers
    if line.scheme:
        options["ignore"] = HEAD
    return options | (DRAW if _is_ever_calibrated(line) else {})


def _is_ever_calibrated(line: RecipeLine) -> bool:
    if line.kv_cache is not None or line.scheme is None:
        return line.kv_cache is not None
    return any(needs_calibration(line.scheme, one) for one in line.algorithms)


def _calibration(
    line: RecipeLine, given: dict[str, Any], named: frozenset[str]
) -> Calibration | None:
    algorithm = given.get("algorithm", line.default)
    reads = line.kv_cache is not None or (
        line.scheme is not None and needs_calibration(line.scheme, algorithm)
    )
    if not reads:
        if idle := sorted(named & DRAW.keys()):
            raise ValueError(f"{algorithm} reads no calibration data; leave out {', '.join(idle)}")
        return None
    draw = {key: given[key] for key in MARKS}
    if "://" not in given["calibration"]:
        return Calibration.model_validate({"corpus": given["calibration"], **draw})
    own = addressed(given["calibration"]).model_dump(include={"source", "sha256"})
    return Calibration.model_validate({"corpus": "requests", **own, **draw})


def _quantization(
    line: RecipeLine, given: dict[str, Any], calibration: Calibration | None
) -> Quantization | None:
    if line.scheme is None:
        return None
    algorithm = given.get("algorithm", line.default)
    if algorithm not in line.algorithms:
        known = ", ".join(line.algorithms)
        raise ValueError(f"algorithm {algorithm!r} is none of this recipe's: {known}")
    reads = needs_calibration(line.scheme, algorithm)
    return Quantization(
        scheme=line.scheme,
        algorithm=algorithm,
        group_size=given.get("group_size"),
        calibration=calibration if reads else None,
        ignore=tuple(_listed(given["ignore"])),
        layers=tuple(map(_rule, _listed(given.get("layers", "")))),
    )


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def claimed(scheme: str) -> Quantization | None:
    """Read what a checkpoint is said to be: "int8_w8a8", "int4_w4a16-g64"; "" is unquantized.

    Raises:
        ValueError: no such scheme.
    """
    if not scheme:
        return None
    name, _, group = scheme.partition("-g")
    return Quantization.model_validate({"scheme": name, "group_size": group or None})


def _rule(text: str) -> LayerRule:
    """Read PATTERN=SCHEME or PATTERN=SCHEME-gSIZE."""
    pattern, mark, named = text.rpartition("=")
    if not mark:
        raise ValueError(
            f"layers has {text!r}; write PATTERN=SCHEME, such as .*down_proj=int8_w8a8"
        )
    scheme, _, group = named.partition("-g")
    fields = {"pattern": pattern, "scheme": scheme, "group_size": group or None}
    return LayerRule.model_validate(fields)


def _name(recipe: Quantized, given: dict[str, Any]) -> str:
    """Name what differs from the defaults; a group size and its algorithm always show."""
    line, usual = recipe.line, recipe.defaults
    parts = [recipe.name.replace("_", "-")]
    if line.group_size:
        parts.append(f"g{given['group_size']}")
    algorithm = given.get("algorithm", line.default)
    if line.group_size or algorithm != line.default:
        parts.append(algorithm)
    parts += [
        _digest(given[key]) for key in ("layers", "ignore") if given.get(key) != usual.get(key)
    ]
    text = str(given.get("calibration", ""))
    if text != usual.get("calibration", ""):
        parts.append(f"own-{_digest(text)}" if DIGEST_MARK in text else text)
    parts += [
        f"{mark}{given[key]}" for key, mark in MARKS.items() if given.get(key) != usual.get(key)
    ]
    return "-".join(parts)


def _digest(text: str) -> str:
    return fingerprint(text)[:4]


QUANTIZED: dict[str, Callable[..., Variant]] = {
    name: Quantized(name, line) for name, line in RECIPES.items()
}
