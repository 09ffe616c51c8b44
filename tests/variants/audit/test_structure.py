"""Files that are not what their headers and their index say end the audit with that finding."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import artifact, bf16, eight_bits, failed, only, write
from variants.audit import audit_artifact, audit_by_label, weight_bytes
from variants.errors import BuildError


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def extend(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def lie_about_the_header(path: Path) -> None:
    path.write_bytes((1 << 40).to_bytes(8, "little") + path.read_bytes()[8:])


def spoil_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b'"dtype"', b'"dtyqe"'))


def lie_about_a_shape(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"[100, 64]", b"[101, 64]"))


def invent_a_dtype(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"BF16", b"XF16"))


def with_header(path: Path, header: str) -> None:
    content = path.read_bytes()
    size = int.from_bytes(content[:8], "little")
    text = header.encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + content[8 + size :])


def overlap(path: Path) -> None:
    both = '{"dtype": "U8", "shape": [8], "data_offsets": [0, 8]}'
    with_header(path, f'{{"a": {both}, "b": {both}}}')


def reach_beyond_the_file(path: Path) -> None:
    with_header(path, '{"a": {"dtype": "U8", "shape": [99999999], "data_offsets": [0, 99999999]}}')


def go_backwards(path: Path) -> None:
    with_header(path, '{"a": {"dtype": "U8", "shape": [-8], "data_offsets": [8, 0]}}')


def name_no_number(path: Path) -> None:
    with_header(path, '{"a": {"dtype": "U8", "shape": [1e400], "data_offsets": [0, 1e400]}}')


def say_a_tensor_twice(path: Path) -> None:
    text = path.read_bytes().decode("latin-1")
    name = "model.layers.0.norm.weight"
    path.write_bytes(text.replace(name, name.replace("0", "1")).encode("latin-1"))


def nest_deeply(path: Path) -> None:
    with_header(path, "[" * 200_000)


DAMAGES = (
    *(cut, extend, empty, lie_about_the_header, spoil_the_header, lie_about_a_shape),
    *(invent_a_dtype, overlap, reach_beyond_the_file, go_backwards, name_no_number),
    *(say_a_tensor_twice, nest_deeply),
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_header_and_bytes_that_disagree_end_the_audit(
    base: Path, damage: Callable[[Path], None]
) -> None:
    damage(base / "model.safetensors")
    assert "model.safetensors" in only(audit_artifact(base, None, None), "structure")
    with pytest.raises(BuildError, match=r"model\.safetensors"):
        weight_bytes(base)


def test_a_base_that_cannot_be_read_is_told_as_the_bases(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    cut(base / "model.safetensors")
    assert "was cut or added to" in only(audit_artifact(folder, base, None), "base")


def shards(base: Path) -> tuple[Path, dict[str, str]]:
    """Split the weights over two files; return where the index goes and what it should say."""
    first = {name: stored for name, stored in bf16().items() if "layers.1" not in name}
    second = {name: stored for name, stored in bf16().items() if "layers.1" in name}
    (base / "model.safetensors").unlink()
    write(base / "model-1.safetensors", first)
    write(base / "model-2.safetensors", second)
    weight_map = dict.fromkeys(first, "model-1.safetensors")
    weight_map |= dict.fromkeys(second, "model-2.safetensors")
    return base / "model.safetensors.index.json", weight_map


def told(base: Path, index: Path, weight_map: dict[str, str]) -> str:
    index.write_text(json.dumps({"weight_map": weight_map}), encoding="utf-8")
    return failed(audit_artifact(base, None, None)).get("structure", "")


def test_an_index_must_name_every_tensor_once(base: Path) -> None:
    index, weight_map = shards(base)
    assert "index.json" in only(audit_artifact(base, None, None), "structure")
    assert told(base, index, weight_map) == ""
    moved = weight_map | {"model.layers.1.norm.weight": "model-1.safetensors"}
    assert "disagree on 1 tensors, the first model.layers.1.norm" in told(base, index, moved)
    write(base / "model-2.safetensors", bf16())
    assert "is in model-1.safetensors and model-2" in told(base, index, weight_map)


def test_shards_missing_from_the_disk_or_from_the_index_are_named(base: Path) -> None:
    index, weight_map = shards(base)
    fewer = {name: file for name, file in weight_map.items() if file == "model-1.safetensors"}
    assert "model-2.safetensors is not in" in told(base, index, fewer)
    (base / "model-2.safetensors").unlink()
    assert "names model-2.safetensors, which is not there" in told(base, index, weight_map)


def test_gguf_is_not_audited_and_what_to_do_is_said(base: Path) -> None:
    (base / "model.safetensors").unlink()
    (base / "model.Q4_K_M.gguf").write_bytes(b"GGUF")
    assert "give the file as a base" in only(audit_artifact(base, None, None), "structure")


def test_a_missing_block_is_seen_without_a_base(tmp_path: Path) -> None:
    tensors = {name: stored for name, stored in bf16().items() if "layers.1" not in name}
    folder = artifact(tmp_path / "artifact", tensors)
    assert "config.json says 2" in only(audit_artifact(folder, None, None), "inventory")


def test_a_missing_expert_is_seen_without_a_base(tmp_path: Path) -> None:
    one = eight_bits()["model.layers.0.mlp.up_proj.weight"]
    tensors = bf16() | {f"model.layers.{i}.mlp.experts.{n}.up.weight": ("BF16", [64, 32], one[2])
                        for i, n in ((0, 0), (0, 1), (1, 1))}  # fmt: skip
    folder = artifact(tmp_path / "artifact", tensors, num_local_experts=2)
    reason = only(audit_by_label(folder, None), "inventory")
    assert reason == "model.layers.1.mlp.experts holds 1 experts, config.json says 2"
