"""Read back what was filed as JSON under its digest, whatever of the five kinds it is.

The name of a file ends in the sha256 of its bytes (`variants.kept.evidence`): a file that does not
match its name is refused, so that nothing damaged enters a rebuilt ledger.
"""

import json
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from evals.gates.decision import Decision
from evals.results import Record, Result
from reports.kept.entries import Promotion, RunEnd, Setting
from variants.errors import LedgerError
from variants.fingerprint import sha256_file

Value = Record | Decision | RunEnd | Promotion | Setting
# A field that only this kind has.
KINDS: dict[str, type[Result]] = {
    "payload": Record,
    "verdicts": Decision,
    "exit_code": RunEnd,
    "channel": Promotion,
    "commands": Setting,
}


class Filed(NamedTuple):
    """One value and the digest it is filed under."""

    digest: str
    value: Value


def read_filed(file: Path) -> Filed:
    """Read one file after checking its bytes against its name.

    Raises:
        LedgerError: the file does not verify, or holds nothing a ledger keeps.
    """
    digest = sha256_file(file)
    if not file.stem.endswith(digest):
        raise LedgerError(
            f"{file} does not verify: its bytes have digest {digest}; restore the file"
        )
    try:
        value = _parse(file.read_text())
    except (ValueError, ValidationError) as error:
        raise LedgerError(f"{file} holds nothing a ledger keeps: {error}") from error
    return Filed(digest, value)


def _parse(text: str) -> Value:
    fields = json.loads(text)
    for field, kind in KINDS.items():
        if field in fields:
            return kind.model_validate_json(text)  # type: ignore[return-value]
    raise ValueError(f"fields {sorted(fields)}; expected one of {sorted(KINDS)}")
