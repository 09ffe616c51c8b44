"""English prose found on every machine, in two halves that never meet.

The standard library documents itself: `pydoc_data.topics` (the language reference) and the
docstrings of its modules. A module's docstrings go to calibration or to evaluation by the first
byte of the SHA-256 of its name, so a text that calibrates a variant never judges it; the language
reference always judges. The text depends on the Python version, so whoever uses it records the
digest of what was drawn.
"""

import ast
import hashlib
import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics
from typing import Literal

Half = Literal["calibration", "evaluation"]
MIN_WORDS = 60  # shorter topics hold no passage with a context worth the name
SKIPPED = {"test", "tests", "site-packages", "idlelib", "lib2to3", "ensurepip", "turtledemo",
           "pydoc_data", "__pycache__"}  # fmt: skip


@cache
def passages(half: Half) -> dict[str, str]:
    """Return topic -> running prose of one half, in a stable order."""
    texts = {f"module:{name}": text for name, text in _module_prose() if _half_of(name) == half}
    if half == "evaluation":
        texts |= {f"topic:{name}": prose_of(text) for name, text in topics.items()}
    return {name: texts[name] for name in sorted(texts) if len(texts[name].split()) >= MIN_WORDS}


def _half_of(name: str) -> Half:
    return "evaluation" if hashlib.sha256(name.encode()).digest()[0] % 2 else "calibration"


def prose_of(text: str) -> str:
    """Keep the paragraphs that read as sentences; drop code, grammar and tables."""
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return " ".join(part for part in paragraphs if _is_prose(part))


def _is_prose(paragraph: str) -> bool:
    if len(paragraph.split()) < 12 or not paragraph[0].isalpha():
        return False
    if any(mark in paragraph for mark in (">>>", "::=", "|")):
        return False
    plain = sum(character.isalpha() or character == " " for character in paragraph)
    return plain / len(paragraph) >= 0.9


def _module_prose() -> Iterator[tuple[str, str]]:
    collected: dict[str, list[str]] = {}
    for name, path in _sources():
        documented = [text for _, text in _docstrings(path)]
        collected.setdefault(name, []).extend(documented)
    for name, docstrings in collected.items():
        yield name, " ".join(filter(None, map(prose_of, docstrings)))


def _sources() -> Iterator[tuple[str, Path]]:
    root = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        if not SKIPPED.intersection(parts):
            yield parts[0].removesuffix(".py"), path


def sources_of(half: Half) -> Iterator[tuple[str, Path]]:
    """Yield the modules of one half, each file with the module it belongs to, in a stable order."""
    return ((name, path) for name, path in _sources() if _half_of(name) == half)


def documented(path: Path) -> list[tuple[str, str]]:
    """Return name -> docstring of every function and class of a file, in the order they stand."""
    return [(name, text) for name, text in _docstrings(path) if name]


def _docstrings(path: Path) -> list[tuple[str, str]]:
    """The module's own docstring has no name."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):  # a few library files are not UTF-8 on purpose
        return []
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(tree) if isinstance(node, kinds)]
    pairs = [(getattr(node, "name", ""), ast.get_docstring(node)) for node in nodes]
    return [(name, text) for name, text in pairs if text]
