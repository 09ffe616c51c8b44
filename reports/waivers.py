"""Waivers as files: who goes on without which gate, why, until when; added, never changed.

`python -m reports.waivers STUDY VARIANT GATE --who NAME --why TEXT --days N` writes one. It is
asked when the variant is judged, by the run or by `--resume`; what it may not waive is refused
then, and told in the report.
"""

import argparse
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from evals.gates import Waiver, load_policy, policy_sha256
from variants.command import ended
from variants.errors import LedgerError, StudyError
from variants.fingerprint import sha256_text
from variants.home import Home
from variants.kept.durable import write_bytes


def read_waivers(folder: Path, study: str) -> tuple[Waiver, ...]:
    """Read the waivers of a study, in a stable order.

    Raises:
        LedgerError: a file is no waiver, or is not what its name says.
    """
    found = [_read(path) for path in sorted(folder.glob("*.json"))]
    return tuple(waiver for waiver in found if waiver.study == study)


def grant(folder: Path, waiver: Waiver) -> Path:
    """File a waiver under the digest of its text."""
    text = waiver.model_dump_json(indent=1)
    path = folder / f"{waiver.study}-{waiver.variant}-{waiver.gate}-{sha256_text(text)[:16]}.json"
    write_bytes(path, text.encode())
    return path


def _read(path: Path) -> Waiver:
    try:
        text = path.read_text(encoding="utf-8")
        waiver = Waiver.model_validate_json(text)
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise LedgerError(f"{path} is no waiver ({error}); restore or remove it") from error
    if not path.stem.endswith(sha256_text(text)[:16]):
        raise LedgerError(f"{path} was changed after it was given; grant a new one instead")
    return waiver


def main(arguments: Sequence[str] | None = None) -> int:
    """Give a waiver for one required gate of one variant."""
    asked = _parser().parse_args(arguments)
    return ended(lambda: _grant(asked), error_code=2)


def _grant(asked: argparse.Namespace) -> int:
    home, now = Home.from_environment(), datetime.now(UTC)
    waiver = Waiver(
        study=asked.study,
        variant=asked.variant,
        gate=asked.gate,
        policy_sha256=_policy(asked.policy, asked.gate),
        who=asked.who,
        why=asked.why,
        granted_at=now.isoformat(timespec="seconds"),
        expires_at=(now + timedelta(days=asked.days)).isoformat(timespec="seconds"),
    )
    print(f"waiver of {waiver.gate} until {waiver.expires_at}: {grant(home.waivers, waiver)}")
    if not any((home.store / "evidence").glob(f"{waiver.study}-*/{waiver.variant}")):
        print(
            f"warning: no run of study {waiver.study} in {home.root} has a variant "
            f"{waiver.variant}; if the names are wrong, it has no effect",
            file=sys.stderr,
        )
    return 0


def _policy(name: str, gate: str) -> str:
    policy = load_policy(name)
    tiers = {one.id: one.tier for one in policy.gates if one.kind != "benefit"}
    if tiers.get(gate) != "required":
        may = sorted(one for one, tier in tiers.items() if tier == "required")
        raise StudyError(f"policy {name} lets nobody waive {gate!r}; these may be waived: {may}")
    return policy_sha256(policy)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m reports.waivers", description=main.__doc__)
    parser.add_argument("study", help="name of the study")
    parser.add_argument("variant", help="name of the variant")
    parser.add_argument("gate", help="a required gate that is INCONCLUSIVE")
    parser.add_argument("--who", required=True, help="who answers for it")
    parser.add_argument("--why", required=True, help="the reason, in words")
    parser.add_argument("--days", type=int, default=30, help="until it expires, at most 90")
    parser.add_argument("--policy", default="quick", help="the study's policy")
    return parser


if __name__ == "__main__":
    sys.exit(main())
