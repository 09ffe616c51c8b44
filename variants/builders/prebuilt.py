"""A checkpoint that somebody else has made, copied into the store as it is."""

import shutil
from pathlib import Path
from typing import Any

from variants.contents import list_files
from variants.errors import RecipeError


def build(origin: str, output: str) -> dict[str, Any]:
    """Copy every file of a folder; what it claims to be is the audit's to check.

    Raises:
        RecipeError: it is a single file, which no engine of ours serves as it is.
    """
    folder = Path(origin)
    if not folder.is_dir():
        raise RecipeError(f"{folder.name} is a single file; a prebuilt variant is a folder")
    for path in list_files(folder):
        target = Path(output) / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)  # a hub's snapshot holds links
    return {"note": "prebuilt: what it was calibrated with is not known"}
