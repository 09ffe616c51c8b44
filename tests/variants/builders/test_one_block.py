import json
from pathlib import Path

import pytest

from variants.audit.safetensors import read_header
from variants.builders.one_block import cut
from variants.errors import BuildError


def write(path: Path, tensors: dict[str, bytes]) -> None:
    """Bytes in tensors of one dimension, by the format's own description."""
    header, place = {}, 0
    for name, data in tensors.items():
        offsets = [place, place + len(data)]
        header[name] = {"dtype": "U8", "shape": [len(data)], "data_offsets": offsets}
        place += len(data)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(tensors.values()))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    first = {"model.embed_tokens.weight": b"EMBED", "model.layers.0.mlp.weight": b"zero"}
    second = {
        "model.layers.1.mlp.weight": b"one!",
        "model.layers.10.mlp.weight": b"ten!",
        "model.norm.weight": b"N",
    }
    write(folder / "model-00001-of-00002.safetensors", first)
    write(folder / "model-00002-of-00002.safetensors", second)
    config = {"num_hidden_layers": 3, "layer_types": ["full", "sliding", "full"], "hidden_size": 8}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "tokenizer.json").write_text("{}")
    for name in ("model.safetensors.index.json", "manifest.json"):
        (folder / name).write_text("{}")
    return folder


def test_the_first_block_keeps_what_all_share(model: Path, tmp_path: Path) -> None:
    output = tmp_path / "block"
    output.mkdir()
    assert cut(model, output) == {"note": "first of 3 blocks"}
    path = output / "model.safetensors"
    held = {one.name: path.read_bytes()[one.begin : one.end] for one in read_header(path)}
    assert held == {
        "model.embed_tokens.weight": b"EMBED",
        "model.layers.0.mlp.weight": b"zero",
        "model.norm.weight": b"N",
    }
    config = json.loads((output / "config.json").read_text())
    assert config == {"num_hidden_layers": 1, "layer_types": ["full"], "hidden_size": 8}
    assert sorted(one.name for one in output.iterdir()) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
    ]


def test_a_model_without_blocks_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "model.safetensors", {"transformer.h.0.weight": b"x"})
    with pytest.raises(BuildError, match="names no blocks"):
        cut(tmp_path, tmp_path)
