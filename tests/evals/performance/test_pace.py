import sys
from pathlib import Path

import pytest

from evals.performance.pace import check_pace
from evals.study import Study
from evals.workload.cell import CellSpec
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from tests.variants.engines.scripted_adapter import ScriptedAdapter
from variants.engines.adapter import Launch
from variants.engines.endpoint import serve
from variants.engines.process import free_port
from variants.errors import EngineError
from variants.specs.spec import Serving

STUDY = Study(
    name="toy",
    base="file:///toy",
    variants=("compiled",),
    slo=Slo(ttft_ms=250, tpot_ms=100),
    workload=Workload(input_tokens=8, output_tokens=4, cells=(CellSpec(closed=1),)),
)
STREAM = range(1000)


def check(
    folder: Path, study: Study, **script: object
) -> tuple[bool | None, str, dict[str, float]]:
    launch = Launch(folder, Serving(), free_port(), folder / "cache")
    with serve(
        ScriptedAdapter(script), Path(sys.executable), launch, folder / "log", 20.0
    ) as endpoint:
        result = check_pace(endpoint, study, STREAM)
    assert result.stage == "pace"
    return result.passed, result.reason, {k: float(v or 0) for k, v in result.values.items()}


def test_a_server_that_meets_the_slo_without_load_goes_on(tmp_path: Path) -> None:
    passed, reason, values = check(tmp_path, STUDY, ttft_ms=20, tpot_ms=5)
    assert passed
    assert reason.startswith("unloaded, 5 of 5 requests met the SLO (TTFT 250 ms, TPOT 100 ms)")
    assert 20 <= values["ttft_ms_p50"] < 250
    assert 4 <= values["tpot_ms_p50"] < 100
    assert values["num_good"] == 5


def test_a_server_that_is_slow_without_load_is_stopped(tmp_path: Path) -> None:
    study = STUDY.model_copy(update={"slo": Slo(ttft_ms=10, tpot_ms=100)})
    passed, reason, values = check(tmp_path, study, ttft_ms=40)
    assert passed is False
    assert values["num_good"] == 0
    assert values["ttft_ms_p50"] >= 40
    # none of five: the exact one-sided 95 % bound is 1 - .05 ** (1/5) = 45 %
    assert "attainment is at most 45% (95 % bound), 90% asked" in reason


def test_a_slow_decode_is_stopped_too(tmp_path: Path) -> None:
    study = STUDY.model_copy(update={"slo": Slo(ttft_ms=500, tpot_ms=5)})
    passed, _, values = check(tmp_path, study, tpot_ms=20)
    assert passed is False
    assert 15 <= values["tpot_ms_p50"] < 60


def test_no_first_token_before_the_deadline_ends_the_variant(tmp_path: Path) -> None:
    study = STUDY.model_copy(update={"first_token_deadline_s": 0.2})
    with pytest.raises(EngineError, match=r"gave no answer within 0\.2 s"):
        check(tmp_path, study, ttft_ms=60_000)
