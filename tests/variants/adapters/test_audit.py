"""Hostile and broken adapters written by hand, each refused by the check that is for it."""

import json
import math
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.variants.adapters.hand import LAYERS, adapter, base, f32, matrices, settings, write
from variants.adapters.__main__ import main
from variants.adapters.audit import Ground, audit_adapter
from variants.adapters.pairs import change_norm, read_pairs
from variants.adapters.settings import Settings
from variants.audit.finding import AuditFinding
from variants.specs.spec import Adapter

UP = f"base_model.model.{LAYERS[0]}.lora_B.weight"
DOWN = f"base_model.model.{LAYERS[0]}.lora_A.weight"


def failed(folder: Path, ground: Path | None = None) -> dict[str, str]:
    findings = audit_adapter(folder, Ground(ground) if ground else None)
    return {one.name: one.reason for one in findings if not one.passed}


def test_a_sound_adapter_passes_every_check(tmp_path: Path) -> None:
    findings = audit_adapter(adapter(tmp_path / "a"), Ground(base(tmp_path / "base")))
    assert [one.name for one in findings] == [
        "files", "licence", "structure", "rank", "targets", "finite", "change", "base",
        "fits the base",
    ]  # fmt: skip
    assert [one for one in findings if not one.passed] == []
    told = {one.name: one for one in findings}
    assert told["rank"].reason == "rank 2, scaling 2"  # alpha 4 / rank 2
    assert told["licence"].values == {"licence": "apache-2.0"}
    # every entry of B @ A is 2 x .01 x .01, and the scaling is 2
    assert told["change"].values["largest_change_rms"] == pytest.approx(4e-4)


def test_the_worked_example_of_a_change(tmp_path: Path) -> None:
    two, one = np.array([[1.0], [2.0]], "<f4"), np.array([[3.0, 4.0]], "<f4")
    tensors = {DOWN: ("F32", [1, 2], one.tobytes()), UP: ("F32", [2, 1], two.tobytes())}
    (pair,) = read_pairs(adapter(tmp_path / "a", tensors) / "adapter_model.safetensors")
    assert change_norm(pair) == pytest.approx(math.sqrt(125))
    assert pair.shape == (2, 2)


def test_the_worked_example_of_scaling() -> None:
    said = settings(r=16, lora_alpha=32)
    assert Settings.model_validate(said).scaling("x") == 2
    assert Settings.model_validate(said | {"use_rslora": True}).scaling("x") == 8
    own = said | {"rank_pattern": {"up_proj": 4}, "alpha_pattern": {"mlp.up_proj": 2}}
    assert Settings.model_validate(own).scaling(LAYERS[0]) == 0.5
    assert Settings.model_validate(own).scaling("model.up_projection") == 2


def pickle(folder: Path) -> None:
    (folder / "adapter_model.bin").write_bytes(b"\x80\x04.")


def nested_pickle(folder: Path) -> None:
    (folder / "checkpoint-1").mkdir()
    (folder / "checkpoint-1" / "optimizer.pt").write_bytes(b"\x80\x04.")


def code(folder: Path) -> None:
    (folder / "modeling.py").write_text("raise SystemExit")


def link_out(folder: Path) -> None:
    (folder / "LICENSE").symlink_to("/etc/hostname")


def link_to_folder(folder: Path) -> None:
    (folder / "more").symlink_to("/etc")


def link_nowhere(folder: Path) -> None:
    (folder / "LICENSE").symlink_to(folder / "gone")


def link_in_a_circle(folder: Path) -> None:
    (folder / "LICENSE").symlink_to(folder / "LICENSE")


def pipe(folder: Path) -> None:
    os.mkfifo(folder / "LICENSE")


def archive(folder: Path) -> None:
    (folder / "more.tar.gz").write_bytes(b"")


def backslash(folder: Path) -> None:
    (folder / "..\\..\\evil").write_text("")


def many(folder: Path) -> None:
    for number in range(70):
        (folder / f"{number}.txt").write_text("")


def many_folders(folder: Path) -> None:
    for number in range(70):
        (folder / f"{number}").mkdir()


def huge(folder: Path) -> None:
    with (folder / "adapter_model.safetensors").open("ab") as stream:
        stream.truncate(3 << 30)  # a hole: it takes no space


def long_settings(folder: Path) -> None:
    (folder / "adapter_config.json").write_text(" " * (2 << 20))


