"""Audits of artifacts written by hand: two blocks of one 64 x 64 layer each, and an embedding."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from variants.audit import (
    AuditFinding,
    audit_artifact,
    audit_by_label,
    effective_bits,
    weight_bytes,
)
from variants.audit.__main__ import main
from variants.audit.safetensors import read_floats, read_header
from variants.errors import BuildError
from variants.spec import Quantization

Stored = dict[str, tuple[str, list[int], bytes]]  # dtype, shape, content
ONE = b"\x80\x3f"  # 1.0 in bf16
INT8 = Quantization(scheme="int8_w8a8")
INT4 = Quantization(scheme="int4_w4a16")
FP8 = Quantization(scheme="fp8_dynamic")
LAYERS = ("model.layers.0.mlp.up_proj", "model.layers.1.mlp.up_proj")


def write(path: Path, tensors: Stored) -> None:
    header, position = {"__metadata__": {"format": "pt"}}, 0
    for name, (dtype, shape, content) in tensors.items():
        offsets = [position, position + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": offsets}  # type: ignore[dict-item]
        position += len(content)
    text = json.dumps(header).encode()
    content = b"".join(content for _, _, content in tensors.values())
    path.write_bytes(len(text).to_bytes(8, "little") + text + content)


def noise(num_bytes: int) -> bytes:
    """Bytes that differ, and are finite in bf16 (below 0x7F80) and in FP8 (below 0x7F)."""
    return (np.arange(num_bytes) % 61).astype(np.uint8).tobytes()


def rest() -> Stored:
    norms: Stored = {f"model.layers.{i}.norm.weight": ("BF16", [64], ONE * 64) for i in range(2)}
    return {"model.embed_tokens.weight": ("BF16", [100, 64], noise(12800)), **norms}


def bf16() -> Stored:
    return rest() | {f"{name}.weight": ("BF16", [64, 64], noise(8192)) for name in LAYERS}


def eight_bits(dtype: str) -> Stored:
    tensors = rest()
    for name in LAYERS:
        tensors[f"{name}.weight"] = (dtype, [64, 64], noise(4096))
        tensors[f"{name}.weight_scale"] = ("BF16", [64, 1], ONE * 64)
    return tensors


def int4(num_groups: int = 1) -> Stored:
    tensors = rest()
    for name in LAYERS:
        tensors[f"{name}.weight_packed"] = ("I32", [64, 8], noise(2048))
        tensors[f"{name}.weight_scale"] = ("BF16", [64, num_groups], ONE * 64 * num_groups)
        shape = np.array([64, 64], "<i8").tobytes()
        tensors[f"{name}.weight_shape"] = ("I64", [2], shape)
    return tensors


def label(num_bits: int, kind: str, activations: int | None, group: int | None = None) -> object:
    weights = {"num_bits": num_bits, "type": kind, "strategy": "group" if group else "channel"}
    inputs = {"num_bits": activations, "type": kind, "strategy": "token"} if activations else None
    group_0 = {"weights": weights | {"group_size": group}, "input_activations": inputs}
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": group_0},
        "ignore": ["lm_head"],
    }


CONFIG: dict[str, object] = {"hidden_size": 64, "num_hidden_layers": 2, "dtype": "bfloat16"}
SPECIALS: dict[str, object] = {"bos_token": "<s>", "eos_token": "</s>"}


def artifact(folder: Path, tensors: Stored, quantization_config: object = None) -> Path:
    folder.mkdir()
    quantized = {"quantization_config": quantization_config} if quantization_config else {}
    files: dict[str, dict[str, object]] = {
        "config.json": CONFIG | quantized,
        "tokenizer.json": {"model": {"vocab": {"a": 0}}},
        "tokenizer_config.json": SPECIALS,
        "generation_config.json": {"eos_token_id": 2, "transformers_version": folder.name},
    }
    for name, value in files.items():
        (folder / name).write_text(json.dumps(value), encoding="utf-8")
    (folder / "chat_template.jinja").write_text("{{ messages }}", encoding="utf-8")
    write(folder / "model.safetensors", tensors)
    return folder


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return artifact(tmp_path / "base", bf16())


def failed(findings: tuple[AuditFinding, ...]) -> dict[str, str]:
    return {finding.name: finding.reason for finding in findings if not finding.passed}


@pytest.mark.parametrize(
    ("tensors", "quantization_config", "quantization", "bits"),
    [
        (bf16(), None, None, 16.0),
        (eight_bits("I8"), label(8, "int", 8), INT8, 8.25),  # 8 + 16 / 64
        (eight_bits("F8_E4M3"), label(8, "float", 8), FP8, 8.25),
        (int4(), label(4, "int", None), INT4, 4.28125),  # 4 + 16 / 64 + 128 / 4096
        (
            int4(num_groups=2),
            label(4, "int", None, group=32),
            INT4.model_copy(update={"group_size": 32}),
            4.53125,  # 4 + 16 / 32 + 128 / 4096
        ),
    ],
)
def test_whole_artifacts_pass(
    tmp_path: Path,
    base: Path,
    tensors: Stored,
    quantization_config: object,
    quantization: Quantization | None,
    bits: float,
) -> None:
    folder = artifact(tmp_path / "artifact", tensors, quantization_config)
    assert failed(audit_artifact(folder, base, quantization)) == {}
    assert failed(audit_by_label(folder, base)) == {}
    assert failed(audit_by_label(folder, None)) == {}
    assert effective_bits(folder) == bits
    assert weight_bytes(folder) == sum(len(content) for _, _, content in tensors.values())


UP = f"{LAYERS[1]}.weight"
SCALE = f"{LAYERS[1]}.weight_scale"
ZERO_SCALE = ONE * 63 + b"\0\0"
NAN_SCALE = ONE * 63 + b"\xc0\x7f"
NEGATIVE_SCALE = ONE * 63 + b"\x80\xbf"


@pytest.mark.parametrize(
    ("name", "stored", "check", "words"),
    [
        (UP, None, "inventory", f"{UP} is missing"),
        (UP, ("BF16", [64, 64], noise(8192)), "coverage", "weight BF16"),
        (UP, ("I8", [64, 32], noise(2048)), "inventory", r"is \[64, 32\], in the base \[64, 64\]"),
        (UP, ("I8", [64, 64], bytes(4096)), "constant", "one byte 0x00"),
        (SCALE, None, "coverage", f"{LAYERS[1]} has no weight_scale"),
        (SCALE, ("BF16", [32, 1], ONE * 32), "coverage", r"scales \[32, 1\], expected \[64, 1\]"),
        (SCALE, ("BF16", [64, 1], ZERO_SCALE), "scales", "1 zero of 64"),
        (SCALE, ("BF16", [64, 1], NAN_SCALE), "scales", "1 NaN of 64"),
        (SCALE, ("BF16", [64, 1], NEGATIVE_SCALE), "scales", "1 negative of 64"),
        (SCALE, ("F32", [64, 1], np.full(64, np.inf, "<f4").tobytes()), "scales", "64 infinite"),
        (SCALE, ("F16", [64, 1], np.zeros(64, "<f2").tobytes()), "scales", "64 zero"),
        ("model.layers.0.norm.weight", ("BF16", [64], NAN_SCALE), "finite", "1 NaN or infinite"),
        ("model.layers.0.norm.weight", ("F32", [64], noise(256)), "dtype", "is F32"),
        ("model.extra.weight", ("BF16", [4], ONE * 4), "inventory", "is not in the base"),
    ],
)
def test_damage_to_a_tensor_fails_its_check(
    tmp_path: Path,
    base: Path,
    name: str,
    stored: tuple[str, list[int], bytes] | None,
    check: str,
    words: str,
) -> None:
    tensors = eight_bits("I8")
    if stored is None:
        del tensors[name]
    else:
        tensors[name] = stored
    folder = artifact(tmp_path / "artifact", tensors, label(8, "int", 8))
    reasons = failed(audit_artifact(folder, base, INT8))
    assert check in reasons
    with pytest.raises(AssertionError, match=words):
        raise AssertionError(reasons[check])


@pytest.mark.parametrize(
    ("tensors", "quantization_config", "quantization", "checks"),
    [
        (eight_bits("I8"), label(4, "int", None), INT4, {"coverage", "bits"}),  # 8 bits, called 4
        (bf16(), label(8, "int", 8), INT8, {"coverage", "bits"}),  # never quantized
        (bf16(), None, INT8, {"label", "coverage", "bits"}),
        (eight_bits("I8"), label(8, "int", 8), None, {"label", "coverage", "bits"}),
        (eight_bits("I8"), label(8, "int", None), INT8, {"label"}),  # W8A16, asked W8A8
        (eight_bits("F8_E4M3"), label(8, "int", 8), INT8, {"coverage"}),
        (int4(), label(4, "int", None, group=32), INT4, {"label"}),
        (
            int4(),
            label(4, "int", None, group=32),
            INT4.model_copy(update={"group_size": 32}),
            {"coverage"},
        ),
    ],
)
def test_a_label_that_is_not_true_fails(
    tmp_path: Path,
    base: Path,
    tensors: Stored,
    quantization_config: object,
    quantization: Quantization | None,
    checks: set[str],
) -> None:
    folder = artifact(tmp_path / "artifact", tensors, quantization_config)
    assert checks <= failed(audit_artifact(folder, base, quantization)).keys()


@pytest.mark.parametrize(
    "quantization_config",
    [
        {"quant_method": "gptq", "bits": 4},
        {"quant_method": "compressed-tensors", "config_groups": {}},
        label(8, "complex", 8),
        "int8",
    ],
)
def test_a_label_that_is_not_understood_is_named(
    tmp_path: Path, base: Path, quantization_config: object
) -> None:
    folder = artifact(tmp_path / "artifact", eight_bits("I8"), quantization_config)
    assert "quantization_config" in failed(audit_artifact(folder, base, INT8))["structure"]


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


DAMAGES = (
    cut,
    extend,
    empty,
    lie_about_the_header,
    spoil_the_header,
    lie_about_a_shape,
    invent_a_dtype,
)


@pytest.mark.parametrize("damage", DAMAGES)
def test_header_and_bytes_that_disagree_end_the_audit(
    base: Path, damage: Callable[[Path], None]
) -> None:
    damage(base / "model.safetensors")
    assert list(failed(audit_artifact(base, base, None))) == ["structure"]
    with pytest.raises(BuildError, match=r"model\.safetensors"):
        weight_bytes(base)


def test_an_index_must_name_every_tensor_once(base: Path) -> None:
    first = {name: stored for name, stored in bf16().items() if "layers.1" not in name}
    second = {name: stored for name, stored in bf16().items() if "layers.1" in name}
    (base / "model.safetensors").unlink()
    write(base / "model-1.safetensors", first)
    write(base / "model-2.safetensors", second)
    assert "index.json" in failed(audit_artifact(base, None, None))["structure"]
    weight_map = dict.fromkeys(first, "model-1.safetensors")
    index = base / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weight_map}), encoding="utf-8")
    assert "disagree on 2 tensors" in failed(audit_artifact(base, None, None))["structure"]
    weight_map |= dict.fromkeys(second, "model-2.safetensors")
    index.write_text(json.dumps({"weight_map": weight_map}), encoding="utf-8")
    assert failed(audit_artifact(base, None, None)) == {}
    write(base / "model-2.safetensors", first)
    assert "is in model-1" in failed(audit_artifact(base, None, None))["structure"]


def test_a_missing_block_is_seen_without_a_base(tmp_path: Path) -> None:
    tensors = {name: stored for name, stored in bf16().items() if "layers.1" not in name}
    folder = artifact(tmp_path / "artifact", tensors)
    assert "config.json says 2" in failed(audit_artifact(folder, None, None))["inventory"]


@pytest.mark.parametrize("name", ["pytorch_model.bin", "training_args.pt", "modeling_x.py"])
def test_files_that_run_code_end_the_audit(base: Path, name: str) -> None:
    (base / name).write_bytes(b"")
    assert name in failed(audit_artifact(base, None, None))["unsafe files"]
    assert len(audit_artifact(base, None, None)) == 1


@pytest.mark.parametrize(
    ("file", "content", "check", "words"),
    [
        ("chat_template.jinja", "{{ message }}", "chat template", "differs from character 10"),
        ("chat_template.jinja", None, "chat template", "only the base has a chat template"),
        ("additional_chat_templates/tool_use.jinja", "{{ t }}", "chat template", "tool_use"),
        ("tokenizer.json", '{"model": {"vocab": {"b": 0}}}', "tokenizer", "model is"),
        ("tokenizer.json", None, "tokenizer", "only the base has tokenizer.json"),
        ("tokenizer.json", "{", "tokenizer", "cannot be read"),
        ("tokenizer_config.json", '{"bos_token": "<s>"}', "special tokens", "eos_token is None"),
        ("generation_config.json", '{"eos_token_id": 3}', "generation config", "eos_token_id is 3"),
        ("config.json", '{"hidden_size": 65, "dtype": "bfloat16"}', "config", "hidden_size is 65"),
    ],
)
def test_companions_must_equal_the_base(
    tmp_path: Path, base: Path, file: str, content: str | None, check: str, words: str
) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(content, encoding="utf-8")
    assert words in failed(audit_artifact(folder, base, None))[check]


def test_companions_that_mean_the_same_pass(tmp_path: Path, base: Path) -> None:
    folder = artifact(tmp_path / "artifact", bf16())
    (folder / "chat_template.jinja").unlink()
    tokens = {
        "eos_token": {"content": "</s>", "lstrip": False},
        "bos_token": "<s>",
        "is_local": True,
        "chat_template": "{{ messages }}",
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(tokens), encoding="utf-8")
    assert failed(audit_artifact(folder, base, None)) == {}


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


def test_the_command_prints_a_table_and_exits_by_it(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(base), "--base", str(base)]) == 0
    assert "15 checks, 0 failed" in capsys.readouterr().out
    cut(base / "model.safetensors")
    assert main([str(base)]) == 1
    assert "FAIL  structure" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nowhere")])
    assert "is no folder" in capsys.readouterr().err


def test_the_audit_imports_no_framework() -> None:
    code = "import sys, variants.audit; print({'torch', 'transformers'} & set(sys.modules))"
    root = Path(__file__).parents[2]
    output = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=root)
    assert output.strip() == "set()"
