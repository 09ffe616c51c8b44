"""Ready cells for a service class, and the SLO that fits it.

What a machine can do differs by orders of magnitude, so a mix is given its rate and its concurrency
and brings the shapes. The limits are MLPerf's pairs for models of the class (`slo.py`).

Example: `{class: interactive, rate: 2, closed: 8}` is closed-1, closed-8, poisson-2,
gamma-2-cv3, poisson-2-shared, poisson-2-4-turns and poisson-2-mixed-in.
"""

from collections.abc import Callable
from typing import Any, Literal

from pydantic import Field

from evals.results import Result

Cells = list[dict[str, Any]]


class Mix(Result):
    """Which cells, and how much load."""

    service_class: Literal["interactive", "batch", "long-context"] = Field(alias="class")
    rate: float = Field(ge=0.001, le=10_000, description="requests per second")
    closed: int = Field(default=8, ge=2, le=4096, description="concurrent requests")

    def cells(self) -> Cells:
        """Return the cells as a study would write them; those at the end are shown, not judged."""
        return CELLS[self.service_class](self)


def _interactive(mix: Mix) -> Cells:
    """People wait for each token: single stream, steady and bursty arrivals, conversations."""
    rate = mix.rate
    return [
        {"closed": 1},
        {"closed": mix.closed},
        {"poisson": rate},
        {"gamma": {"rate": rate, "cv": 3}},
        {"poisson": rate, "prefix": "high", "judged": False},
        {"poisson": rate, "turns": 4, "judged": False},
        {"poisson": rate, "input": "mixed", "judged": False},
    ]


def _batch(mix: Mix) -> Cells:
    """Nobody waits: throughput at high concurrency, long answers, whole answers."""
    return [
        {"closed": 1},
        {"closed": mix.closed},
        {"closed": mix.closed, "output": "long"},
        {"closed": mix.closed, "prefix": "high", "judged": False},
        {"closed": mix.closed, "streaming": False, "judged": False},
        {"constant": mix.rate, "judged": False},
    ]


def _long_context(mix: Mix) -> Cells:
    """Prefill weighs most: long prompts alone, together, shared, and among short ones."""
    rate = mix.rate
    return [
        {"closed": 1, "input": "long"},
        {"closed": mix.closed, "input": "long"},
        {"poisson": rate, "input": "long"},
        {"poisson": rate, "input": "mixed"},
        {"poisson": rate, "input": "long", "prefix": "high", "judged": False},
        {"poisson": rate, "turns": 4, "judged": False},
    ]


CELLS: dict[str, Callable[[Mix], Cells]] = {
    "interactive": _interactive,
    "batch": _batch,
    "long-context": _long_context,
}
SLO_PRESETS = {
    "interactive": "llama3.1-8b-interactive",
    "batch": "llama3.1-8b",
    "long-context": "llama3.1-405b",
}


def with_mix(fields: dict[str, Any]) -> dict[str, Any]:
    """Spell out the mix of a workload: its cells go before those that the study adds."""
    if fields.get("mix") is None:
        return fields
    mix = Mix.model_validate(fields["mix"])
    rest = {name: value for name, value in fields.items() if name != "mix"}
    further = fields.get("cells") or []
    if not isinstance(further, list | tuple):
        raise ValueError(f"cells {further!r} are no list")
    return {**rest, "cells": [*mix.cells(), *further]}


def with_class(fields: dict[str, Any]) -> dict[str, Any]:
    """Give a study the service class and the SLO of its workload's mix, unless it says its own."""
    workload = fields.get("workload")
    mix = workload.get("mix") if isinstance(workload, dict) else None
    service_class = mix.get("class") if isinstance(mix, dict) else None
    if not isinstance(service_class, str) or service_class not in SLO_PRESETS:
        return fields
    brought = {"service_class": service_class, "slo": {"preset": SLO_PRESETS[service_class]}}
    return {**brought, **fields}
