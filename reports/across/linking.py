"""Links from one page of a home to another: relative, so that a copied folder still works."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from variants.home import Home


@dataclass(frozen=True, slots=True)
class Links:
    """Where a page is to lie, and the home that it links into."""

    home: Home
    folder: Path

    def report(self, run: str) -> str:
        """Return the address of a run's report; '' if it has none."""
        path = self.home.report(run) / "report.html"
        if not path.is_file():
            return ""
        return quote(os.path.relpath(path, self.folder.resolve()), safe="/")
