"""A checkpoint that somebody else has made, copied into the store as it is."""

import shutil
from pathlib import Path
from typing import Any

from variants.errors import RecipeError
from variants.kept.contents import digest_content, list_files, stray_links

MANIFEST = "manifest.json"  # written last into an artifact's folder


def build(origin: str, output: str) -> dict[str, Any]:
    """Copy every file of a folder; what it claims to be is the audit's to check.

    Raises:
        RecipeError: it is a single file, holds links that lead nowhere or elsewhere or a manifest
            of the store's name, or was changed meanwhile.
    """
    folder = Path(origin)
    if not folder.is_dir():
        raise RecipeError(f"{folder.name} is a single file; a prebuilt variant is a folder")
    if strays := stray_links(folder):
        raise RecipeError(
            f"{folder.name} holds links to no file of its own ({strays[0]}); put the files there"
        )
    if (folder / MANIFEST).exists():
        raise RecipeError(f"{folder.name} holds a {MANIFEST}, which is the store's; rename it")
    for path in list_files(folder):
        target = Path(output) / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)  # a hub's snapshot holds links
    if digest_content(Path(output)) != digest_content(folder):
        raise RecipeError(f"{folder.name} changed while it was copied; build it again")
    return {"note": "prebuilt", "is_calibration_unknown": True}
