"""Files shaped as the tools write them; what each figure is comes from their own definitions."""

import json
from pathlib import Path

import pytest

from evals.performance.imported import FORMULAS, main, read_result
from evals.performance.metrics import METRICS
from variants.errors import MeasurementError

VLLM = {
    "duration": 10.0, "completed": 20, "request_throughput": 2.0, "output_throughput": 64.0,
    "request_goodput": None, "mean_ttft_ms": 120.5, "p99_ttft_ms": 300.0, "mean_tpot_ms": 50.0,
    "mean_itl_ms": 48.0, "ttfts": [0.1],
}  # fmt: skip
GUIDELLM = {
    "benchmarks": [
        {
            "metrics": {
                "time_to_first_token_ms": {"successful": {"mean": 100, "percentiles": {"p50": 99}}},
                "inter_token_latency_ms": {"successful": {"percentiles": {"p50": 50}}},
                "time_per_output_token_ms": {"successful": {"percentiles": {"p50": 136}}},
                "request_latency": {"successful": {"percentiles": {"p50": 1.5}}},
                "errors": {},
            }
        }
    ]
}
AIPERF = {
    "time_to_first_token": {"unit": "ms", "avg": 120.0, "p50": 118.0},
    "inter_token_latency": {"unit": "ms", "p50": 50.0},
    "request_latency": {"unit": "sec", "p50": 1.5},
    "request_throughput": {"unit": "requests/sec", "avg": 2.0},
}


def figures(folder: Path, said: object) -> dict[tuple[str, str], float]:
    path = folder / "said.json"
    path.write_text(json.dumps(said))
    return {(found.formula, found.statistic): found.value for found in read_result(path)}


def test_vllm_stamps_the_first_chunk_whatever_it_holds(tmp_path: Path) -> None:
    assert figures(tmp_path, VLLM) == {
        ("first_chunk_ms", "mean"): 120.5, ("first_chunk_ms", "p99"): 300.0,
        ("tpot_after_one_ms", "mean"): 50.0, ("read_gap_ms", "mean"): 48.0,
        ("ended_rps", ""): 2.0, ("ended_tokens_per_s", ""): 64.0,
    }  # fmt: skip


def test_guidellm_tpot_holds_the_first_token_and_its_itl_is_our_tpot(tmp_path: Path) -> None:
    """TTFT 1.0 s, 11 tokens 50 ms apart: 50 ms by one formula, 1.5 s / 11 = 136 by the other."""
    found = figures(tmp_path, GUIDELLM)
    assert found["tpot_after_one_ms", "p50"] == 50
    assert found["e2e_per_token_ms", "p50"] == 136
    assert found["end_send_ms", "p50"] == 1500
    assert not FORMULAS["e2e_per_token_ms"].ours


def test_aiperf_units_are_read(tmp_path: Path) -> None:
    found = figures(tmp_path, AIPERF)
    assert found["last_chunk_ms", "p50"] == 1500
    assert found["ttft_send_ms", "mean"] == 120
    assert found["ended_rps", "mean"] == 2


def test_every_figure_of_ours_that_is_named_exists() -> None:
    for formula in FORMULAS.values():
        assert not formula.ours or f"{formula.ours}_p50" in METRICS


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"results": 1}'])
def test_another_file_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "said.json"
    path.write_text(text)
    with pytest.raises(MeasurementError, match=r"said\.json is no"):
        read_result(path)


def test_the_command_says_what_may_be_laid_beside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "said.json"
    path.write_text(json.dumps(VLLM))
    monkeypatch.setattr("sys.argv", ["imported", str(path)])
    assert main() == 0
    told = capsys.readouterr().out
    assert "mean_tpot_ms mean = 50: (last token - first token) / (tokens - 1)" in told
    assert "(beside: tpot_ms, where first reads bear one token" in told
    monkeypatch.setattr("sys.argv", ["imported", str(tmp_path / "none.json")])
    assert main() == 2
