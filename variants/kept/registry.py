"""Channels: the champion for a base, a target and a service class, and the one before it.

One JSON file per channel, replaced in one rename; every move can be undone to the exact bytes that
were there. A move lies in a journal until it is confirmed, so that one which a killed run left
behind is undone by the next. A line of history is added for each, and never taken back.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from variants.errors import PromotionError
from variants.fingerprint import canonical_json, sha256_text
from variants.kept.durable import append_line, lock, sync, write_bytes
from variants.kept.manifest import Manifest
from variants.kept.store import Store

# "@" parts the three in a file's name, so no part may hold one.
Part = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


JOURNAL = ".unconfirmed"


class Closed(BaseModel):
    """Frozen, and closed to unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Key(Closed):
    """What a channel is for."""

    base: Part = Field(description="name or fingerprint of the base")
    target: Part = Field(description="cpu, cuda")
    service_class: Part = Field(description="interactive, batch, long-context")

    def __str__(self) -> str:
        return f"{self.base}@{self.target}@{self.service_class}"


class Entry(Closed):
    """A variant in a channel, bound by digests to what was judged."""

    variant: str
    artifact: str = Field(description="fingerprint in the store")
    manifest_sha256: Sha256
    serving_fingerprint: str
    decision_sha256: Sha256
    policy_sha256: Sha256
    run: str
    at: str = Field(description="UTC, ISO 8601")

    def is_same_deployment(self, other: "Entry") -> bool:
        """Whether both serve the same bytes in the same way."""
        ours = (self.artifact, self.manifest_sha256, self.serving_fingerprint)
        return ours == (other.artifact, other.manifest_sha256, other.serving_fingerprint)


class Channel(Closed):
    """The champion, and the one it followed."""

    champion: Entry
    previous: Entry | None = None


class Sealed(Closed):
    """A channel as it lies on the disk, with the digest of its canonical JSON."""

    channel: Channel
    sha256: Sha256


@dataclass(frozen=True, slots=True)
class Change:
    """One move of a channel: the bytes before (None: there was no channel) and after."""

    key: Key
    before: bytes | None
    after: bytes


class Registry:
    """The channels under one folder; safe for several processes at once."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def read(self, key: Key) -> Channel | None:
        """Return a channel, or None where nothing was ever promoted.

        Raises:
            PromotionError: the file is not what this module wrote.
        """
        content = self._bytes(key)
        return None if content is None else self._parse(key, content)

    def move(self, key: Key, entry: Entry) -> Change:
        """Make an entry the champion; the old champion becomes the previous one.

        A champion that is confirmed (same bytes, same serving) keeps its predecessor: otherwise
        a second confirmation would leave nothing to go back to.
        """
        with lock(self._path(key).with_suffix(".lock")):
            before = self._bytes(key)
            current = self.read(key)
            after = _seal(_follow(current, entry))
            write_bytes(self._journal(key), _journalled(before, after))
            write_bytes(self._path(key), after)
            self._remember(key, "move", entry)
        return Change(key, before, after)

    def confirm(self, key: Key) -> None:
        """Let the last move stand: forget how to take it back."""
        self._journal(key).unlink(missing_ok=True)
        sync(self.root)

    def unconfirmed(self) -> list[Key]:
        """List the channels whose last move was never confirmed."""
        names = (
            path.name.removesuffix(JOURNAL).split("@") for path in self.root.glob(f"*{JOURNAL}")
        )
        return [Key(base=base, target=target, service_class=last) for base, target, last in names]

    def recover(self, key: Key) -> bool:
        """Undo a move that a killed run never confirmed; whether there was one.

        The caller holds the device, so no other run is about to confirm it.
        """
        journal = self._journal(key)
        if not journal.exists():
            return False
        before, after = _read_journal(journal.read_bytes())
        is_moved = self._bytes(key) == after
        if is_moved:
            self.undo(Change(key, before, after))
        journal.unlink(missing_ok=True)
        return is_moved

    def undo(self, change: Change) -> None:
        """Put back exactly the bytes that a move replaced, or no file where there was none.

        Raises:
            PromotionError: the channel was moved again since; it is left as it is.
        """
        path = self._path(change.key)
        with lock(path.with_suffix(".lock")):
            if self._bytes(change.key) != change.after:
                raise PromotionError(
                    f"channel {change.key} was moved again since; it is left as it is: "
                    "read it, and move it by hand if it is wrong"
                )
            if change.before is None:
                path.unlink()
                sync(path.parent)
            else:
                write_bytes(path, change.before)
            self._remember(change.key, "undo", None)
            self._journal(change.key).unlink(missing_ok=True)

    def verify(self, key: Key, store: Store) -> Manifest:
        """Return the champion's manifest, its channel and every file verified.

        Raises:
            PromotionError: there is no champion, or its artifact is not what was promoted.
        """
        channel = self.read(key)
        if channel is None:
            raise PromotionError(f"channel {key} has no champion; qualify a study for it first")
        champion = channel.champion
        manifest = store.find(champion.artifact)
        if manifest is None or manifest.sha256 != champion.manifest_sha256:
            seen = "is missing or broken" if manifest is None else f"is now {manifest.sha256}"
            raise PromotionError(
                f"channel {key}: artifact {champion.artifact} of {champion.variant} {seen}, and "
                f"manifest {champion.manifest_sha256} was promoted; go back or qualify again"
            )
        return manifest

    def _path(self, key: Key) -> Path:
        return self.root / f"{key}.json"

    def _journal(self, key: Key) -> Path:
        return self.root / f"{key}{JOURNAL}"

    def _bytes(self, key: Key) -> bytes | None:
        try:
            return self._path(key).read_bytes()
        except FileNotFoundError:
            return None

    def _parse(self, key: Key, content: bytes) -> Channel:
        try:
            sealed = Sealed.model_validate_json(content)
        except ValidationError as problem:
            raise PromotionError(
                f"{self._path(key)} cannot be read ({problem.error_count()} errors: "
                f"{problem.errors()[0]['msg']}); restore it, or remove it and qualify again"
            ) from problem
        if sealed.sha256 != _digest(sealed.channel):
            raise PromotionError(
                f"{self._path(key)} was changed by hand: its digest is {_digest(sealed.channel)} "
                f"and it says {sealed.sha256}; restore it, or remove it and qualify again"
            )
        return sealed.channel

    def _remember(self, key: Key, action: Literal["move", "undo"], entry: Entry | None) -> None:
        line = {"action": action, "entry": entry.model_dump() if entry else None}
        append_line(self.root / f"{key}.history.jsonl", canonical_json(line))


def _follow(current: Channel | None, entry: Entry) -> Channel:
    if current is None:
        return Channel(champion=entry)
    if current.champion.is_same_deployment(entry):
        return Channel(champion=entry, previous=current.previous)
    return Channel(champion=entry, previous=current.champion)


def _journalled(before: bytes | None, after: bytes) -> bytes:
    kept = {"before": before.decode() if before is not None else None, "after": after.decode()}
    return canonical_json(kept).encode()


def _read_journal(content: bytes) -> tuple[bytes | None, bytes]:
    kept = json.loads(content)
    before = kept["before"]
    return None if before is None else before.encode(), kept["after"].encode()


def _digest(channel: Channel) -> str:
    return sha256_text(canonical_json(channel))


def _seal(channel: Channel) -> bytes:
    return canonical_json(Sealed(channel=channel, sha256=_digest(channel))).encode() + b"\n"
