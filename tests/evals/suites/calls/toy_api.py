"""A toy API of our own, as source files with digests, and a scene played with it."""

from pathlib import Path
from typing import Any

from evals.suites.calls import Call
from evals.suites.calls.scenes import Scene, Turn
from evals.suites.calls.stage import Stage
from variants.fingerprint import sha256_file

EXTENSION = "FILLED = ['and', 'more']\n"
COUNTER = """
import os
from copy import deepcopy

from bfcl_eval.eval_checker.multi_turn_eval.func_source_code.long_context import FILLED

SHARED = []


class Counter:
    def __init__(self):
        self.count = 0
        self._seen = 0

    def _load_scenario(self, scenario, long_context=False):
        self.count = scenario.get("count", 0)
        self.marks = FILLED if long_context else []

    def add(self, by, note=""):
        if not isinstance(by, (int, float)):
            return {"error": "by is no number"}
        self.count += by
        return {"count": self.count}

    def look(self):
        self._seen += 1
        return self.count

    def tell(self, text):
        return text

    def fail(self):
        raise ValueError("it failed")

    def remember(self):
        SHARED.append(1)
        return len(SHARED)

    def zone(self):
        return [os.environ.get("TZ"), os.environ.get("HOME")]

    def spin(self):
        while True:
            pass

    def power(self, base, exponent):
        return base**exponent % 7

    def hog(self):
        return len(bytearray(1 << 40))

    def leave(self):
        os._exit(3)
"""
FUNCTIONS: tuple[dict[str, Any], ...] = tuple(
    {
        "name": name,
        "description": f"This tool counts. Tool description: It is {name}.",
        "parameters": {"type": "dict", "properties": fields, "required": required},
    }
    for name, fields, required in (
        ("add", {"by": {"type": "integer", "description": "How many."},
                 "note": {"type": "string", "description": "A note."}}, ["by"]),
        ("look", {}, []),
        ("tell", {"text": {"type": "string", "description": "What."}}, ["text"]),
        ("fail", {}, []),
        ("spin", {}, []),
    )
)  # fmt: skip


def add(by: int) -> Call:
    return Call("add", {"by": by})


LOOK = Call("look", {})


def scene(*gold: tuple[Call, ...], is_long: bool = False) -> Scene:
    """Make a scene that begins at 5."""
    turns = tuple(
        Turn(f"Turn {at}.", FUNCTIONS if at == 0 else (), calls) for at, calls in enumerate(gold)
    )
    return Scene("toy_0", {"Counter": "counter"}, {"Counter": {"count": 5}}, is_long, turns)


def stage(folder: Path, counter: str = COUNTER) -> Stage:
    """Write the sources, and make a stage of them."""
    files = {}
    for stem, text in (("long_context", EXTENSION), ("counter", counter)):
        path = folder / f"{stem}.py"
        path.write_text(text)
        files[stem] = str(path)
    return Stage(files, {stem: sha256_file(Path(path)) for stem, path in files.items()})
