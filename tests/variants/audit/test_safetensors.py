from pathlib import Path

import numpy as np
import pytest

from tests.variants.audit.checkpoints import ONE, Stored, write
from variants.audit import scan as scanning
from variants.audit.safetensors import decode_powers, read_floats, read_header
from variants.audit.scan import scan


@pytest.mark.parametrize(
    ("dtype", "content", "values"),
    [
        ("BF16", b"\x80\x3f\x49\x40\x80\xff", [1.0, 3.140625, -np.inf]),
        ("F16", b"\x00\x3c\x00\xc0", [1.0, -2.0]),
        ("F32", b"\x00\x00\x80\x3f", [1.0]),
        # 0 1110 111 is (1 + 7/8) x 2**7 = 240; 0 1111 110 is 448, the largest; 0x01 is 2**-9
        ("F8_E4M3", b"\x38\x77\x7e\x01\xb8", [1.0, 240.0, 448.0, 2.0**-9, -1.0]),
        ("F8_E8M0", b"\x7f\x80", [1.0, 2.0]),
        ("I8", b"\x01", None),
    ],
)
def test_number_formats_are_decoded(
    tmp_path: Path, dtype: str, content: bytes, values: list[float] | None
) -> None:
    bits = {"BF16": 16, "F16": 16, "F32": 32}.get(dtype, 8)
    write(tmp_path / "m.safetensors", {"x": (dtype, [len(content) * 8 // bits], content)})
    (tensor,) = read_header(tmp_path / "m.safetensors")
    read = read_floats(tensor)
    assert (None if read is None else read.tolist()) == values


def test_the_last_power_of_two_is_no_number() -> None:
    assert np.isnan(decode_powers(b"\xff")).all()


@pytest.mark.parametrize(
    ("dtype", "content", "num_nonfinite"),
    [
        ("BF16", b"\x7f\x7f\x7f\xff", 0),  # the largest finite value, and its negative
        ("BF16", b"\x80\x7f\x80\xff\xc0\x7f", 3),  # infinities of both signs, NaN
        ("F16", b"\xff\x7b\x00\x7c\x01\xfc", 2),
        ("F32", b"\xff\xff\x7f\x7f\x00\x00\x80\xff", 1),
        ("F8_E4M3", b"\x7e\x7f\xff", 2),
        ("F8_E5M2", b"\x7b\x7c\xfe", 2),
        ("I8", b"\x7f\xff", 0),
    ],
)
def test_what_is_no_number_is_counted_by_its_pattern(
    tmp_path: Path, dtype: str, content: bytes, num_nonfinite: int
) -> None:
    width = {"BF16": 2, "F16": 2, "F32": 4}.get(dtype, 1)
    stored: Stored = {
        "odd": ("U8", [1], b"\1"),  # the next one starts at an odd offset
        "x": (dtype, [len(content) // width], content),
    }
    write(tmp_path / "m.safetensors", stored)
    assert scan(read_header(tmp_path / "m.safetensors"))["x"].num_nonfinite == num_nonfinite


def test_every_piece_of_a_large_tensor_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning, "PIECE", 64)
    weights = ONE * 100 + b"\xc0\x7f" + ONE * 99  # 400 bytes: 6 pieces and 16 bytes
    last = b"\0" * 130 + b"\1"
    stored: Stored = {
        "bf16": ("BF16", [200], weights),
        "zero": ("I8", [131], b"\0" * 131),
        "last": ("I8", [131], last),
        "early": ("I8", [131], b"\1" + b"\0" * 130),
        "none": ("BF16", [0], b""),
    }
    write(tmp_path / "m.safetensors", stored)
    found = scan(read_header(tmp_path / "m.safetensors"))
    assert (found["bf16"].num_nonfinite, found["bf16"].num_read) == (1, 400)
    assert (found["zero"].constant, found["zero"].num_read) == (0, 131)
    assert (found["last"].constant, found["last"].num_read) == (None, 131)
    assert (found["early"].constant, found["early"].num_read) == (None, 64)
    assert (found["none"].constant, found["none"].num_read) == (None, 0)
