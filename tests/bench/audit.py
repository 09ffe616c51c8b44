"""How fast the audit reads a large checkpoint, beside plain reading of the same files.

    python -m tests.bench.audit [--gb 8]

Real bytes (a sparse file would be read from no disk) in bf16, and once more in int8 with scales.
Each reader starts in a process of its own, so its peak memory is its own; the files are dropped
from the page cache before each pass where the system lets a user do so (posix_fadvise). A pass
without dropping shows the audit's own cost, with the disk out of the way.

Prints; asserts nothing: the disk's speed is the machine's.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from variants.audit import audit_by_label
from variants.kept.durable import require_space
from variants.running.peak import peak_host_bytes

GB = 10**9
HIDDEN, SHARD_BYTES = 8192, GB
READ = 1 << 20  # as `dd bs=1M`
SCALE = b"\x80\x3f"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.audit", description=__doc__)
    parser.add_argument("--gb", type=float, default=8.0, help="size of each checkpoint")
    parser.add_argument("--folder", type=Path, help="where to write it; else a temporary folder")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        return _child(given.child[0], Path(given.child[1]))
    with tempfile.TemporaryDirectory(dir=given.folder) as scratch:
        for dtype in ("BF16", "I8"):
            folder = Path(scratch) / dtype
            require_space(Path(scratch), int(given.gb * GB * 1.1))
            num_bytes = generate(folder, dtype, int(given.gb * GB))
            num_files = len(list(folder.glob("*.safetensors")))
            print(f"{dtype}: {num_bytes / GB:.2f} GB in {num_files} files")
            for reader in ("plain", "audit"):
                for is_cold in (True, False):
                    _report(reader, folder, num_bytes, is_cold)
            for path in folder.iterdir():
                path.unlink()  # the next one needs the room
    return None


def generate(folder: Path, dtype: str, num_bytes: int) -> int:
    """Write square linear layers until the size is met; return the bytes of all tensors."""
    folder.mkdir()
    width = {"BF16": 2, "I8": 1}[dtype]
    layer_bytes = HIDDEN * HIDDEN * width
    num_layers = max(1, num_bytes // layer_bytes)
    generator = np.random.default_rng(0)
    # below 0x3F3F every pattern is finite in bf16; the draw is one layer, its start another each
    noise = generator.integers(0, 0x40, 2 * layer_bytes, np.uint8)
    layers = [f"model.layers.{i}.mlp.up_proj" for i in range(num_layers)]
    per_shard = max(1, SHARD_BYTES // layer_bytes)
    shards = [layers[i : i + per_shard] for i in range(0, num_layers, per_shard)]
    weight_map: dict[str, str] = {}
    for number, names in enumerate(shards):
        file = f"model-{number:05}.safetensors"
        held = _write_shard(folder / file, names, dtype, noise)
        weight_map |= dict.fromkeys(held, file)
    index = {"weight_map": weight_map}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text(json.dumps(_config(dtype, num_layers)))
    os.sync()
    return sum(path.stat().st_size for path in folder.glob("*.safetensors"))


def _write_shard(path: Path, names: list[str], dtype: str, noise: NDArray[np.uint8]) -> list[str]:
    size = noise.size // 2
    header: dict[str, object] = {}
    position = 0
    for name in names:
        header[f"{name}.weight"] = _entry(dtype, [HIDDEN, HIDDEN], position, position + size)
        position += size
        if dtype == "I8":
            end = position + 2 * HIDDEN
            header[f"{name}.weight_scale"] = _entry("BF16", [HIDDEN, 1], position, end)
            position = end
    text = json.dumps(header).encode()
    with path.open("wb") as stream:
        stream.write(len(text).to_bytes(8, "little") + text)
        for number in range(len(names)):
            start = (number * 4099) % size
            stream.write(noise[start : start + size].data)
            if dtype == "I8":
                stream.write(SCALE * HIDDEN)
    return list(header)


def _entry(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, object]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


def _config(dtype: str, num_layers: int) -> dict[str, object]:
    weights = {"num_bits": 8, "type": "int", "strategy": "channel"}
    inputs = {"num_bits": 8, "type": "int", "dynamic": True}
    quantization = {
        "quant_method": "compressed-tensors",
        "config_groups": {"0": {"weights": weights, "input_activations": inputs}},
    }
    config: dict[str, object] = {"num_hidden_layers": num_layers, "dtype": "bfloat16"}
    return config | ({"quantization_config": quantization} if dtype == "I8" else {})


def _report(reader: str, folder: Path, num_bytes: int, is_cold: bool) -> None:
    if is_cold:
        _drop(folder)
    command = [sys.executable, "-m", "tests.bench.audit", "--child", reader, str(folder)]
    told = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    speed = num_bytes / GB / told["seconds"]
    print(
        f"  {reader}, {'cold' if is_cold else 'warm'}: {told['seconds']:.2f} s, {speed:.2f} GB/s "
        f"of files ({told['processor_seconds']:.2f} s of processor), "
        f"{told['bytes_read'] / GB:.2f} GB looked at, peak {told['peak_bytes'] / 1e6:.0f} MB, "
        f"{told['peak_bytes'] / 1e6 - told['start_bytes'] / 1e6:+.0f} MB over its start"
        + (f"; {told['failed']}" if told["failed"] else "")
    )


def _drop(folder: Path) -> None:
    """Ask the system to forget the files' pages."""
    for path in folder.glob("*.safetensors"):
        handle = os.open(path, os.O_RDONLY)
        os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(handle)


def _child(reader: str, folder: Path) -> None:
    at_start, started, used = peak_host_bytes(), time.perf_counter(), time.process_time()
    failed: list[str] = []
    if reader == "plain":
        num_read = _read_plainly(folder)
    else:
        findings = audit_by_label(folder, None)
        failed = [f"{one.name}: {one.reason}" for one in findings if not one.passed]
        found = next(one for one in findings if one.name == "finite")
        num_read = int(float(found.values["num_bytes_read"] or 0))
    told = {
        "seconds": time.perf_counter() - started,
        "processor_seconds": time.process_time() - used,
        "bytes_read": num_read,
        "start_bytes": at_start,
        "peak_bytes": peak_host_bytes(),
        "failed": failed,
    }
    print(json.dumps(told))


def _read_plainly(folder: Path) -> int:
    buffer, num_read = bytearray(READ), 0
    for path in sorted(folder.glob("*.safetensors")):
        with path.open("rb", buffering=0) as stream:
            while size := stream.readinto(buffer):
                num_read += size
    return num_read


if __name__ == "__main__":
    main()
