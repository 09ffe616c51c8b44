"""Requests that ask for more than text: what goes out, what comes back, and whether it is valid."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.performance import latency
from evals.performance.answer_check import checked, is_valid
from evals.performance.client.request import RequestWriter
from evals.performance.client.sending import send_cell
from evals.performance.endpoint import Endpoint
from evals.performance.metrics import Window, summarize
from evals.performance.tenants import tenant_uses
from evals.workload.cell import CellSpec
from evals.workload.plan import Plan
from evals.workload.planning import plan_cell
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from tests.evals.performance.conftest import Serve
from tests.evals.performance.traces import MS, trace

STREAM = tuple((i * 7919) % 5000 for i in range(20_000))
PIECES = tuple(f" w{token}" for token in STREAM)
TENANTS = [{"name": "gold", "share": 1, "priority": -5}, {"name": "basic", "share": 1}]
NOWHERE = Endpoint(base_url="http://127.0.0.1:9", model="m", engine="scripted", engine_version="1")
SLO = Slo(ttft_ms=5000, tpot_ms=5000)


def plan_of(cell: dict[str, object], **workload: object) -> Plan:
    spec = CellSpec.model_validate(cell)
    fields = {
        "input_tokens": 32, "output_tokens": 24, "cells": (spec,), "ramp_s": 0.1, "window_s": 0.6,
        "timeout_s": 5, **workload,
    }  # fmt: skip
    return plan_cell(Workload.model_validate(fields), spec, 7, 0, STREAM).spelled(PIECES)


def bodies(plan: Plan) -> list[tuple[str, dict[str, Any]]]:
    writer = RequestWriter(NOWHERE, plan)
    sent = [writer.write(request).split(b"\r\n\r\n", 1) for request in plan.requests]
    return [(head.split()[1].decode(), json.loads(body)) for head, body in sent]


def test_text_goes_out_as_token_ids_of_a_fixed_length() -> None:
    plan = plan_of({"closed": 1})
    path, body = bodies(plan)[0]
    assert path == "/v1/completions"
    assert body["prompt"] == plan.prompt(plan.requests[0])
    assert (body["max_tokens"], body["min_tokens"], body["ignore_eos"]) == (24, 24, True)
    assert not {"user", "priority", "cache_salt", "tools", "response_format"} & set(body)


def test_json_goes_out_as_words_with_a_schema() -> None:
    plan = plan_of({"closed": 1, "asks": "json"})
    sent = bodies(plan)[:40]
    assert {path for path, _ in sent} == {"/v1/chat/completions"}
    words = "".join(f" w{token}" for token in plan.prompt(plan.requests[0]))
    assert sent[0][1]["messages"] == [{"role": "user", "content": words}]
    schemas = [body["response_format"]["json_schema"]["name"] for _, body in sent]
    assert set(schemas) == {"schema-0", "schema-1", "schema-2"}
    assert not {"min_tokens", "ignore_eos"} & set(sent[0][1])


def test_a_tool_call_goes_out_with_its_tools() -> None:
    _, body = bodies(plan_of({"closed": 1, "asks": "tool-call"}))[0]
    assert body["tool_choice"] == "required"
    assert body["tools"][0]["function"]["parameters"]["additionalProperties"] is False


def test_tenants_and_adapters_go_out_by_name() -> None:
    plan = plan_of(
        {"poisson": 100, "tenants": "mixed", "adapters": "mixed"}, tenants=TENANTS, adapters=["sql"]
    )
    sent = [body for _, body in bodies(plan)]
    assert {body["model"] for body in sent} == {"m", "sql"}
    for request, body in zip(plan.requests, sent, strict=True):
        name = plan.tenants[request.tenant or 0].name
        assert body["user"] == body["cache_salt"] == name
        assert body.get("priority") == {"gold": -5, "basic": None}[name]
        assert body["model"] == (request.adapter or "m")


CALL = ["get_weather", '{"city": "oslo", "days": 3}']


@pytest.mark.parametrize(
    ("ask", "text", "calls", "expected"),
    [
        ("json", '{"answer": "yes", "confidence": 7}', [], True),
        ("json", '{"answer": "yes", "confidence": 100}', [], False),
        ("json", '{"answer": "yes", "confidence": 7', [], False),
        ("json", '{"answer": "yes"}', [], False),
        ("json", "", [], False),
        ("json", "[" * 100_000, [], False),
        ("tool-call", "", [CALL], True),
        ("tool-call", "", [CALL, ["get_wether", "{}"]], False),
        ("tool-call", "", [["get_weather", '{"city": "oslo"}']], False),
        ("tool-call", "", [["get_weather", "5"]], False),
        ("tool-call", "Sure, I can help.", [], False),
        ("tool-call", json.dumps([CALL]), [], False),
        ("tool-call", "5", [], False),
    ],
)
def test_what_is_valid(ask: Any, text: str, calls: list[list[str]], expected: bool) -> None:
    assert is_valid(ask, 0, text, calls) is expected


def test_text_where_a_call_was_asked_is_no_valid_answer(serve: Serve, tmp_path: Path) -> None:
    plan = plan_of({"poisson": 30, "asks": "tool-call"})
    sent = send_cell(serve(words="Sure, I can help."), plan, tmp_path)
    found = [x for x in checked(sent.traces, plan) if x.is_judged]
    assert {x.is_valid for x in found} == {False}
    window = Window(sent.window_start_ns, sent.window_end_ns, is_open=True, slo=SLO)
    numbers = summarize(checked(sent.traces, plan), window)
    assert numbers["attainment"] == 0
    assert numbers["slo_use_log_mean"] is None  # fast and wrong says nothing of what was left


@pytest.mark.parametrize("streaming", [True, False])
def test_json_that_fits_one_of_three_schemas_is_a_third_valid(
    streaming: bool, serve: Serve, tmp_path: Path
) -> None:
    """Every answer is JSON of schema 0; those asked for another are fast, ended well, not good."""
    endpoint = serve(words='{"answer": "no", "confidence": 1}')
    plan = plan_of({"poisson": 60, "asks": "json", "streaming": streaming})
    sent = send_cell(endpoint, plan, tmp_path)
    traces = checked(sent.traces, plan)
    window = Window(sent.window_start_ns, sent.window_end_ns, is_open=True, slo=SLO)
    found = [x for x in traces if x.is_judged]
    assert {x.outcome for x in found} == {"ok"}
    asked_for_0 = [x for x in found if plan.requests[x.index].variety == 0]
    assert [x.is_valid for x in found] == [x in asked_for_0 for x in found]
    assert [latency.is_good(x, SLO) for x in found] == [bool(x.is_valid) for x in found]
    share = len(asked_for_0) / len(found)
    numbers = summarize(traces, window)
    assert numbers["valid_answers"] == numbers["attainment"] == pytest.approx(share)


@pytest.mark.parametrize("streaming", [True, False])
def test_a_call_is_put_together_from_its_parts(
    streaming: bool, serve: Serve, tmp_path: Path
) -> None:
    arguments = '{"city": "oslo", "days": 3}'
    endpoint = serve(is_tool_call=True, tool="get_weather", words=arguments)
    plan = plan_of({"poisson": 60, "asks": "tool-call", "streaming": streaming})
    sent = send_cell(endpoint, plan, tmp_path)
    found = [x for x in checked(sent.traces, plan) if x.is_judged]
    assert {x.answer for x in found} == {
        json.dumps({"text": "", "calls": [["get_weather", arguments]]})
    }
    assert {(plan.requests[x.index].variety == 0, x.is_valid) for x in found} == {
        (True, True), (False, False),
    }  # fmt: skip


def test_callers_give_up_at_their_timeout(serve: Serve, tmp_path: Path) -> None:
    """A first token after 20 ms and 23 more at 50 ms are 1,170 ms, and nobody waits so long."""
    endpoint = serve(ttft_ms=20, tpot_ms=50)
    sent = send_cell(endpoint, plan_of({"poisson": 30, "timeout_ms": 300}), tmp_path)
    found = [x for x in sent.traces if x.is_judged]
    assert {x.outcome for x in found} == {"timeout"}
    window = Window(sent.window_start_ns, sent.window_end_ns, is_open=True, slo=SLO)
    assert summarize(sent.traces, window)["attainment"] == 0
    # the loop's timer rounds to a millisecond
    assert all(x.end_ns - x.scheduled_ns >= 298 * MS for x in found)


def test_tenants_are_charged_for_what_was_computed() -> None:
    """gold: 300 - 100 + 50 = 250 tokens; basic: 100 - 0 + 150 = 250, and a failure for nothing."""
    plan = plan_of({"poisson": 100, "tenants": "mixed"}, tenants=TENANTS)
    gold = next(r.index for r in plan.requests if r.tenant == 0)
    basic = next(r.index for r in plan.requests if r.tenant == 1)
    traces = [
        trace(prompt_tokens=300, tokens=50).model_copy(
            update={"index": gold, "cached_tokens": 100}
        ),
        trace(prompt_tokens=100, tokens=150).model_copy(
            update={"index": basic, "cached_tokens": 0}
        ),
        trace(outcome="timeout").model_copy(update={"index": basic}),
    ]
    first, second = tenant_uses(traces, plan, Window(0, 1000 * MS, is_open=True, slo=SLO))
    assert (first.name, first.num_judged, first.attainment, first.cached_tokens) == (
        "gold", 1, 1.0, 100,
    )  # fmt: skip
    assert (second.num_judged, second.num_ok, second.attainment) == (2, 1, 0.5)
    assert (first.share, second.share) == (0.5, 0.5)
