"""Quantized weights and KV caches by llm-compressor, saved as compressed-tensors.

Which formats there are is told by `variants.specs.formats`, which algorithms by
`variants.builders.modifiers`, and on what data by `variants.calibration`.
"""

from pathlib import Path
from typing import Any

from variants.builders.calibration import draw, reader_of
from variants.builders.making import stage
from variants.builders.modifiers import modifiers
from variants.calibration import describe, requests_of, use_of
from variants.errors import RecipeError
from variants.specs.spec import Calibration, KvCache, Quantization


def build(
    origin: str,
    output: str,
    quantization: dict[str, Any] | None,
    kv_cache: dict[str, Any] | None = None,
    files: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Quantize the bf16 artifact in `origin` into `output`; `files` are of the calibration set.

    Raises:
        RecipeError: llm-compressor's own refusal.
    """
    spec = Quantization.model_validate(quantization) if quantization else None
    cache = KvCache.model_validate(kv_cache) if kv_cache else None
    asked = f"{spec.scheme} ({spec.algorithm})" if spec else f"a KV cache in {kv_cache}"
    data = (spec.calibration if spec else None) or (cache.calibration if cache else None)
    try:
        return _oneshot((Path(origin), Path(output)), (spec, cache), data, files or {})
    except (ValueError, RuntimeError, NotImplementedError) as error:
        raise RecipeError(f"llm-compressor refused {asked}: {error}") from error


def _oneshot(
    folders: tuple[Path, Path],
    asked: tuple[Quantization | None, KvCache | None],
    calibration: Calibration | None,
    files: dict[str, str],
) -> dict[str, Any]:
    with stage("import"):
        import torch  # noqa: PLC0415  (adapter: heavy, child process only)
        from llmcompressor import oneshot  # noqa: PLC0415
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

        recipe = modifiers(*asked)  # it imports more of llm-compressor
    base, output = folders
    with stage("load"):
        model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.bfloat16)
        tokenizer = AutoTokenizer.from_pretrained(base)
        data, told = _calibration(calibration, tokenizer, files) if calibration else ({}, {})
    with stage("oneshot"):
        oneshot(model=model, recipe=recipe, **data)
    with stage("save"):
        model.save_pretrained(output, save_compressed=True)
        tokenizer.save_pretrained(output)
    return told


def _calibration(
    calibration: Calibration, tokenizer: Any, files: dict[str, str]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw the data that llm-compressor reads, and what is told of it."""
    requests, reader = requests_of(calibration, files), reader_of(tokenizer)
    sequences, digest = draw(calibration, requests, reader)
    likeness = describe(requests, reader.count, calibration.sequence_tokens)
    used = use_of(calibration, likeness).model_dump(mode="json")
    return _dataset(sequences, calibration), {"calibration_sha256": digest, "calibration": used}


def _dataset(sequences: list[list[int]], calibration: Calibration) -> dict[str, Any]:
    from datasets import Dataset  # noqa: PLC0415

    rows = {"input_ids": sequences, "attention_mask": [[1] * len(row) for row in sequences]}
    return {
        "dataset": Dataset.from_dict(rows),
        "num_calibration_samples": len(sequences),
        "max_seq_length": calibration.sequence_tokens,
    }