def no_weights(folder: Path) -> None:
    (folder / "adapter_model.safetensors").unlink()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (pickle, "adapter_model.bin can run code"),
        (nested_pickle, "checkpoint-1/optimizer.pt can run code"),
        (code, "modeling.py can run code"),
        (link_out, "LICENSE is a link that leads out"),
        (link_to_folder, "more is a link that leads out"),
        (link_nowhere, "LICENSE is a link that leads out"),
        (link_in_a_circle, "LICENSE is a link that leads out"),
        (pipe, "LICENSE is no regular file"),
        (archive, "more.tar.gz is an archive"),
        (backslash, "no plain file name"),
        (many, "more than 64 files and folders"),
        (many_folders, "more than 64 files and folders"),
        (huge, "3,221,225,472 bytes|the limit is 2,147,483,648"),
        (long_settings, "adapter_config.json has 2,097,152 bytes"),
        (no_weights, "adapter_model.safetensors is missing"),
    ],
)
def test_a_folder_that_may_not_be_opened_is_refused_unread(
    tmp_path: Path, spoil: Callable[[Path], None], told: str
) -> None:
    folder = adapter(tmp_path / "a")
    spoil(folder)
    findings = audit_adapter(folder)
    assert [one.name for one in findings] == ["files"]
    assert any(part in findings[0].reason for part in told.split("|"))
    assert main([str(folder)]) == 1


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"r": 100_000}, "r: Input should be less than or equal to 512"),
        ({"r": 0}, "r: Input should be greater than or equal to 1"),
        ({"r": "2"}, "r: Input should be a valid integer"),
        ({"lora_alpha": float("nan")}, "lora_alpha"),
        ({"lora_alpha": float("inf")}, "lora_alpha"),
        ({"lora_alpha": -4}, "lora_alpha"),
        ({"modules_to_save": ["lm_head"]}, "modules_to_save is ['lm_head']"),
        ({"use_dora": True}, "use_dora is True"),
        ({"bias": "all"}, "bias: Input should be 'none'"),
        ({"layer_replication": [[0, 2]]}, "layer_replication"),
        ({"auto_mapping": {"parent_library": "evil"}}, "auto_mapping"),
        ({"a_field_of_next_year": 1}, "a_field_of_next_year is 1"),
        ({"init_lora_weights": "pissa"}, "changes the base's own weights"),
        ({"peft_type": "IA3"}, "peft_type: Input should be 'LORA'"),
        ({"task_type": "SEQ_CLS"}, "task_type"),
        ({"rank_pattern": {"(a+)+$": 4}}, "is no plain module name"),
        ({"rank_pattern": {"up_proj": 4096}}, "rank 4096 is not within 1 to 512"),
    ],
)
def test_settings_that_are_not_served_are_refused(
    tmp_path: Path, changed: dict[str, object], told: str
) -> None:
    found = failed(adapter(tmp_path / "a", said=settings(**changed)))
    assert told in found["structure"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 100_000, "cannot be read"),
        ("not json", "cannot be read"),
        ('{"r": 2, "r": 4}', "names 'r' twice"),
        ("[]", "adapter_config.json"),
    ],
)
def test_settings_that_cannot_be_read_are_refused(tmp_path: Path, text: str, told: str) -> None:
    folder = adapter(tmp_path / "a")
    (folder / "adapter_config.json").write_text(text)
    assert told in failed(folder)["structure"]


def spoilt(name: str, shape: tuple[int, ...]) -> dict[str, object]:
    return {**matrices(), name: f32(*shape)}


@pytest.mark.parametrize(
    ("tensors", "told"),
    [
        (spoilt(DOWN, (3, 4)), "cannot be multiplied"),
        (spoilt(DOWN, (8,)), "two dimensions"),
        (spoilt(DOWN, (2, 0)), "cannot be multiplied"),
        ({}, "holds no tensor"),
        ({UP: f32(8, 2)}, "lora_B alone"),
        (spoilt("base_model.model.lm_head.weight", (8, 4)), "no matrix of a linear layer"),
        (spoilt("model.layers.0.mlp.up_proj.lora_A.weight", (2, 4)), "no matrix of a linear"),
        (spoilt("base_model.model.../../x.lora_A.weight", (2, 4)), "no matrix of a linear layer"),
        (spoilt("base_model.model.a..b.lora_A.weight", (2, 4)), "no matrix of a linear layer"),
    ],
)
def test_tensors_that_are_no_pairs_are_refused(
    tmp_path: Path, tensors: dict[str, tuple[str, list[int], bytes]], told: str
) -> None:
    assert told in failed(adapter(tmp_path / "a", tensors))["structure"]


def test_a_header_that_lies_is_refused(tmp_path: Path) -> None:
    folder = adapter(tmp_path / "a")
    weights = folder / "adapter_model.safetensors"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:-1])
    assert "header describes" in failed(folder)["structure"]
    weights.write_bytes((20 << 20).to_bytes(8, "little") + whole[8:])
    assert "has a header of 20,971,520 bytes" in failed(folder)["structure"]
    deep = b'{"a":' + b"[" * 200_000
    weights.write_bytes(len(deep).to_bytes(8, "little") + deep)
    assert "structure" in failed(folder)
    weights.write_bytes(b"PK\x03\x04" + b"\0" * 100)
    assert "structure" in failed(folder)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_none_are_found(tmp_path: Path, value: float) -> None:
    found = failed(adapter(tmp_path / "a", {**matrices(), UP: f32(8, 2, value=value)}))
    assert found == {"finite": f"{UP} holds 16 NaN or infinite"}


