"""The named calibration sets: where each comes from, under which licence, and in what shape.

To add one: a function that returns its requests, a name in `variants.specs.spec.Corpus`, a line in
SETS.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from variants.calibration import stdlib, tools
from variants.calibration.request import Request, read_requests
from variants.errors import RecipeError
from variants.fingerprint import fingerprint, sha256_file, sha256_text
from variants.sources import fetch
from variants.specs.spec import Base, Calibration, Corpus

REVISION = 1  # raised whenever what is made of the same files changes
CHAT: Final = "the base's chat template; tools in words where it has none"
Template = Literal[
    "none", "by request", "the base's chat template; tools in words where it has none"
]
Read = Callable[[dict[str, str]], tuple[Request, ...]]


@dataclass(frozen=True, slots=True)
class CalibrationSet:
    """One named set; `addresses` are fetched, each with the digest it must have."""

    what: str
    origin: str
    licence: str
    template: Template
    read: Read
    addresses: Mapping[str, str]


STDLIB = "the standard library of the running Python, modules of the calibration half"
SETS: dict[Corpus, CalibrationSet] = {
    "stdlib-docstrings": CalibrationSet(
        "running prose of docstrings", STDLIB, "PSF-2.0", "none",
        lambda _: stdlib.docstrings(), {},
    ),
    "stdlib-code": CalibrationSet(
        "source code without docstrings and comments", STDLIB, "PSF-2.0", "none",
        lambda _: stdlib.code(), {},
    ),
    "stdlib-chat": CalibrationSet(
        "a question about a function, answered with its docstring", STDLIB, "PSF-2.0",
        CHAT, lambda _: stdlib.chats(), {},
    ),
    "bfcl-tools": CalibrationSet(
        "questions with a tool, answered with a call", "bfcl-eval 2026.3.23, categories "
        "simple_java and simple_javascript, which no suite asks", "Apache-2.0",
        CHAT, tools.calls, tools.addresses(),
    ),
    "requests": CalibrationSet(
        "a JSONL file of your own", "yours", "yours", "by request",
        lambda files: read_requests(Path(files["requests"])), {},
    ),
}  # fmt: skip


def files_of(calibration: Calibration, cache: Path) -> dict[str, str]:
    """Fetch what a set is read from; returns address -> local path.

    Raises:
        SourceError: a published file is not there, or is not what its digest says.
        RecipeError: a user's own file is not there, or has changed.
    """
    if calibration.corpus == "requests":
        return {"requests": str(_own_file(calibration))}
    return {
        address: str(fetch(Base(source=address, sha256=sha256), cache).path)
        for address, sha256 in SETS[calibration.corpus].addresses.items()
    }


def _own_file(calibration: Calibration) -> Path:
    path = Path(calibration.source.removeprefix("file://"))
    if not path.is_file():
        raise RecipeError(f"calibration file {path} is not there; name one as file:///PATH")
    if (seen := sha256_file(path)) != calibration.sha256:
        raise RecipeError(
            f"calibration file {path.name} has sha256 {seen}, the recipe says "
            f"{calibration.sha256}: it was changed; put the new digest there, and build again"
        )
    return path


def requests_of(calibration: Calibration, files: dict[str, str]) -> tuple[Request, ...]:
    """Read all requests of a set from the files that `files_of` fetched."""
    return SETS[calibration.corpus].read(files)


def set_sha256(calibration: Calibration) -> str:
    """Digest what a set is read from, without fetching it: what an artifact's name depends on.

    The standard library's text depends on the Python version, so it is digested itself.
    """
    corpus = calibration.corpus
    if corpus == "stdlib-docstrings":  # as artifacts were named when this was the only set
        return sha256_text("\n".join(one.text for one in stdlib.docstrings()))
    if corpus == "requests":
        return fingerprint(corpus, calibration.sha256, REVISION)
    addresses = dict(SETS[corpus].addresses)
    texts = () if addresses else tuple(sorted(one.words for one in requests_of(calibration, {})))
    return fingerprint(corpus, addresses, sha256_text("\n".join(texts)), REVISION)
