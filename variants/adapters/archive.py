"""A zip with an adapter in it, unpacked only after its directory was looked at, within limits.

A directory may lie about lengths, so what is written is counted as well. Example of a bomb: 10 MB
of zeros pack into 10 kB, a ratio of 1,000; trained weights pack into about .9 of their length.
"""

import lzma
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from variants.adapters.files import MAX_BYTES, MAX_ENTRIES
from variants.errors import RecipeError
from variants.kept.durable import is_disk_full

MAX_RATIO = 100  # unpacked / packed; JSON and text reach 10 to 20
SLACK_BYTES = 1 << 20  # below this a ratio is nobody's harm
PIECE_BYTES = 1 << 20
# What zipfile and the disk say of broken bytes, passwords, twins, and names that are none.
SPOILT = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(RuntimeError, OSError, ValueError, IndexError),
)


def unpack(archive: Path, output: Path) -> None:
    """Write the files of a zip into a new folder.

    Raises:
        RecipeError: it is no zip, or a member leads out, is a link, is too large or is a bomb.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            members = [member for member in opened.infolist() if not member.is_dir()]
            _require_fit(archive.name, members)
            for member in members:
                _require_plain(archive.name, member)
            for member in members:
                _write(opened, member, output / PurePosixPath(member.filename))
    except SPOILT as problem:
        if is_disk_full(problem):
            raise
        raise RecipeError(
            f"{archive.name} cannot be unpacked ({problem}); give a folder, or a plain zip"
        ) from problem


def _require_fit(name: str, members: list[zipfile.ZipInfo]) -> None:
    total, packed = sum(m.file_size for m in members), sum(m.compress_size for m in members)
    if len(members) > MAX_ENTRIES or total > MAX_BYTES:
        raise RecipeError(
            f"{name} unpacks to {len(members)} files of {total:,} bytes; the limits are "
            f"{MAX_ENTRIES} and {MAX_BYTES:,}"
        )
    if total > SLACK_BYTES and total > MAX_RATIO * packed:
        raise RecipeError(
            f"{name} unpacks {packed:,} bytes to {total:,}, more than {MAX_RATIO} times: that is "
            "a zip bomb, no adapter"
        )


def _require_plain(archive: str, member: zipfile.ZipInfo) -> None:
    path = PurePosixPath(member.filename)
    if (
        not path.parts
        or path.is_absolute()
        or ".." in path.parts
        or "\\" in member.filename
        or ":" in path.parts[0]
    ):
        raise RecipeError(
            f"{archive}: member {member.filename!r} leads out of the folder; an adapter's files "
            "have plain names"
        )
    if stat.S_ISLNK(member.external_attr >> 16):
        raise RecipeError(f"{archive}: member {member.filename!r} is a link; pack the file itself")


def _write(opened: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    left = member.file_size
    with opened.open(member) as packed, path.open("xb") as stream:
        while piece := packed.read(PIECE_BYTES):
            left -= len(piece)
            if left < 0:
                raise RecipeError(
                    f"{member.filename} unpacks to more than the {member.file_size:,} bytes that "
                    "its directory says; do not use this archive"
                )
            stream.write(piece)
