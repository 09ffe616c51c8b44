from pathlib import Path

import pytest

from evals.performance.trace_file import read_traces, write_traces
from tests.evals.performance.traces import trace
from variants.errors import MeasurementError
from variants.fingerprint import sha256_file


def test_traces_come_back_as_they_were(tmp_path: Path) -> None:
    traces = (
        trace(),
        trace(first=None, last=None, tokens=None, outcome="timeout", is_judged=False),
    )
    path = tmp_path / "new" / "cell.parquet"
    digest = write_traces(path, traces)
    assert digest == sha256_file(path)
    assert read_traces(path, digest) == traces
    assert [file.name for file in path.parent.iterdir()] == ["cell.parquet"]


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cell.parquet"
    write_traces(path, [trace()])
    with pytest.raises(MeasurementError, match="changed or cut"):
        read_traces(path, "0" * 64)
