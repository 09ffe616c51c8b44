import hashlib
from pathlib import Path

import pytest

from variants.fingerprint import canonical_json, fingerprint, sha256_file, sha256_text
from variants.specs.spec import Base, Quantization, Recipe


def test_canonical_json_has_one_spelling() -> None:
    assert canonical_json({"b": 1, "a": [True, None]}) == '{"a":[true,null],"b":1}'
    assert canonical_json({"ü": 0.5}) == '{"ü":0.5}'


def test_fingerprint_is_the_start_of_the_sha256_of_the_canonical_json() -> None:
    expected = hashlib.sha256(b'{"a":[true,null],"b":1}').hexdigest()[:16]
    assert fingerprint({"b": 1, "a": (True, None)}) == expected


def test_equal_specs_have_equal_fingerprints_and_a_changed_field_another() -> None:
    one = Recipe(quantization=Quantization(scheme="int4_w4a16", group_size=64))
    two = Recipe(quantization=Quantization(group_size=64, scheme="int4_w4a16"))
    other = Recipe(quantization=Quantization(scheme="int4_w4a16", group_size=32))
    assert fingerprint(one) == fingerprint(two) != fingerprint(other)
    base = Base(source="file:///m")
    assert fingerprint(base, one) != fingerprint(one, base)


@pytest.mark.parametrize("value", [{1}, Path("/tmp"), b"x", object(), {1: 2}])
def test_what_has_no_stable_bytes_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        fingerprint({"key": [value]} if not isinstance(value, dict) else value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_are_none_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="no stable bytes"):
        canonical_json([value])


def test_text_and_file_digests(tmp_path: Path) -> None:
    # FIPS 180-2, appendix B.1: sha256("abc")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    (tmp_path / "f").write_text("abc", encoding="utf-8")
    assert sha256_text("abc") == sha256_file(tmp_path / "f") == abc
