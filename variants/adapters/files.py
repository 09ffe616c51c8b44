"""What an adapter's folder may hold: plain files, few, small, that run no code and lead nowhere.

Names alone and their lengths are looked at, so that nothing of a hostile folder is read. An engine
takes `adapter_model.bin`, a pickle, where the safetensors file is missing (vllm/lora/lora_model.py,
0.32), and follows links.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from variants.audit.finding import AuditFinding, judge
from variants.kept.contents import PICKLE_SUFFIXES

SETTINGS, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
CODE_SUFFIXES = PICKLE_SUFFIXES | {".py", ".pyc", ".so", ".dll", ".sh", ".npy", ".npz", ".h5"}
ARCHIVE_SUFFIXES = frozenset(
    {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".zst", ".rar", ".whl"}
)
MAX_ENTRIES = 64  # a published adapter holds two, beside a tokenizer, a README and pictures
# Rank 512 on every linear layer of a 70B model (80 blocks, hidden 8,192, inner 28,672, eight
# key-value heads): 80 x 512 x 188,416 x 2 bytes = 15.4 GB; rank 64 is 1.9 GB, and common is 16.
MAX_BYTES = 2 << 30
MAX_SETTINGS_BYTES = 1 << 20  # peft writes under 2 kB


def check_files(folder: Path, root: Path | None = None) -> AuditFinding:
    """Refuse links that leave `root` (the folder itself), pickles, code, archives and bulk."""
    found = list(_walk(folder))
    entries = [path for path in found if path.is_symlink() or not path.is_dir()]
    problems = [problem for path in entries if (problem := _problem(path, folder, root or folder))]
    sizes = {path.relative_to(folder).as_posix(): _length(path) for path in entries}
    problems += [
        f"{name} is missing; an adapter is {SETTINGS} and {WEIGHTS}"
        for name in (SETTINGS, WEIGHTS)
        if name not in sizes
    ]
    problems += _bulk(sizes, len(found))
    num_bytes = sum(sizes.values())
    praise = f"{len(sizes)} plain files, {num_bytes:,} bytes, no pickle, no code, no archive"
    return judge("files", problems, praise, num_bytes=num_bytes)


def _walk(folder: Path) -> Iterator[Path]:
    """List files, folders and links, none followed, up to one entry too many."""
    count = 0
    for parent, names, files in os.walk(folder):
        for name in (*sorted(names), *sorted(files)):
            yield Path(parent) / name
            count += 1
            if count > MAX_ENTRIES:
                return


def _problem(path: Path, folder: Path, root: Path) -> str:
    name = path.relative_to(folder).as_posix()
    if not name.isprintable() or "\\" in name:
        return f"{name!r} is no plain file name; rename it"
    if path.is_symlink() and not _leads_inside(path, root):
        return f"{name} is a link that leads out of the folder; put the file itself there"
    if not stat.S_ISREG(path.stat().st_mode):
        return f"{name} is no regular file; remove it"
    suffixes = {suffix.lower() for suffix in path.suffixes}
    if suffixes & CODE_SUFFIXES:
        return f"{name} can run code when loaded; keep safetensors alone"
    if suffixes & ARCHIVE_SUFFIXES:
        return f"{name} is an archive inside the adapter; unpack or remove it"
    return ""


def _leads_inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root.resolve())
    except (OSError, RuntimeError):  # it leads nowhere, or in a circle
        return False


def _length(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _bulk(sizes: dict[str, int], num_entries: int) -> list[str]:
    problems = []
    if num_entries > MAX_ENTRIES:
        problems.append(f"more than {MAX_ENTRIES} files and folders; keep what an adapter needs")
    if sum(sizes.values()) > MAX_BYTES:
        problems.append(f"{sum(sizes.values()):,} bytes, the limit is {MAX_BYTES:,}")
    if sizes.get(SETTINGS, 0) > MAX_SETTINGS_BYTES:
        problems.append(
            f"{SETTINGS} has {sizes[SETTINGS]:,} bytes, the limit is {MAX_SETTINGS_BYTES:,}"
        )
    return problems
