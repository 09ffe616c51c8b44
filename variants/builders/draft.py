"""The weights that speculation drafts with: fetched, made ready for the engine, and stored.

A smaller model is made into a bf16 folder as a base is; a head (EAGLE) is taken as it is, for
nothing but the engine can read one.
"""

from pathlib import Path

from variants.builders.artifact import build_artifact
from variants.errors import BuildError
from variants.kept.manifest import Manifest
from variants.kept.store import Store
from variants.sources import Source, fetch
from variants.specs.spec import Base, Prebuilt, Recipe, Speculation


def build_draft(store: Store, speculation: Speculation | None, cache: Path) -> Manifest | None:
    """Return the artifact that a speculation drafts with; None where it needs none.

    Raises:
        BuildError: a head names no digest, or the draft cannot be read.
        SourceError: it cannot be fetched, or is not what its digest says.
    """
    if speculation is None or speculation.draft is None:
        return None
    draft = speculation.draft
    if speculation.method == "draft_model":
        return build_artifact(store, fetch(draft, cache), Recipe(), cache)
    return build_artifact(store, _unread(draft), Recipe(prebuilt=_as_it_is(draft)), cache)


def _as_it_is(head: Base) -> Prebuilt:
    if head.sha256 is None:
        raise BuildError(f"head {head.source} names no digest; add #sha256=DIGEST of its content")
    return Prebuilt(source=head.source, sha256=head.sha256)


def _unread(head: Base) -> Source:
    """Name a source that a prebuilt recipe never opens: it fetches its own."""
    return Source(Path(), head.sha256 or "", head.source)
