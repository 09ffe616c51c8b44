"""Remove what nobody needs, and say which certificates no longer hold."""

from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from reports.certificate.standing import certificates
from reports.garbage import garbage_of, remove
from tasks.announce import LAPSED, announce
from variants.home import Home


@task(cache_policy=NO_CACHE, log_prints=True)
def tidy(home: Home, days: int, is_dry: bool) -> int:
    """Remove artifacts that nobody needs; return the bytes that went, or would go."""
    found = garbage_of(home, datetime.now(UTC), days)
    for one in found:
        print(f"nobody needs artifact {one.name}, {one.num_bytes:,} bytes")
    if not is_dry:
        print(f"removed {len(remove(home, found))} of {len(found)}")
    return sum(one.num_bytes for one in found)


@task(cache_policy=NO_CACHE, log_prints=True)
def look_at_certificates(home: Home) -> int:
    """Announce every certificate that has expired; return how many."""
    lapsed = [
        one.predicate for one in certificates(home) if one.predicate.is_expired(datetime.now(UTC))
    ]
    for bound in lapsed:
        print(f"expired at {bound.expires_at}: {bound.variant} in {bound.channel}")
        announce(LAPSED, f"channel.{bound.channel}", study=bound.study, run=bound.run)
    return len(lapsed)
