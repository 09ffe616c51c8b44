"""Quantized weights by llm-compressor, saved as compressed-tensors.

Schemes (weights / activations): INT8 per channel / dynamic per token; INT4 per channel or per
group / untouched; FP8 E4M3 per channel / dynamic per token. RTN rounds to nearest and needs no
data; GPTQ (Frantar et al., 2022) corrects the rounding error with calibration sequences.
"""

import json
from pathlib import Path
from typing import Any

from variants.builders.calibration import draw
from variants.builders.making import stage
from variants.errors import RecipeError
from variants.spec import Quantization

WEIGHT_BITS = {"int8_w8a8": 8, "int4_w4a16": 4, "fp8_dynamic": 8}


def check_group_size(config: dict[str, Any], group_size: int | None) -> None:
    """Refuse a group size that does not divide the inputs of every linear layer.

    Example: hidden size 576 = 64 x 9 and intermediate size 1536 = 64 x 24 take groups of 64;
    128 does not divide 576.

    Raises:
        RecipeError: naming the layer's width and the sizes that would do.
    """
    widths = sorted({int(config["hidden_size"]), int(config["intermediate_size"])})
    wrong = [width for width in widths if group_size and width % group_size]
    if wrong:
        fitting = [size for size in (256, 128, 64, 32, 16) if not any(w % size for w in widths)]
        raise RecipeError(
            f"group_size {group_size} does not divide layer width {wrong[0]} "
            f"(widths {widths}); use one of {fitting}, or no group_size for one scale per channel"
        )


def build(origin: str, output: str, quantization: dict[str, Any]) -> dict[str, Any]:
    """Quantize the bf16 artifact in `origin` into `output`.

    Raises:
        RecipeError: an illegal group size, or llm-compressor's own refusal.
    """
    spec = Quantization.model_validate(quantization)
    check_group_size(json.loads((Path(origin) / "config.json").read_text()), spec.group_size)
    try:
        return _oneshot(Path(origin), Path(output), spec)
    except (ValueError, RuntimeError, NotImplementedError) as error:
        raise RecipeError(
            f"llm-compressor refused {spec.scheme} ({spec.algorithm}): {error}"
        ) from error


def _oneshot(base: Path, output: Path, spec: Quantization) -> dict[str, Any]:
    with stage("import"):
        import torch  # noqa: PLC0415  (adapter: heavy, child process only)
        from llmcompressor import oneshot  # noqa: PLC0415
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

        modifier = _modifier(spec)  # it imports more of llm-compressor
    with stage("load"):
        model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.bfloat16)
        tokenizer = AutoTokenizer.from_pretrained(base)
        data, digest = _calibration_dataset(spec, tokenizer)
    with stage("oneshot"):
        oneshot(model=model, recipe=[modifier], **data)
    with stage("save"):
        model.save_pretrained(output, save_compressed=True)
        tokenizer.save_pretrained(output)
    return {"calibration_sha256": digest}


def _calibration_dataset(spec: Quantization, tokenizer: Any) -> tuple[dict[str, Any], str | None]:
    if spec.calibration is None:
        return {}, None
    from datasets import Dataset  # noqa: PLC0415

    def encode(text: str) -> list[int]:
        return list(tokenizer(text, add_special_tokens=False)["input_ids"])

    sequences, digest = draw(spec.calibration, encode)
    rows = {"input_ids": sequences, "attention_mask": [[1] * len(row) for row in sequences]}
    arguments = {
        "dataset": Dataset.from_dict(rows),
        "num_calibration_samples": len(sequences),
        "max_seq_length": spec.calibration.sequence_tokens,
    }
    return arguments, digest


def _modifier(spec: Quantization) -> Any:
    from llmcompressor.modifiers.gptq import GPTQModifier  # noqa: PLC0415
    from llmcompressor.modifiers.quantization import QuantizationModifier  # noqa: PLC0415

    kind = GPTQModifier if spec.algorithm == "gptq" else QuantizationModifier
    return kind(config_groups={"linear": _scheme(spec)}, ignore=list(spec.ignore))


def _scheme(spec: Quantization) -> Any:
    from compressed_tensors.quantization import QuantizationArgs, QuantizationScheme  # noqa: PLC0415

    numbers = "float" if spec.scheme == "fp8_dynamic" else "int"
    weights = QuantizationArgs(
        num_bits=WEIGHT_BITS[spec.scheme],
        type=numbers,
        strategy="group" if spec.group_size else "channel",
        group_size=spec.group_size,
        symmetric=True,
    )
    activations = None
    if spec.scheme in ("int8_w8a8", "fp8_dynamic"):
        activations = QuantizationArgs(
            num_bits=8, type=numbers, strategy="token", dynamic=True, symmetric=True
        )
    return QuantizationScheme(targets=["Linear"], weights=weights, input_activations=activations)
