import pytest
from pydantic import ValidationError

from evals.workload.slo import Slo


def test_a_preset_is_two_limits_and_what_else_is_said() -> None:
    slo = Slo.model_validate({"preset": "llama3.1-8b-interactive", "attainment": 0.95})
    assert (slo.ttft_ms, slo.tpot_ms, slo.attainment) == (500, 30, 0.95)
    assert Slo.model_validate({"preset": "llama2-70b", "tpot_ms": 150}).tpot_ms == 150


def test_an_unknown_preset_names_the_known_ones() -> None:
    with pytest.raises(ValidationError, match=r"no SLO preset 'llama9'; there are llama2-70b, "):
        Slo.model_validate({"preset": "llama9"})
