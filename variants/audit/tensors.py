"""An artifact's settings and tensors, as config.json and the headers give them."""

import json
from pathlib import Path

from variants.audit.safetensors import Tensor, read_header
from variants.errors import BuildError

INDEX = "model.safetensors.index.json"


def read_config(folder: Path) -> dict[str, object]:
    """Read config.json.

    Raises:
        BuildError: it is missing or no JSON object.
    """
    return read_json(folder / "config.json")


def read_json(path: Path) -> dict[str, object]:
    """Read a JSON object.

    Raises:
        BuildError: it is missing or no JSON object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as problem:
        raise BuildError(
            f"{path} cannot be read ({problem}); build the artifact again"
        ) from problem
    if not isinstance(value, dict):
        raise BuildError(f"{path} holds no JSON object; build the artifact again")
    return value


def read_tensors(folder: Path) -> dict[str, Tensor]:
    """Read the headers of every file that the index names, or of all files where there is none.

    Raises:
        BuildError: index, headers and bytes disagree.
    """
    files = sorted(folder.glob("*.safetensors"))
    if not files:
        raise BuildError(_without_weights(folder))
    tensors: dict[str, Tensor] = {}
    for tensor in (tensor for path in files for tensor in read_header(path)):
        if tensor.name in tensors:
            both = f"{tensors[tensor.name].path.name} and {tensor.path.name}"
            raise BuildError(f"{tensor.name} is in {both}; remove the file that is not meant")
        tensors[tensor.name] = tensor
    if (folder / INDEX).exists() or len(files) > 1:
        _require_index(folder, tensors)
    return tensors


def _without_weights(folder: Path) -> str:
    others = sorted(path.name for path in folder.glob("*.[gG][gG][uU][fF]"))
    if others:
        return (
            f"{others[0]} is GGUF, whose blocks this audit does not read: give the file as a base "
            "(it is de-quantized and compared as bf16), or convert it to safetensors"
        )
    return f"{folder} has no *.safetensors file; build the artifact again"


def _require_index(folder: Path, tensors: dict[str, Tensor]) -> None:
    """Compare shards and tensors with the index, both ways."""
    weight_map = read_json(folder / INDEX).get("weight_map")
    if not isinstance(weight_map, dict):
        raise BuildError(f"{folder / INDEX} has no weight_map; build the artifact again")
    held = {name: tensor.path.name for name, tensor in tensors.items()}
    named, there = {str(file) for file in weight_map.values()}, set(held.values())
    if missing := sorted(named - there):
        raise BuildError(f"{INDEX} names {missing[0]}, which is not there; fetch or build it again")
    if beyond := sorted(there - named):
        raise BuildError(f"{beyond[0]} is not in {INDEX}; remove the file, or correct the index")
    if differing := sorted({name for name, _ in held.items() ^ weight_map.items()}):
        raise BuildError(
            f"{folder / INDEX} and the files disagree on {len(differing)} tensors, "
            f"the first {differing[0]}; build the artifact again"
        )
