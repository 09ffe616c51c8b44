from evals.workload.traffic import likeness_check, traffic_of
from evals.workload.workload import Workload
from tests.variants.calibration.test_likeness import SEEN
from variants.calibration import use_of
from variants.specs.spec import Calibration

WORKLOAD = Workload.model_validate(
    {
        "input_tokens": 96,
        "long_input_tokens": 384,
        "cells": [
            {"closed": 1},
            {"closed": 2, "asks": "tool-call"},
            {"closed": 4, "input": "long"},
            {"closed": 8, "input": "long", "judged": False},
        ],
    }
)


def test_judged_cells_declare_the_traffic() -> None:
    traffic = traffic_of(WORKLOAD)
    assert traffic.median_tokens == 96  # of 96, 96 and 384
    assert traffic.tool_share == 1 / 3
    assert traffic.latin_share is None


def test_what_is_unlike_is_told_with_what_to_do_and_fails_nothing() -> None:
    check = likeness_check(use_of(Calibration(), SEEN), traffic_of(WORKLOAD))
    assert check.passed
    assert check.reason.startswith(
        "set stdlib-docstrings is unlike the declared traffic: median length 200 tokens, "
        "traffic 96; share of requests with tools 0%, traffic 33%"
    )
    assert check.values["traffic_tool_share"] == 1 / 3
    assert check.values["median_tokens"] == 200


def test_an_artifact_of_before_is_told_to_be_one() -> None:
    assert "build it again" in likeness_check(None, traffic_of(WORKLOAD)).reason
