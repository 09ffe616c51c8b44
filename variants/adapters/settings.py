"""adapter_config.json as peft writes it, closed to whatever changes an adapter's meaning unseen.

An engine applies `alpha / rank` times the product of two matrices, and nothing else. What asks for
more (DoRA, saved modules, biases, replicated layers ...) vLLM 0.32 refuses in part and ignores in
part (vllm/lora/peft_helper.py), so it is refused here. Fields: peft 0.21, `LoraConfig`.

Example: rank 16, alpha 32: scaling 2; with `use_rslora` 32 / sqrt(16) = 8 (arXiv 2312.03732).
"""

import json
import math
import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from variants.errors import BuildError

MAX_RANK = 512  # the largest that vLLM 0.32 serves (--max-lora-rank)
PLAIN_NAME = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")
# These shape how an adapter was trained, not what it does once its matrices are there.
OF_TRAINING = frozenset(
    {
        *("peft_version", "inference_mode", "lora_dropout", "exclude_modules", "eva_config"),
        *("layers_to_transform", "layers_pattern", "megatron_core", "qalora_group_size"),
        "lora_ga_config",
    }
)
PLAIN_STARTS = ("gaussian", "eva", "orthogonal", "mica", "lora_ga")  # leave the base as it is


class Settings(BaseModel):
    """What an adapter says of itself."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)

    peft_type: Literal["LORA"]
    task_type: Literal["CAUSAL_LM"] | None = None
    base_model_name_or_path: str | None = Field(default=None, max_length=500)
    revision: str | None = Field(default=None, max_length=200)
    r: int = Field(ge=1, le=MAX_RANK, strict=True)
    lora_alpha: float = Field(gt=0)
    use_rslora: bool = False
    target_modules: str | tuple[str, ...] | None = None
    rank_pattern: dict[str, int] = {}
    alpha_pattern: dict[str, float] = {}
    bias: Literal["none"] = "none"
    init_lora_weights: bool | str = True

    @field_validator("rank_pattern", "alpha_pattern", mode="before")
    @classmethod
    def _patterns_are_names(cls, pattern: object) -> object:
        """Refuse regular expressions: a hostile one takes for ever to match."""
        for name in pattern if isinstance(pattern, dict) else ():
            if not PLAIN_NAME.fullmatch(str(name)):
                raise ValueError(f"{name!r} is no plain module name")
        return pattern or {}

    @field_validator("rank_pattern")
    @classmethod
    def _ranks_are_served(cls, pattern: dict[str, int]) -> dict[str, int]:
        if wrong := [rank for rank in pattern.values() if not 1 <= rank <= MAX_RANK]:
            raise ValueError(f"rank {wrong[0]} is not within 1 to {MAX_RANK}")
        return pattern

    @field_validator("init_lora_weights")
    @classmethod
    def _the_base_is_left_as_it_is(cls, start: bool | str) -> bool | str:
        if isinstance(start, str) and start.lower() not in PLAIN_STARTS:
            raise ValueError(f"{start!r} changes the base's own weights; save it as a plain LoRA")
        return start

    @property
    def unknown(self) -> dict[str, object]:
        """Settings that ask for something, and that no engine is known to follow."""
        extra = (self.model_extra or {}).items()
        return {name: value for name, value in extra if value and name not in OF_TRAINING}

    def rank(self, module: str) -> int:
        """Return the rank of a module's matrices."""
        return next((v for k, v in self.rank_pattern.items() if _ends(module, k)), self.r)

    def scaling(self, module: str) -> float:
        """Return what the product of a module's matrices is multiplied by."""
        given = (v for k, v in self.alpha_pattern.items() if _ends(module, k))
        alpha, rank = next(given, self.lora_alpha), self.rank(module)
        return alpha / (math.sqrt(rank) if self.use_rslora else rank)


def _ends(module: str, name: str) -> bool:
    return module == name or module.endswith(f".{name}")


def read_settings(path: Path) -> Settings:
    """Read an adapter_config.json.

    Raises:
        BuildError: it cannot be read, names a key twice, or asks for what is not served.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_without_twins)
        settings = Settings.model_validate(value)
    except ValidationError as problem:
        told = "; ".join(
            f"{'.'.join(map(str, one['loc'])) or 'the file'}: {one['msg']}"
            f" (got {str(one['input'])[:60]!r})"
            for one in problem.errors()[:3]
        )
        raise BuildError(f"{path.name}: {told}") from problem
    except (OSError, ValueError, RecursionError) as problem:
        raise BuildError(f"{path.name} cannot be read ({problem})") from problem
    if settings.unknown:
        name, asked = next(iter(settings.unknown.items()))
        raise BuildError(
            f"{path.name}: {name} is {str(asked)[:60]}, which changes what the adapter means and "
            "is not served; train a plain LoRA of linear layers"
        )
    return settings


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Two readers may take either of two values under one key, so there may be one alone."""
    names = [name for name, _ in pairs]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ValueError(f"it names {sorted(twice)[0]!r} twice")
    return dict(pairs)
