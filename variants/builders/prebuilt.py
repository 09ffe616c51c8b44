"""A checkpoint that somebody else has made, copied into the store as it is."""

import shutil
from pathlib import Path
from typing import Any

from variants.contents import digest_content, list_files
from variants.errors import RecipeError

MANIFEST = "manifest.json"  # written last into an artifact's folder


def build(origin: str, output: str) -> dict[str, Any]:
    """Copy every file of a folder; what it claims to be is the audit's to check.

    Raises:
        RecipeError: it is a single file, holds links that lead nowhere or a manifest of the
            store's name, or was changed meanwhile.
    """
    folder = Path(origin)
    if not folder.is_dir():
        raise RecipeError(f"{folder.name} is a single file; a prebuilt variant is a folder")
    if lost := [
        path.name for path in folder.rglob("*") if path.is_symlink() and not path.is_file()
    ]:
        raise RecipeError(f"{folder.name} holds links to no file ({lost[0]}); put the files there")
    if (folder / MANIFEST).exists():
        raise RecipeError(f"{folder.name} holds a {MANIFEST}, which is the store's; rename it")
    for path in list_files(folder):
        target = Path(output) / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)  # a hub's snapshot holds links
    if digest_content(Path(output)) != digest_content(folder):
        raise RecipeError(f"{folder.name} changed while it was copied; build it again")
    return {"note": "prebuilt: what it was calibrated with is not known"}
