import numpy as np
import pytest
from pydantic import ValidationError

from evals.workload.cell import CellSpec
from evals.workload.plan import NS_PER_S, Plan, PlannedRequest
from evals.workload.planning import plan_cell
from evals.workload.workload import Workload
from variants.errors import StudyError

STREAM = [(i * 7919) % 5000 for i in range(20_000)]
OPEN, CLOSED = CellSpec(poisson=50), CellSpec(closed=4)


def workload(**changes: object) -> Workload:
    return Workload.model_validate(
        {"input_tokens": 32, "output_tokens": 16, "cells": (OPEN, CLOSED), **changes}
    )


def test_one_seed_gives_one_plan_through_json_too() -> None:
    plan = plan_cell(workload(), OPEN, 1, 0, STREAM)
    assert plan == plan_cell(workload(), OPEN, 1, 0, STREAM)
    assert plan == Plan.model_validate_json(plan.model_dump_json())


def test_arrivals_are_poisson_at_the_rate() -> None:
    plan = plan_cell(workload(timeout_s=100), OPEN, 1, 0, STREAM)
    offsets = np.array([request.offset_ns for request in plan.requests]) / NS_PER_S
    gaps = np.diff(offsets)
    assert len(gaps) == pytest.approx(50 * 107, rel=0.05)  # 3.7 sigma of a Poisson count
    assert gaps.mean() == pytest.approx(1 / 50, rel=0.05)
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=0.1)  # exponential gaps


def test_phases_follow_the_offsets() -> None:
    plan = plan_cell(workload(ramp_s=1, window_s=6, timeout_s=2), OPEN, 1, 0, STREAM)
    for request in plan.requests:
        assert request.offset_ns is not None
        at_s = request.offset_ns / NS_PER_S
        assert request.phase == ("ramp" if at_s < 1 else "window" if at_s < 7 else "tail")
    assert {request.phase for request in plan.requests} == {"ramp", "window", "tail"}


def test_no_two_prompts_begin_alike_and_all_have_the_length() -> None:
    plans = [plan_cell(workload(), cell, 1, r, STREAM) for cell in (OPEN, CLOSED) for r in (0, 1)]
    prompts = [plan.prompt(request) for plan in plans for request in plan.requests]
    assert {len(prompt) for prompt in prompts} == {32}
    assert len({tuple(prompt[:8]) for prompt in prompts}) == len(prompts)


def test_a_prompt_is_a_window_of_the_text_behind_its_nonce() -> None:
    plan = plan_cell(workload(), OPEN, 1, 0, STREAM)
    text = plan.texts[plan.requests[0].texts[0]]
    assert plan.prompt(plan.requests[0])[8:] == STREAM[text.start : text.start + 24]


