"""Right answers, and the ways one goes wrong: seeded by the item and the mutation's name.

Each takes the right calls and gives others, or None where there is nothing to change. Whether the
result is still right is for the checkers to say: "other case" mostly is, "values exchanged" may be.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from evals.suites.calls import Call, Calls, Row, Wanted
from evals.suites.calls.call import Value

Scalar = str | int | float | bool | None
SEED = 1
API_NAMES = "name without dots"


@dataclass(frozen=True, slots=True)
class Right:
    """A row with the calls that answer it, and the luck for one mutation."""

    row: Row
    calls: Calls
    luck: random.Random

    def at(self) -> int:
        """Choose a call that has arguments, or any."""
        return self.luck.choice([at for at, one in enumerate(self.calls) if one.arguments] or [0])


Mutation = Callable[[Right], Calls | None]


def right(row: Row, place: int = 0, is_full: bool = False) -> Calls:
    """Write the wanted calls with the accepted value of a place (-1: the last), in order."""
    return tuple(Call(one.function, _arguments(one, place, is_full)) for one in row.wanted)


def _arguments(wanted: Wanted, place: int, is_full: bool) -> dict[str, Value]:
    required = wanted.parameters.get("required", ())
    chosen = {}
    for name, accepted in wanted.accepted.items():
        real = [one for one in accepted if one != ""]
        if real and (is_full or name in required or "" not in accepted):
            chosen[name] = _plain(real[place], place)
    return chosen


def _plain(accepted: Any, place: int) -> Value:
    """Choose one accepted value in each entry of a dict."""
    if isinstance(accepted, list):
        return [_plain(one, place) for one in accepted]
    if isinstance(accepted, dict):
        real = {key: [one for one in values if one != ""] for key, values in accepted.items()}
        return {key: values[place] for key, values in real.items() if "" not in accepted[key]}
    return accepted  # type: ignore[no-any-return]


def _with(one: Right, at: int, **changes: Any) -> Calls:
    call = one.calls[at]
    changed = Call(changes.get("function", call.function), changes.get("arguments", call.arguments))
    return (*one.calls[:at], changed, *one.calls[at + 1 :])


def _on_one(change: Callable[[Value, random.Random], Value]) -> Mutation:
    """Change the value of one argument."""

    def mutation(one: Right) -> Calls | None:
        at = one.at()
        arguments = dict(one.calls[at].arguments)
        if not arguments:
            return None
        name = one.luck.choice(sorted(arguments))
        arguments[name] = change(arguments[name], one.luck)
        return _with(one, at, arguments=arguments)

    return mutation


def _on_all(change: Callable[[Scalar, random.Random], Value]) -> Mutation:
    """Change every value inside every argument; None where that changes nothing."""

    def deep(value: Value, luck: random.Random) -> Value:
        if isinstance(value, list):
            return [deep(one, luck) for one in value]
        if isinstance(value, dict):
            return {key: deep(one, luck) for key, one in value.items()}
        assert not isinstance(value, tuple), "no right answer has one"
        return change(value, luck)

    def mutation(one: Right) -> Calls | None:
        changed = tuple(
            Call(call.function, {k: deep(v, one.luck) for k, v in call.arguments.items()})
            for call in one.calls
        )
        return changed if repr(changed) != repr(one.calls) else None

    return mutation


def _inside(value: Value, luck: random.Random, change: Callable[[Value], Value]) -> Value:
    """Change a value, or one of those inside of it."""
    if value and luck.random() < 0.7:
        if isinstance(value, list):
            at = luck.randrange(len(value))
            return [*value[:at], _inside(value[at], luck, change), *value[at + 1 :]]
        if isinstance(value, dict):
            key = luck.choice(sorted(value))
            return value | {key: _inside(value[key], luck, change)}
    return change(value)


def _other_value(value: Value) -> Value:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value} Zz"
        case list():
            return value[:-1] if value else [0]
        case dict():
            return dict(list(value.items())[:-1])
    return "Zz"


def _other_type(value: Value) -> Value:
    match value:
        case bool():
            return int(value)
        case int() | float() | None:
            return str(value)
        case str():
            return [value]
        case list():
            return tuple(value)
    return str(value)


def _other_case(value: Scalar, luck: random.Random) -> Value:
    if not isinstance(value, str):
        return value
    return "".join(one.upper() + luck.choice(["", "", " ", "-", "."]) for one in value)


def _to_float(value: Scalar, luck: random.Random) -> Value:
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _to_int(value: Scalar, luck: random.Random) -> Value:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _bool_to_int(value: Scalar, luck: random.Random) -> Value:
    return int(value) if isinstance(value, bool) else value


def _int_to_bool(value: Scalar, luck: random.Random) -> Value:
    return bool(value) if value in (0, 1) and isinstance(value, int) else value


def _unknown_key(one: Right) -> Calls | None:
    """Put a key too many into every dict that is an argument, or an element of one."""

    def widened(value: Value) -> Value:
        if isinstance(value, list):
            return [widened(element) for element in value]
        return value | {"surplus": 1} if isinstance(value, dict) else value

    changed = tuple(
        Call(call.function, {name: widened(value) for name, value in call.arguments.items()})
        for call in one.calls
    )
    return changed if changed != one.calls else None


def _missing_argument(one: Right) -> Calls | None:
    at = one.at()
    arguments = dict(one.calls[at].arguments)
    if not arguments:
        return None
    arguments.pop(one.luck.choice(sorted(arguments)))
    return _with(one, at, arguments=arguments)


def _unknown_argument(one: Right) -> Calls | None:
    at = one.at()
    return _with(one, at, arguments=one.calls[at].arguments | {"surplus": 1})


def _spare_argument(one: Right) -> Calls | None:
    """Give an argument that is documented, and that the right answer leaves out."""
    at = one.at()
    properties = one.row.wanted[at].parameters["properties"]
    spare = sorted(properties.keys() - one.calls[at].arguments.keys())
    if not spare:
        return None
    name = one.luck.choice(spare)
    value: Value = properties[name].get("default") or one.luck.choice(["", 1, [], None])
    return _with(one, at, arguments=one.calls[at].arguments | {name: value})


def _exchanged(one: Right) -> Calls | None:
    at = one.at()
    arguments = dict(one.calls[at].arguments)
    if len(arguments) < 2:
        return None
    first, second = one.luck.sample(sorted(arguments), 2)
    arguments[first], arguments[second] = arguments[second], arguments[first]
    return _with(one, at, arguments=arguments)


def _other_function(one: Right) -> Calls | None:
    at = one.at()
    others = sorted(one.row.offered - {one.calls[at].function})
    return _with(one, at, function=one.luck.choice(others)) if others else None


def _unknown_function(one: Right) -> Calls:
    at = one.at()
    return _with(one, at, function=one.calls[at].function + "_now")


def _without_dots(one: Right) -> Calls | None:
    """Write names as an API does that allows no dots."""
    changed = tuple(Call(call.function.replace(".", "_"), call.arguments) for call in one.calls)
    return changed if changed != one.calls else None


def _extra_call(one: Right) -> Calls:
    return (*one.calls, one.luck.choice(one.calls))


def _dropped_call(one: Right) -> Calls:
    at = one.luck.randrange(len(one.calls))
    return (*one.calls[:at], *one.calls[at + 1 :])


def _repeated_call(one: Right) -> Calls | None:
    """Write one call in the place of another."""
    if len(one.calls) < 2:
        return None
    first, second = one.luck.sample(range(len(one.calls)), 2)
    return (*one.calls[:first], one.calls[second], *one.calls[first + 1 :])


def _reversed(one: Right) -> Calls | None:
    return one.calls[::-1] if one.calls[::-1] != one.calls else None


MUTATIONS: dict[str, Mutation] = {
    "right": lambda one: one.calls,
    "right, other values": lambda one: right(one.row, -1),
    "right, all arguments": lambda one: right(one.row, 0, True),
    "calls reversed": _reversed,
    "other case, spaces": _on_all(_other_case),
    "int to float": _on_all(_to_float),
    "float to int": _on_all(_to_int),
    "bool to int": _on_all(_bool_to_int),
    "int to bool": _on_all(_int_to_bool),
    "other value": _on_one(lambda value, luck: _inside(value, luck, _other_value)),
    "other type": _on_one(lambda value, luck: _inside(value, luck, _other_type)),
    "null": _on_one(lambda value, luck: _inside(value, luck, lambda _: None)),
    "empty": _on_one(lambda value, luck: [] if isinstance(value, list) else ""),
    "values exchanged": _exchanged,
    "missing argument": _missing_argument,
    "unknown argument": _unknown_argument,
    "unknown key": _unknown_key,
    "spare argument": _spare_argument,
    "other function": _other_function,
    "unknown function": _unknown_function,
    API_NAMES: _without_dots,
    "extra call": _extra_call,
    "dropped call": _dropped_call,
    "repeated call": _repeated_call,
}


def mutated(rows: Sequence[Row]) -> Iterator[tuple[Row, str, Calls]]:
    """Give every mutation of every row's right answer, with its name."""
    for row in rows:
        for name, mutation in MUTATIONS.items():
            luck = random.Random(f"{SEED} {row.id} {name}")
            if (calls := mutation(Right(row, right(row), luck))) is not None:
                yield row, name, calls
