"""Which artifacts of a home does nobody need any more?

Needed are: what a channel points to, and the one before; what an unexpired certificate vouches
for, its adapters and draft included; and whatever is younger than the days that are kept. All
else can be built again from its study. Evidence, reports and ledgers are never garbage.

`python -m reports.garbage [--days 30] [--remove]` says what could go; only `--remove` removes it.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from reports.certificate.standing import certificates
from reports.channels import key_of
from variants.adapters import adapter_key
from variants.command import ended
from variants.errors import PromotionError, StudyError
from variants.home import Home
from variants.kept.contents import list_files
from variants.kept.registry import Registry
from variants.kept.store import Store

DAYS = 30
MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Garbage:
    """An artifact that nobody needs."""

    name: str
    num_bytes: int
    made_at: datetime


def garbage_of(home: Home, at: datetime, days: int = DAYS) -> tuple[Garbage, ...]:
    """List what can go, the largest first.

    Raises:
        PromotionError: a channel cannot be read, so nobody knows what it needs.
    """
    needed = {*_in_channels(home), *_certified(home, at)}
    young = at - timedelta(days=days)
    found = []
    for folder in Store(home.store).artifacts.glob("*"):
        made_at = datetime.fromtimestamp(folder.stat().st_mtime, UTC)
        if folder.name not in needed and made_at < young:
            num_bytes = sum(path.stat().st_size for path in list_files(folder))
            found.append(Garbage(folder.name, num_bytes, made_at))
    return tuple(sorted(found, key=lambda one: (-one.num_bytes, one.name)))


def remove(home: Home, garbage: Sequence[Garbage]) -> tuple[str, ...]:
    """Remove it, but for what somebody is building just now; name what went."""
    store, going = Store(home.store), {one.name for one in garbage}
    keep = {folder.name for folder in store.artifacts.glob("*")} - going
    return store.prune(keep)


def _in_channels(home: Home) -> Iterator[str]:
    for path in home.channels.glob("*.json"):
        channel = Registry(home.channels).read(key_of(path.stem))
        for entry in (channel.champion, channel.previous) if channel else ():
            if entry is not None:
                yield entry.artifact


def _certified(home: Home, at: datetime) -> Iterator[str]:
    if home.certificates.is_dir() and not home.keys.is_dir():
        raise PromotionError(
            f"certificates lie in {home.certificates} and no key in {home.keys}: what they vouch "
            "for cannot be told, so nothing is removed; restore the keys"
        )
    for statement in certificates(home):
        bound = statement.predicate
        if not bound.is_expired(at):
            yield bound.artifact
            yield from (adapter_key(one, bound.base_digest) for one in bound.serving.adapters)


def main(arguments: Sequence[str] | None = None) -> int:
    """Say which artifacts nobody needs, and how much they take. Exit codes: 0, 1 an error."""
    parser = argparse.ArgumentParser(prog="python -m reports.garbage", description=main.__doc__)
    parser.add_argument("--days", type=int, default=DAYS, help="younger ones are kept")
    parser.add_argument("--remove", action="store_true", help="remove them")
    asked = parser.parse_args(arguments)
    return ended(lambda: _tell(asked.days, asked.remove), error_code=1)


def _tell(days: int, is_removing: bool) -> int:
    if days < 0:
        raise StudyError(f"--days {days}: give 0 or more")
    home = Home.from_environment()
    found = garbage_of(home, datetime.now(UTC), days)
    for one in found:
        print(f"{one.name}  {one.num_bytes / MIB:10,.1f} MiB  of {one.made_at:%Y-%m-%d}")
    total = sum(one.num_bytes for one in found) / MIB
    if is_removing:
        print(f"removed {len(remove(home, found))} artifacts, {total:,.1f} MiB")
    else:
        print(f"{len(found)} artifacts could go, {total:,.1f} MiB; --remove removes them")
    return 0


if __name__ == "__main__":
    sys.exit(main())
