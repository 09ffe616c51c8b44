from pathlib import Path

import pytest

from tests.bench.calls.published import unpack
from variants.errors import SourceError

UNREACHABLE = ("cannot be reached", "no such wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published checker's wheel, unpacked; without an index there is nothing to agree with."""
    try:
        return unpack(tmp_path_factory.mktemp("bfcl"))
    except SourceError as problem:
        if not any(words in str(problem) for words in UNREACHABLE):
            raise
        pytest.skip(f"the published checker cannot be fetched: {problem}")
