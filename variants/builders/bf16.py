"""The baseline: a base's weights in bf16 safetensors, with its companions.

A GGUF file is de-quantized (its blocks expanded to bf16); a folder of safetensors is cast. The
tokenizer of a converted GGUF names the wrong end-of-sequence token for SmolLM2 (`<|im_start|>`
where the model's own configuration says `<|im_end|>`), so special tokens are taken from the
model's configuration.
"""

from pathlib import Path
from typing import Any

from variants.builders.making import stage
from variants.errors import BuildError


def build(origin: str, output: str) -> dict[str, Any]:
    """Write a bf16 artifact from a GGUF file or a folder.

    Raises:
        BuildError: transformers cannot read the source; the message carries its words.
    """
    with stage("import"):
        import torch  # noqa: PLC0415, F401  (adapter: heavy, child process only)
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415, F401

    path = Path(origin)
    where: dict[str, Any] = {"gguf_file": path.name} if path.suffix == ".gguf" else {}
    folder = path.parent if where else path
    try:
        with stage("load"):
            model = _load(folder, where)
            tokenizer = AutoTokenizer.from_pretrained(folder, **where)
    except (OSError, ValueError, KeyError) as error:
        raise BuildError(f"cannot read the base {path.name}: {error}") from error
    _align_special_tokens(tokenizer, model.config)
    with stage("save"):
        model.save_pretrained(output)
        tokenizer.save_pretrained(output)
    return {"note": f"de-quantized from {path.name}" if where else ""}


def _load(folder: Path, where: dict[str, Any]) -> Any:
    import torch  # noqa: PLC0415
    from transformers import AutoModelForCausalLM, GgufConfig  # noqa: PLC0415

    if where:
        # without dequantize=True transformers keeps the packed blocks and refuses to save
        where = where | {"quantization_config": GgufConfig(dequantize=True)}
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16, **where)


def _align_special_tokens(tokenizer: Any, config: Any) -> None:
    for name in ("bos_token", "eos_token", "pad_token"):
        token_id = getattr(config, f"{name}_id", None)
        if isinstance(token_id, int):
            setattr(tokenizer, name, tokenizer.convert_ids_to_tokens(token_id))
