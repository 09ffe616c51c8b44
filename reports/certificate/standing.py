"""Is a study's champion still qualified, or what has changed since?

Asked before a study is run again, and by who requalifies by schedule: everything a certificate
binds is compared with what is here, and the channel with the certificate. Nothing is measured.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from evals.study import Study, study_sha256
from evals.study_file import baseline_spec
from reports.certificate.changes import changes
from reports.certificate.keys import trusted_key
from reports.certificate.present import present_of
from reports.certificate.signed import read_signed
from reports.certificate.statement import Qualification, Statement
from variants.errors import CertificateError
from variants.home import Home
from variants.kept.registry import Key, Registry
from variants.kept.store import Store
from variants.specs.spec import Base


@dataclass(frozen=True, slots=True)
class Standing:
    """The newest certificate of a study, and what no longer matches it."""

    statement: Statement
    changed: tuple[str, ...]

    @property
    def words(self) -> str:
        """Say how it stands, in one line."""
        bound = self.statement.predicate
        who = f"{bound.variant} in channel {bound.channel} (run {bound.run})"
        if self.changed:
            return f"{who} is no longer as it was qualified: {'; '.join(self.changed)}"
        return f"{who} is qualified until {bound.expires_at:%Y-%m-%d}: nothing has changed"


def standing_of(
    home: Home, study: Study, at: datetime, digest_of: Callable[[Base], str]
) -> Standing | None:
    """Compare a study's newest certificate with what is here; None where it has none.

    `digest_of` fetches a base and digests it; it is asked only where there is a certificate.

    Raises:
        QualificationError: the study's base cannot be had.
    """
    found = [one for one in certificates(home) if _is_of(one.predicate, study)]
    if not found:
        return None
    newest = max(found, key=lambda one: one.predicate.issued_at)
    bound = newest.predicate
    here = replace(
        present_of(newest, Store(home.store).folder(bound.artifact), at),
        base_digest=digest_of(baseline_spec(study).base),
    )
    return Standing(newest, (*changes(newest, here), *_channel(home, bound)))


def certificates(home: Home) -> Iterator[Statement]:
    """Read every certificate of a home that its own key has signed; others vouch for nothing."""
    for path in sorted(home.certificates.glob("*.json")):
        if not path.name.endswith(".bom.json"):
            try:
                yield read_signed(path, trusted_key(home.keys, None))
            except CertificateError:
                continue


def _is_of(bound: Qualification, study: Study) -> bool:
    return (bound.study, bound.study_digest) == (study.name, study_sha256(study))


def _channel(home: Home, bound: Qualification) -> Iterator[str]:
    """Say whether the channel still points to what was certified."""
    base, target, service_class = bound.channel.split("@")
    key = Key(base=base, target=target, service_class=service_class)
    channel = Registry(home.channels).read(key)
    if channel is None:
        yield f"channel {key} is empty"
    elif channel.champion.artifact != bound.artifact or channel.champion.variant != bound.variant:
        yield f"channel {key} points to {channel.champion.variant} of {channel.champion.run}"
