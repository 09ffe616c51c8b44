"""Whose an adapter is, and which base it was trained on."""

import re
from pathlib import Path

from variants.adapters.settings import Settings
from variants.audit.finding import AuditFinding, judge
from variants.specs.spec import Adapter

LICENCE_LINE = re.compile(r"^license:[ \t]*['\"]?([A-Za-z0-9][\w.+-]*)", re.MULTILINE)
FRONT_CHARACTERS = 10_000
# an address, or a source's description of itself (variants/sources/hub.py)
HUB = re.compile(r"(?:hf://)?(?P<repo>[\w.-]+/[\w.-]+)(?:@| at commit )", re.ASCII)
REPO = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def read_licence(folder: Path) -> str | None:
    """Read the licence off the model card's head, else name the licence file."""
    card = folder / "README.md"
    if card.is_file():
        with card.open(encoding="utf-8", errors="replace") as stream:
            parts = stream.read(FRONT_CHARACTERS).split("---")
        if len(parts) >= 3 and not parts[0].strip() and (found := LICENCE_LINE.search(parts[1])):
            return found[1]
    files = licence_files(folder)
    return f"see {files[0].name}" if files else None


def licence_files(folder: Path) -> list[Path]:
    """List the files that hold a licence's text."""
    return sorted(path for path in folder.glob("LICEN[CS]E*") if path.is_file())


def check_licence(folder: Path, given: str) -> AuditFinding:
    """Look for a licence: what the user says, the card, or a file."""
    licence = given or read_licence(folder)
    told = "no licence is named in README.md, no LICENSE file, none was given; say licence: ..."
    return judge("licence", [] if licence else [told], str(licence), licence=licence)


def check_base(
    settings: Settings, adapter: Adapter | None, base_source: str, base_digest: str
) -> AuditFinding:
    """Compare the base that the adapter names with ours.

    A pinned digest must be ours. Names can be compared where both are of a hub; a path on the
    machine it was trained on says nothing, and then the shapes alone have to fit.
    """
    named = settings.base_model_name_or_path
    praise = f"trained on {named!r}, offered to {base_source or 'a folder'}"
    if adapter is not None and adapter.base_sha256:
        wrong = adapter.base_sha256 != base_digest
        told = (
            f"it is pinned to the base {adapter.base_sha256[:12]}, this one is {base_digest[:12]}"
        )
        return judge("base", [told] if wrong else [], f"{praise}; pinned to its digest")
    ours = HUB.match(base_source)
    if ours and named and REPO.fullmatch(named):
        wrong = ours["repo"].lower() != named.lower()
        return judge("base", [f"{praise}: another base"] if wrong else [], praise, named=named)
    return judge("base", [], f"{praise}; names cannot be compared, shapes are", named=named)
