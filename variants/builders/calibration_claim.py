"""What the user of a checkpoint from elsewhere says it was calibrated with.

Nobody can read from weights which texts shaped them. Without a word on it such a checkpoint is
measured, and held back: its makers may have calibrated on what it is now evaluated with. The word
is one of
    file:///PATH            the texts: lines of .txt, or JSON lines with text, prompt or messages
    none: WHY               no text shaped it (rounded to nearest, as its card says)
    accepted by WHO: WHY    unknown, and a named person answers for it
and stands in the study, in the evidence and in the report.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from variants.errors import StudyError

Kind = Literal["unknown", "texts", "none", "accepted"]
FILE = re.compile(r"^file://(?P<path>/.+)$")
MAX_BYTES = 1 << 30  # of a calibration file; those seen hold megabytes


@dataclass(frozen=True, slots=True)
class CalibrationClaim:
    """One claim, read."""

    kind: Kind
    words: str

    @property
    def path(self) -> Path | None:
        """Where the texts lie, if they are given."""
        found = FILE.fullmatch(self.words)
        return Path(found["path"]) if found else None


def read_claim(words: str) -> CalibrationClaim:
    """Tell which kind of claim it is; its form was checked at the door (`spec.Prebuilt`)."""
    if not words:
        return CalibrationClaim("unknown", words)
    if words.startswith("none:"):
        return CalibrationClaim("none", words)
    return CalibrationClaim("texts" if FILE.fullmatch(words) else "accepted", words)


def claimed_texts(path: Path) -> tuple[str, ...]:
    """Read the texts of a calibration set.

    Raises:
        StudyError: the file is not there, too large, empty, or a line of it holds no text.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise StudyError(f"{path} has more than {MAX_BYTES:,} bytes; give the texts alone")
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as problem:
        raise StudyError(
            f"calibration set {path} cannot be read ({problem}); correct the path"
        ) from problem
    if not lines:
        raise StudyError(f"calibration set {path} is empty; give the texts, or say what is known")
    if path.suffix != ".jsonl":
        return ("\n".join(lines),)
    return tuple(_text(path, number, line) for number, line in enumerate(lines, 1))


def _text(path: Path, number: int, line: str) -> str:
    try:
        sample = json.loads(line)
    except (ValueError, RecursionError) as problem:
        raise StudyError(f"{path}:{number} is no JSON ({problem}); correct the line") from problem
    found = _words(sample)
    if not found:
        raise StudyError(f"{path}:{number} holds no text, prompt or messages; correct the line")
    return found


def _words(sample: object) -> str:
    """Join what stands in a sample, whatever it is called."""
    if isinstance(sample, str):
        return sample
    if not isinstance(sample, dict):
        return ""
    parts = [sample.get(name) for name in ("text", "prompt", "completion")]
    messages = sample.get("messages") or sample.get("conversations") or []
    if isinstance(messages, list):
        parts += [one.get("content", one.get("value")) for one in messages if isinstance(one, dict)]
    return " ".join(part for part in parts if isinstance(part, str))
