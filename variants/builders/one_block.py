"""The first block of a model, with its embeddings and head: the smallest thing a recipe applies to.

A recipe that cannot be built, saved or loaded fails on one block as it does on eighty, in a minute
instead of hours (llm-compressor#1410). What such a model says is of no interest.

Example: SmolLM2-135M has 30 blocks of 7 linear layers; its first block keeps 7 of the 210, and with
the embeddings 63.7 of 269 MB.
"""

import json
import re
import shutil
from pathlib import Path

from variants.audit.safetensors import Tensor, read_header
from variants.errors import BuildError
from variants.kept.contents import list_files
from variants.kept.manifest import NAME, Metadata

LAYER = re.compile(r"\.layers\.(\d+)\.")
WEIGHTS = ".safetensors"
PER_LAYER = ("layer_types",)  # lists of config.json with one entry per block
ALIGNED = 8  # bytes; tensors begin at a multiple


def cut(origin: Path, output: Path) -> Metadata:
    """Write the first block of a folder of safetensors, with its companions.

    Raises:
        BuildError: its tensors name no blocks.
    """
    files = [path for path in list_files(origin) if path.suffix == WEIGHTS]
    tensors = [tensor for path in files for tensor in read_header(path)]
    layers = {int(found[1]) for one in tensors if (found := LAYER.search(one.name))}
    if not layers:
        raise BuildError(f"{origin.name} names no blocks (.layers.N.); build it as a whole")
    _write_weights(output / f"model{WEIGHTS}", [one for one in tensors if _is_kept(one)])
    for path in list_files(origin):
        if path.suffix != WEIGHTS and path.name not in (NAME, f"model{WEIGHTS}.index.json"):
            shutil.copyfile(path, output / path.name)
    config = json.loads((origin / "config.json").read_text(encoding="utf-8"))
    config |= {name: config[name][:1] for name in PER_LAYER if isinstance(config.get(name), list)}
    (output / "config.json").write_text(json.dumps(config | {"num_hidden_layers": 1}, indent=1))
    return {"note": f"first of {len(layers)} blocks"}


def _is_kept(tensor: Tensor) -> bool:
    found = LAYER.search(tensor.name)
    return found is None or int(found[1]) == 0


def _write_weights(path: Path, tensors: list[Tensor]) -> None:
    header: dict[str, object] = {"__metadata__": {"format": "pt"}}
    place = 0
    for one in tensors:
        offsets = [place, place + one.num_bytes]
        header[one.name] = {"dtype": one.dtype, "shape": one.shape, "data_offsets": offsets}
        place += one.num_bytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % ALIGNED)
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for one in tensors:
            with one.path.open("rb") as source:
                source.seek(one.begin)
                stream.write(source.read(one.num_bytes))
