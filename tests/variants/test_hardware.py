from pathlib import Path

import pytest

from variants import hardware
from variants.errors import EngineError


def test_this_machine_is_described() -> None:
    here = hardware.describe("cpu")
    assert here.target == "cpu"
    assert here.num_cores >= 1
    assert here.memory_bytes > 1 << 28
    assert here.cpu_model
    assert here.python.startswith("3.")
    assert hardware.describe("cpu") == here


def test_only_flags_that_decide_kernels_are_kept(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text(
        "processor\t: 0\nmodel name\t: Toy 9000\nflags\t\t: fpu amx_int8 avx512_bf16 avx2\n\n"
        "processor\t: 1\nmodel name\t: Other\nflags\t\t: fpu\n",
        encoding="utf-8",
    )
    assert hardware.read_cpu(cpuinfo) == ("Toy 9000", ("amx_int8", "avx2", "avx512_bf16"))
    assert hardware.read_cpu(tmp_path / "absent") == ("", ())


def test_memory_is_what_the_cgroup_leaves(tmp_path: Path) -> None:
    limit = tmp_path / "memory.max"
    host = hardware.read_memory_bytes(limit)
    limit.write_text("268435456\n", encoding="utf-8")
    assert hardware.read_memory_bytes(limit) == 268435456
    limit.write_text("max\n", encoding="utf-8")
    assert hardware.read_memory_bytes(limit) == host


def test_the_table_of_nvidia_smi_is_read() -> None:
    output = "NVIDIA H200, 143771, 570.86.15, GPU-1, 9.0\nNVIDIA GB10, [N/A], 580.1, GPU-2, 12.1\n"
    first, second = hardware.parse_accelerators(output)
    assert first.name == "NVIDIA H200"
    assert first.memory_bytes == 150754820096  # 143,771 MiB x 1,048,576
    assert (first.driver, first.uuid, first.compute_capability) == ("570.86.15", "GPU-1", "9.0")
    assert second.memory_bytes == 0
    assert hardware.parse_accelerators("") == ()


def fake_nvidia_smi(folder: Path, script: str) -> None:
    path = folder / "nvidia-smi"
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def test_a_driver_that_fails_is_no_accelerator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hardware.list_accelerators() == ()
    fake_nvidia_smi(tmp_path, "echo 'driver not loaded'; exit 9")
    assert hardware.list_accelerators() == ()
    with pytest.raises(EngineError, match="set target: cpu"):
        hardware.require("cuda")
    assert hardware.require("cpu").accelerators == ()


def test_cuda_is_met_where_a_gpu_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    fake_nvidia_smi(tmp_path, "echo 'NVIDIA H200, 143771, 570.86.15, GPU-1, 9.0'")
    assert [one.name for one in hardware.require("cuda").accelerators] == ["NVIDIA H200"]
