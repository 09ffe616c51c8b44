"""The published checker, out of its wheel and never installed, in a process of its own.

`bfcl-eval` pins 12 packages that nothing else agrees with, but its checker needs none of them. Only
its table of models stands in the way, which imports a client for each and says whose function names
lost their dots. A table that knows every model, and says that none did, takes its place.
"""

import sys
import tempfile
import types
import zipfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evals.suites.bfcl import WHEEL, WHEEL_SHA256
from evals.suites.calls import Failure, Row, addresses, parse_text, rows
from variants.errors import MeasurementError
from variants.running import isolation
from variants.sources.pip_download import download_wheel
from variants.sources.wheel import parse, require_wheel_pin
from variants.specs.spec import Base

MODELS = "bfcl_eval.constants.model_config"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the published checker says; `error_type` also names its own failure."""

    is_valid: bool
    error_type: str


def unpack(folder: Path) -> Path:
    """Download the pinned wheel, and unpack all of it.

    Raises:
        SourceError: the index has no such wheel, or another one.
    """
    address = f"{WHEEL}/bfcl_eval/__init__.py"
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        wheel = download_wheel(parse(address).requirement, Path(temporary))
        require_wheel_pin(Base(source=address, sha256=WHEEL_SHA256), wheel)
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "wheel")
    return folder / "wheel"


def read_rows(wheel: Path, categories: Sequence[str]) -> list[Row]:
    """Read every usable row of some categories from the unpacked wheel."""
    found = addresses(categories)
    return rows({one: str(wheel / parse(one).member) for one in found}, categories)


def ask(wheel: Path, asked: Sequence[tuple[Row, str]]) -> list[Verdict]:
    """Give each answer's text to the published checker."""
    known = {row.id: asdict(row) for row, _ in asked}
    arguments: dict[str, object] = {
        "wheel": str(wheel),
        "rows": known,
        "answers": [(row.id, text) for row, text in asked],
    }
    found = isolation.run("tests.bench.calls.published:judge", arguments, MeasurementError)
    return [Verdict(*one) for one in found]


def judge(wheel: str, rows: dict[str, Any], answers: list[tuple[str, str]]) -> list[Any]:
    """Judge texts with the published checker (called through `variants.running.isolation`)."""
    sys.path.insert(0, wheel)
    model = types.SimpleNamespace(underscore_to_dot=False)
    stub = types.ModuleType(MODELS)
    stub.__dict__["MODEL_CONFIG_MAPPING"] = defaultdict(lambda: model)
    sys.modules[MODELS] = stub
    return [_verdict(rows[item], text) for item, text in answers]


def _verdict(row: dict[str, Any], text: str) -> tuple[bool, str]:
    from bfcl_eval.constants.enums import Language  # type: ignore[import-not-found]
    from bfcl_eval.eval_checker.ast_eval.ast_checker import (  # type: ignore[import-not-found]
        ast_checker,
    )

    calls = parse_text(text)
    if isinstance(calls, Failure):
        raise MeasurementError(f"{row['id']}: {text!r:.200} cannot be read: {calls.words}")
    written = [{call.function: call.arguments} for call in calls]
    truth = [{one["function"]: one["accepted"]} for one in row["wanted"]]
    functions = list(row["functions"])
    try:
        said = ast_checker(functions, written, truth, Language.PYTHON, row["category"], "any")
    except Exception as problem:  # its own bug is a verdict about it
        return False, f"crash: {problem!r:.100}"
    return bool(said["valid"]), str(said.get("error_type", ""))