def test_closed_loop_spreads_its_workers_over_the_ramp() -> None:
    plan = plan_cell(workload(ramp_s=2), CLOSED, 1, 0, STREAM)
    offsets = [request.offset_ns for request in plan.requests]
    assert offsets[:4] == [0, NS_PER_S // 2, NS_PER_S, 3 * NS_PER_S // 2]
    assert set(offsets[4:]) == {None}
    assert {request.phase for request in plan.requests} == {"free"}


@pytest.mark.parametrize(
    ("stream", "words"), [([1, 2] * 100, "2 distinct ids"), (list(range(70)), "a prompt takes 128")]
)
def test_a_poor_stream_is_refused(stream: list[int], words: str) -> None:
    with pytest.raises(StudyError, match=words):
        plan_cell(workload(input_tokens=128), OPEN, 1, 0, stream)


def test_a_shared_prefix_begins_every_prompt_of_its_cell_and_no_other() -> None:
    cell = CellSpec(poisson=50, prefix="high")
    plans = [plan_cell(workload(input_tokens=64), cell, 1, repeat, STREAM) for repeat in (0, 1)]
    beginnings = []
    for plan in plans:
        prompts = [plan.prompt(request) for request in plan.requests]
        assert {len(prompt) for prompt in prompts} == {64}
        (beginning,) = {tuple(prompt[:48]) for prompt in prompts}  # .75 x 64
        assert len({tuple(prompt[48:56]) for prompt in prompts}) == len(prompts)
        assert [request.num_known for request in plan.requests] == [0, *[48] * (len(prompts) - 1)]
        beginnings.append(beginning[:8])
    assert beginnings[0] != beginnings[1]


def test_lengths_follow_the_axes() -> None:
    long = workload(input_tokens=32, long_input_tokens=64, long_output_tokens=40)
    plan = plan_cell(long, CellSpec(closed=2, input="long", output="long"), 1, 0, STREAM)
    assert {plan.prompt_tokens(request) for request in plan.requests} == {64}
    assert {request.output_tokens for request in plan.requests} == {40}
    mixed = plan_cell(long, CellSpec(poisson=50, input="mixed"), 1, 0, STREAM)
    lengths = [mixed.prompt_tokens(request) for request in mixed.requests]
    assert [len(mixed.prompt(request)) for request in mixed.requests] == lengths
    assert lengths.count(64) == -(-len(lengths) // 8)
    assert set(lengths) == {32, 64}


@pytest.mark.parametrize("when", ["before-first-token", "mid-stream"])
def test_leaving_is_planned(when: str) -> None:
    cell = CellSpec.model_validate({"poisson": 50, "leaves": {"when": when, "share": 0.5}})
    leaves = [request.leave for request in plan_cell(workload(), cell, 1, 0, STREAM).requests]
    left = [leave for leave in leaves if leave is not None]
    assert len(left) / len(leaves) == pytest.approx(0.5, abs=0.05)
    if when == "mid-stream":
        assert {leave.after_tokens for leave in left} == set(range(1, 16))
    else:
        assert all(1_000_000 <= (leave.after_ns or 0) < 20_000_000 for leave in left)


def test_a_contaminated_cell_repeats_its_prompts() -> None:
    cell = CellSpec(poisson=50, prompts="repeated")
    plan = plan_cell(workload(), cell, 1, 0, STREAM)
    assert len({tuple(plan.prompt(request)) for request in plan.requests}) == 4
    assert {request.num_known for request in plan.requests} == {0}  # it is not planned to hit


def test_turns_begin_with_all_before_them() -> None:
    """32 tokens, then 16 more each turn, .5 s apart; turns before the start are not sent."""
    cell = CellSpec(poisson=20, turns=3)
    spoken = workload(think_s=0.5, turn_tokens=16, timeout_s=20)
    plan = plan_cell(spoken, cell, 1, 0, STREAM)
    assert plan.cell == "poisson-20-3-turns"
    by_first: dict[int, list[PlannedRequest]] = {}
    for request in plan.requests:
        by_first.setdefault(request.texts[0], []).append(request)
    whole = [turns for turns in by_first.values() if len(turns) == 3]
    assert len(plan.requests) == pytest.approx(20 * 27, rel=0.15)
    assert whole
    for turns in whole:
        prompts = [plan.prompt(request) for request in turns]
        assert [len(prompt) for prompt in prompts] == [32, 48, 64]
        assert [request.num_known for request in turns] == [0, 32, 48]
        assert prompts[2][:48] == prompts[1] and prompts[1][:32] == prompts[0]
        offsets = [request.offset_ns or 0 for request in turns]
        assert np.diff(offsets).tolist() == pytest.approx([NS_PER_S / 2] * 2, abs=2)


def test_tenants_share_a_prefix_only_without_salts() -> None:
    tenants = [{"name": "a", "share": 3, "priority": -1}, {"name": "b", "share": 1}]
    cell = CellSpec(poisson=50, prefix="high", tenants="mixed")
    plan = plan_cell(workload(tenants=tenants), cell, 1, 0, STREAM)
    of_a = [request for request in plan.requests if request.tenant == 0]
    assert len(of_a) / len(plan.requests) == pytest.approx(0.75, abs=0.05)
    assert sum(request.num_known == 0 for request in plan.requests) == 2  # the first of each
    open_handed = [{**tenant, "has_own_cache": False} for tenant in tenants]
    plan = plan_cell(workload(tenants=open_handed), cell, 1, 0, STREAM)
    assert sum(request.num_known == 0 for request in plan.requests) == 1


def test_adapters_are_mixed_evenly_with_the_model() -> None:
    cell = CellSpec(poisson=50, adapters="mixed")
    plan = plan_cell(workload(adapters=["sql", "chat"], timeout_s=20), cell, 1, 0, STREAM)
    names = [request.adapter for request in plan.requests]
    for name in (None, "sql", "chat"):
        assert names.count(name) / len(names) == pytest.approx(1 / 3, abs=0.06)


def test_callers_of_a_timeout_cell_wait_less() -> None:
    plan = plan_cell(workload(), CellSpec(poisson=50, timeout_ms=400), 1, 0, STREAM)
    assert plan.timeout_ns == 400_000_000
    assert plan.cell == "poisson-50-timeout-400ms"


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ({"closed": 1, "input": "image"}, "image input is not measured"),
        ({"closed": 1, "images": 2}, "images input is not measured"),
        ({"closed": 1, "turns": 2}, "need scheduled arrivals"),
        ({"poisson": 1, "turns": 2, "input": "mixed"}, "turns grow by themselves"),
        ({"poisson": 1, "turns": 2, "prompts": "repeated"}, "check a plain cell"),
        ({"closed": 1, "tenants": "mixed"}, "list two or more in workload.tenants"),
        ({"closed": 1, "adapters": "mixed"}, "list them in workload.adapters"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_words(cell: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        workload(cells=[cell])