def test_other_number_formats_are_refused(tmp_path: Path) -> None:
    found = failed(adapter(tmp_path / "a", {**matrices(), UP: ("I8", [8, 2], bytes(16))}))
    assert found["finite"] == f"{UP} is I8; use one of BF16, F16, F32"


def test_a_rank_that_is_not_the_one_told_or_above_its_layer_is_refused(tmp_path: Path) -> None:
    found = failed(adapter(tmp_path / "a", matrices(rank=3)))
    assert found["rank"].startswith(f"{LAYERS[0]} holds rank 3, adapter_config.json says 2")
    found = failed(adapter(tmp_path / "b", matrices(rank=5), settings(r=5)))
    assert found["rank"].startswith(f"{LAYERS[0]} has rank 5, above the 4 of its own layer")


def test_an_adapter_that_does_nothing_or_far_too_much_is_refused(tmp_path: Path) -> None:
    idle = {name: f32(*stored[1], value=0.0 if "lora_B" in name else 1.0)
            for name, stored in matrices().items()}  # fmt: skip
    assert "was never trained" in failed(adapter(tmp_path / "idle", idle))["change"]
    # an entry of B @ A is 2 x .01 x .01; alpha / rank = 1e4 / 2 makes it 1.0, and 1.1e4 more
    assert failed(adapter(tmp_path / "loud", said=settings(lora_alpha=1e4))) == {}
    found = failed(adapter(tmp_path / "mad", said=settings(lora_alpha=1.1e4)))
    assert found["change"].startswith("at most 1.1 per entry of a weight")


def test_targets_without_matrices_and_matrices_without_a_target_are_told(tmp_path: Path) -> None:
    found = failed(adapter(tmp_path / "a", said=settings(target_modules=["up_proj", "q_proj"])))
    assert found == {"targets": "q_proj is named and has no matrices"}
    found = failed(adapter(tmp_path / "b", said=settings(target_modules=["layers.0.mlp.up_proj"])))
    assert found == {"targets": f"{LAYERS[1]} has matrices and is not named"}
    # a pattern is not run, whatever it is
    assert failed(adapter(tmp_path / "c", said=settings(target_modules="(a+)+$"))) == {}


def test_layers_and_shapes_that_the_base_has_not_are_refused(tmp_path: Path) -> None:
    ground = base(tmp_path / "base")
    away = tuple(name.replace("model.layers", "model.language_model.layers") for name in LAYERS)
    found = failed(adapter(tmp_path / "a", matrices(away)), ground)
    assert found["fits the base"].startswith(f"{away[0]} is no linear layer of the base")
    wide = matrices() | {UP: f32(16, 2)}
    found = failed(adapter(tmp_path / "b", wide), ground)
    assert found == {"fits the base": f"{LAYERS[0]} is for 16 x 4, the base has 8 x 4"}


def test_a_base_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    assert "fits the base" in failed(adapter(tmp_path / "a"), tmp_path)


def of_base(tmp_path: Path, source: str, pinned: str | None = None) -> AuditFinding:
    spec = Adapter(name="a", source="file:///a", sha256="0" * 64, base_sha256=pinned)
    folder = tmp_path / "a"
    ground = Ground(tmp_path / "none", source, "b" * 64)
    findings = audit_adapter(folder if folder.exists() else adapter(folder), ground, spec)
    return next(one for one in findings if one.name == "base")


def test_the_base_that_is_named_is_compared_where_it_can_be(tmp_path: Path) -> None:
    assert of_base(tmp_path, "hf://Acme/toy@main").passed
    other = of_base(tmp_path, "hf://acme/giant@main")
    assert "'acme/toy', offered to hf://acme/giant@main: another base" in other.reason
    assert "shapes are" in of_base(tmp_path, "wheel://toy==1/toy.gguf").reason
    assert of_base(tmp_path, "hf://acme/giant@main", "b" * 64).passed
    assert "pinned to the base cccccccccccc" in of_base(tmp_path, "file:///x", "c" * 64).reason


def test_a_licence_is_read_off_the_card_or_the_file_or_missed(tmp_path: Path) -> None:
    bare = adapter(tmp_path / "a", card="# no head\nlicense: mit\n")
    assert "no licence is named" in failed(bare)["licence"]
    (bare / "LICENSE.txt").write_text("MIT")
    assert failed(bare) == {}
    spec = Adapter(name="a", source="file:///a", sha256="0" * 64, licence="mit")
    (bare / "LICENSE.txt").unlink()
    assert all(one.passed for one in audit_adapter(bare, None, spec))


def test_the_command_line_says_what_it_saw(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, ground = adapter(tmp_path / "a"), base(tmp_path / "base")
    assert main([str(folder), "--base", str(ground)]) == 0
    out = capsys.readouterr().out
    assert "9 checks, 0 failed\nsha256 " in out
    write(folder / "adapter_model.safetensors", matrices(rank=3))
    assert main([str(folder)]) == 1
    assert "FAIL  rank " in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main([str(folder / "adapter_config.json")])
    assert stopped.value.code == 2
    assert json.loads((folder / "adapter_config.json").read_text())["r"] == 2
