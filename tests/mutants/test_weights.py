"""Faults put into a checkpoint of two layers, written by hand."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from tests.mutants.weights import (
    break_row,
    noise,
    silence_layer,
    to_bf16,
    zero_layer,
)
from variants.audit import audit_artifact
from variants.audit.safetensors import map_bytes, read_floats
from variants.audit.scan import scan
from variants.audit.tensors import read_tensors

ONE = b"\x80\x3f"  # 1.0 in bf16
MATRIX = "self_attn.q_proj.weight"
NORM = "input_layernorm.weight"
OTHER_NORM = "post_attention_layernorm.weight"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two layers of one 64 x 64 matrix and two norms; matrices alternate 1 and -1."""
    tensors: dict[str, tuple[str, list[int], bytes]] = {}
    for layer in range(2):
        name = f"model.layers.{layer}."
        tensors[name + MATRIX] = ("BF16", [64, 64], (ONE + b"\x80\xbf") * 2048)
        tensors |= {name + norm: ("BF16", [64], ONE * 64) for norm in (NORM, OTHER_NORM)}
    write(tmp_path, tensors)
    return tmp_path


def write(folder: Path, tensors: dict[str, tuple[str, list[int], bytes]]) -> None:
    header: dict[str, object] = {}
    position = 0
    for name, (dtype, shape, content) in tensors.items():
        offsets = [position, position + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        position = offsets[1]
    text = json.dumps(header).encode()
    content = b"".join(content for _, _, content in tensors.values())
    (folder / "model.safetensors").write_bytes(len(text).to_bytes(8, "little") + text + content)
    config = {"num_hidden_layers": 2, "dtype": "bfloat16"}
    (folder / "config.json").write_text(json.dumps(config))


def values(folder: Path, name: str) -> np.ndarray:
    found = read_floats(read_tensors(folder)[name])
    assert found is not None
    return found


def zeros(folder: Path) -> list[str]:
    return [name for name, one in read_tensors(folder).items() if not map_bytes(one).any()]


def failed(folder: Path) -> list[str]:
    return [one.name for one in audit_artifact(folder, None, None) if not one.passed]


def test_the_checkpoint_is_sound_before_it_is_spoilt(folder: Path) -> None:
    assert failed(folder) == []


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, 0x3F80),
        (-2.0, 0xC000),
        (1.00390625, 0x3F80),  # midway to 0x3F81: to the even one
        (1.01171875, 0x3F82),  # midway between 0x3F81 and 0x3F82: to the even one
        (1.005, 0x3F81),  # 1.005 lies beyond the middle, and 0x3F81 is 1.0078125
    ],
)
def test_numbers_are_rounded_to_the_nearest_bf16(value: float, words: int) -> None:
    assert to_bf16(np.array([value])).tolist() == [words]


def test_noise_is_relative_to_the_root_mean_square(folder: Path) -> None:
    before = values(folder, f"model.layers.0.{MATRIX}")  # of root mean square 1
    told = noise(0.1)(folder, random.Random(1))
    moved = values(folder, f"model.layers.0.{MATRIX}") - before
    # 4,096 draws: the standard error of a standard deviation of .1 is .1 / sqrt(8192) = .0011
    assert moved.std() == pytest.approx(0.1, abs=0.005)
    assert abs(moved.mean()) < 0.01  # of 4,096: .1 / 64 = .0016
    assert "in 2 matrices" in told
    assert failed(folder) == []


def test_noise_in_int8_is_rounded_to_codes(tmp_path: Path) -> None:
    codes = np.array([30, -30] * 2048, np.int8)
    write(tmp_path, {f"model.layers.0.{MATRIX}": ("I8", [64, 64], codes.tobytes())})
    noise(0.1)(tmp_path, random.Random(1))
    found = map_bytes(read_tensors(tmp_path)[f"model.layers.0.{MATRIX}"]).view(np.int8)
    moved = found.astype(int) - codes
    assert moved.std() == pytest.approx(3.0, abs=0.2)  # .1 of 30; rounding adds 1/12 to 9


def test_each_matrix_has_noise_of_its_own_and_a_seed_repeats_it(folder: Path) -> None:
    before = (folder / "model.safetensors").read_bytes()
    noise(0.1)(folder, random.Random(1))
    one = (folder / "model.safetensors").read_bytes()
    first, second = (values(folder, f"model.layers.{layer}.{MATRIX}") for layer in range(2))
    (folder / "model.safetensors").write_bytes(before)
    noise(0.1)(folder, random.Random(1))
    assert (folder / "model.safetensors").read_bytes() == one
    (folder / "model.safetensors").write_bytes(before)
    noise(0.1)(folder, random.Random(2))
    assert (folder / "model.safetensors").read_bytes() != one
    assert not np.array_equal(first, second)


def test_a_layer_is_zeroed_and_the_audit_sees_it(folder: Path) -> None:
    told = zero_layer(folder, random.Random(3))
    (layer,) = {name.split(".")[2] for name in zeros(folder)}
    assert len(zeros(folder)) == 3
    assert f"layer {layer}" in told
    assert "constant" in failed(folder)


def test_a_silenced_layer_keeps_its_matrices_so_the_audit_cannot_see_it(folder: Path) -> None:
    silence_layer(folder, random.Random(3))
    assert [name.partition(".layers.")[2][2:] for name in zeros(folder)] == [NORM, OTHER_NORM]
    assert failed(folder) == []


def test_one_row_is_nan_and_the_audit_sees_it(folder: Path) -> None:
    told = break_row(folder, random.Random(4))
    scans = scan(read_tensors(folder).values())
    counts = {name: one.num_nonfinite for name, one in scans.items()}
    (name,) = (name for name, count in counts.items() if count)
    assert counts[name] == 64
    row = int(told.split("row ")[1].split(" ")[0])
    assert np.isnan(values(folder, name).reshape(64, 64)[row]).all()
    assert failed(folder) == ["finite"]


@pytest.mark.parametrize("fault", [zero_layer, silence_layer, break_row])
def test_where_a_fault_lands_depends_on_the_seed(folder: Path, fault: object) -> None:
    assert callable(fault)
    sound = (folder / "model.safetensors").read_bytes()
    told = set()
    for seed in range(20):
        told.add(fault(folder, random.Random(seed)))
        (folder / "model.safetensors").write_bytes(sound)
    assert len(told) > 1
