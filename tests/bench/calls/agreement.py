"""Two verdicts on every answer, and which documented exception explains where they differ.

An exception is a rewriting that takes one quirk out of an answer and leaves what it means. It
explains a difference if the side that said "wrong" says "right" to the rewritten answer.

Example: `f(numbers=[1, 2])` for `[1.0, 2.0]` is right here and wrong as published; rewritten to
`f(numbers=[1.0, 2.0])` it is right as published too.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evals.suites.calls import (
    Call,
    Calls,
    Failure,
    Row,
    ToolCall,
    api_names,
    check,
    parse_text,
    parse_tool_calls,
    render,
)
from evals.suites.calls.call import Value
from evals.suites.calls.checking import check_call, match
from evals.suites.calls.values import normal
from tests.bench.calls.mutations import API_NAMES, mutated
from tests.bench.calls.published import Verdict, ask

Replace = Callable[[Value, Sequence[Any]], Value]


@dataclass(frozen=True, slots=True)
class Compared:
    """One answer, judged twice."""

    row: Row
    mutation: str
    calls: Calls
    ours: Failure | None
    published: Verdict

    @property
    def is_agreed(self) -> bool:
        """Whether both say right, or both say wrong."""
        return (self.ours is None) == self.published.is_valid


@dataclass(frozen=True, slots=True)
class Exemption:
    """A documented exception: whose "wrong" it explains, and the rewriting that takes it away."""

    name: str
    refused_by: Literal["ours", "published"]
    rewrite: Callable[[Row, Calls], Calls]


def compare(rows: Sequence[Row], wheel: Path) -> list[Compared]:
    """Judge every mutation of every row's right answer by both checkers."""
    answers = list(mutated(rows))
    verdicts = ask(wheel, [(row, render(calls)) for row, _, calls in answers])
    return [
        Compared(row, mutation, calls, judge(row, mutation, calls), verdict)
        for (row, mutation, calls), verdict in zip(answers, verdicts, strict=True)
    ]


def judge(row: Row, mutation: str, calls: Calls) -> Failure | None:
    """Judge an answer by ours as it would arrive: as text, or from an API that allows no dots."""
    if mutation != API_NAMES:
        return check(row, parse_text(render(calls)))
    given = tuple(ToolCall(call.function, json.dumps(call.arguments)) for call in calls)
    return check(row, parse_tool_calls(given, api_names(row.offered)))


def explain(compared: Sequence[Compared], wheel: Path) -> dict[int, str]:
    """Return place -> name of the exception that explains the difference there."""
    tries = [
        (at, exemption.name, one, calls)
        for at, one in enumerate(compared)
        for exemption in EXEMPTIONS
        if not one.is_agreed and (exemption.refused_by == "ours") == (one.ours is not None)
        if render(calls := exemption.rewrite(one.row, one.calls)) != render(one.calls)
    ]
    verdicts = ask(wheel, [(one.row, render(calls)) for _, _, one, calls in tries])
    explained: dict[int, str] = {}
    for (at, name, one, calls), verdict in zip(tries, verdicts, strict=True):
        if verdict.is_valid and judge(one.row, one.mutation, calls) is None:
            explained.setdefault(at, name)
    return explained


def _inside(replace: Replace, is_outside_too: bool = False) -> Callable[[Row, Calls], Calls]:
    """Replace what stands inside arguments by the value accepted there that means the same."""

    def deep(value: Value, known: Sequence[Any], is_outside: bool) -> Value:
        if isinstance(value, list):
            return [deep(one, list(_elements(known)), False) for one in value]
        if isinstance(value, dict):
            return {key: deep(one, list(_at(known, key)), False) for key, one in value.items()}
        return replace(value, known) if is_outside_too or not is_outside else value

    def argument(row: Row, function: str, name: str, value: Value) -> Value:
        wanted = (one.accepted for one in row.wanted if one.function == function)
        return deep(value, list(_at(list(wanted), name)), True)

    def rewrite(row: Row, calls: Calls) -> Calls:
        return tuple(
            Call(call.function, {
                name: argument(row, call.function, name, value)
                for name, value in call.arguments.items()
            })
            for call in calls
        )  # fmt: skip

    return rewrite


def _elements(known: Sequence[Any]) -> Iterator[Any]:
    for one in known:
        yield from one if isinstance(one, list) else ()


def _at(known: Sequence[Any], key: str) -> Iterator[Any]:
    """Give the values accepted at a key: a list of them, or a plain one."""
    for one in known:
        found = one.get(key, []) if isinstance(one, dict) else []
        yield from found if isinstance(found, list) else [found]


def _same_number(value: Value, known: Sequence[Any]) -> Value:
    if not isinstance(value, int | float):
        return value
    return next((one for one in known if isinstance(one, int | float) and one == value), value)


def _same_text(value: Value, known: Sequence[Any]) -> Value:
    if not isinstance(value, str):
        return value
    texts = (one for one in known if isinstance(one, str))
    return next((one for one in texts if normal(one) == normal(value)), value)


def _in_order(row: Row, calls: Calls) -> Calls:
    """Put each call where the wanted one stands that it is matched with."""
    taken = match([[check_call(one, call) is None for call in calls] for one in row.wanted])
    if len(taken) != len(calls):
        return calls
    written = {wanted: at for at, wanted in taken.items()}
    return tuple(calls[written[at]] for at in range(len(calls)))


def _with_dots(row: Row, calls: Calls) -> Calls:
    names = api_names(row.offered)
    return tuple(Call(names.get(call.function, call.function), call.arguments) for call in calls)


EXEMPTIONS = (
    Exemption("5.0 is not 5, and True not 1, at any depth", "ours", _inside(_same_number)),
    Exemption("a whole number is a float in a list too", "published", _inside(_same_number)),
    Exemption("strings are normalized at any depth", "published", _inside(_same_text)),
    Exemption("strings are normalized for every type", "published", _inside(_same_text, True)),
    Exemption("any one-to-one matching will do", "published", _in_order),
    Exemption("names from an API get their dots back", "published", _with_dots),
)
