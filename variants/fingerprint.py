"""Canonical JSON of a spec -> a short digest that names it.

The same value always gives the same bytes (sorted keys, no white space, UTF-8), so the same
fingerprint on every machine; a value without stable bytes is refused rather than guessed.

Example: `fingerprint({"b": 1, "a": [True, None]})` is the first 16 hex digits of
sha256 of `{"a":[true,null],"b":1}`.
"""

import hashlib
import json
import math
from pathlib import Path

from pydantic import BaseModel

DIGITS = 16  # 64 bits: a collision needs about 2**32 specs in one store


def canonical_json(value: object) -> str:
    """Serialize to JSON with one possible spelling.

    Raises:
        TypeError: the value holds something without stable bytes (a set, a path, a client).
        ValueError: it holds NaN or an infinity.
    """
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="python"))
    if isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"keys must be strings, got {sorted(map(repr, value))}")
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise (ValueError if isinstance(value, float) else TypeError)(
        f"{value!r} has no stable bytes; use plain strings, numbers, lists and mappings"
    )


def fingerprint(*values: object) -> str:
    """Digest one or more values to 16 hex digits."""
    payload = values[0] if len(values) == 1 else list(values)
    return sha256_text(canonical_json(payload))[:DIGITS]


def sha256_text(text: str) -> str:
    """Digest UTF-8 text to 64 hex digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def sha256_file(path: Path) -> str:
    """Digest a file to 64 hex digits, in pieces."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
