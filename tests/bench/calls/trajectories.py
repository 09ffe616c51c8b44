"""Right conversations, and the ways one goes wrong: seeded by the item and the mutation's name.

A trajectory is a list of turns, each a list of steps, each a list of calls. Whether what comes out
is still right is for the checkers to say: "calls reversed" may be, "read once more" is. A name with
a bracket inside of a string is there because the published checker rewrites it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evals.suites.calls import Call, Calls
from evals.suites.calls.call import Value
from evals.suites.calls.scenes import Scene

SEED = 1
Steps = tuple[Calls, ...]
Trajectory = tuple[Steps, ...]
READING = ("pwd", "ls", "get_account_info", "get_current_time", "list_users", "check_tire_pressure",
           "get_all_credit_cards", "posting_get_login_status", "ticket_get_login_status",
           "list_all_airports", "displayCarStatus")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Right:
    """A scene, and the luck for one mutation of its right calls."""

    scene: Scene
    luck: random.Random

    @property
    def turns(self) -> list[Calls]:
        """The right calls of each turn."""
        return [turn.gold for turn in self.scene.turns]

    def at(self, has_arguments: bool = False) -> tuple[int, int] | None:
        """Choose a call: its turn, and its place there."""
        places = [
            (turn, place)
            for turn, calls in enumerate(self.turns)
            for place, call in enumerate(calls)
            if call.arguments or not has_arguments
        ]
        return self.luck.choice(places) if places else None


Mutation = Callable[[Right], Trajectory | None]


def one_step(turns: Sequence[Calls]) -> Trajectory:
    """Make the calls of each turn one step."""
    return tuple((calls,) if calls else () for calls in turns)


def _with(one: Right, turn: int, place: int, calls: Calls) -> Trajectory:
    """Put some calls in the place of one."""
    turns = one.turns
    turns[turn] = (*turns[turn][:place], *calls, *turns[turn][place + 1 :])
    return one_step(turns)


def _changed(change: Callable[[Right, Call], Call | None], has_arguments: bool = True) -> Mutation:
    """Change one call."""

    def mutation(one: Right) -> Trajectory | None:
        if (at := one.at(has_arguments)) is None:
            return None
        call = change(one, one.turns[at[0]][at[1]])
        return None if call is None else _with(one, *at, (call,))

    return mutation


def _on_value(change: Callable[[Value], Value]) -> Mutation:
    def changed(one: Right, call: Call) -> Call:
        name = one.luck.choice(sorted(call.arguments))
        return Call(call.function, call.arguments | {name: change(call.arguments[name])})

    return _changed(changed)


def _other_value(value: Value) -> Value:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case list():
            return value[:-1] if value else ["Zz"]
        case dict():
            return dict(list(value.items())[:-1])
    return f"{value} Zz"


def _other_type(value: Value) -> Value:
    match value:
        case bool():
            return int(value)
        case int() | float() | None:
            return str(value)
        case str():
            return [value]
    return str(value)


def _same_number(value: Value) -> Value:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _without_argument(one: Right, call: Call) -> Call:
    name = one.luck.choice(sorted(call.arguments))
    return Call(call.function, {k: v for k, v in call.arguments.items() if k != name})


def _other_function(one: Right, call: Call) -> Call:
    names = sorted({known["name"] for known in one.scene.functions} - {call.function})
    return Call(one.luck.choice(names), call.arguments)


def _name_in_string(one: Right, call: Call) -> Call | None:
    """Write a method's name with a bracket into a text, as prose may."""
    for name, value in call.arguments.items():
        if isinstance(value, str) and " " in value:
            return Call(call.function, call.arguments | {name: f"{value} by {call.function}()"})
    return None


def _dropped(one: Right) -> Trajectory | None:
    at = one.at()
    return None if at is None else _with(one, *at, ())


def _silent_turn(one: Right) -> Trajectory:
    turns = one.turns
    turns[one.luck.randrange(len(turns))] = ()
    return one_step(turns)


def _repeated(one: Right) -> Trajectory | None:
    at = one.at()
    return None if at is None else _with(one, *at, (one.turns[at[0]][at[1]],) * 2)


def _read_more(one: Right) -> Trajectory | None:
    """Call once more what takes no argument, and mostly changes nothing."""
    at = one.at()
    free = sorted({call["name"] for call in one.scene.functions} & set(READING))
    if at is None or not free:
        return None
    return _with(one, *at, (Call(one.luck.choice(free), {}), one.turns[at[0]][at[1]]))


def _reversed(one: Right) -> Trajectory | None:
    changed = one_step([calls[::-1] for calls in one.turns])
    return changed if changed != one_step(one.turns) else None


def _all_at_once(one: Right) -> Trajectory | None:
    """Do everything in the first turn, and nothing after it."""
    first = tuple(call for calls in one.turns for call in calls)
    return ((first,), *[()] * (len(one.turns) - 1)) if len(one.turns) > 1 else None


def _a_turn_later(one: Right) -> Trajectory | None:
    """Do at the second turn what the first wants, too."""
    first, *others = one.turns
    if not others:
        return None
    return one_step([(), (*first, *others[0]), *others[1:]])


MUTATIONS: dict[str, Mutation] = {
    "right": lambda one: one_step(one.turns),
    "right, call by call": lambda one: tuple(tuple((c,) for c in calls) for calls in one.turns),
    "numbers retyped": _on_value(_same_number),
    "other value": _on_value(_other_value),
    "other type": _on_value(_other_type),
    "missing argument": _changed(_without_argument),
    "unknown argument": _changed(
        lambda one, call: Call(call.function, call.arguments | {"surplus": 1}), False
    ),
    "other function": _changed(_other_function, False),
    "unknown function": _changed(
        lambda one, call: Call(call.function + "_now", call.arguments), False
    ),
    "name in a string": _changed(_name_in_string),
    "dropped call": _dropped,
    "silent turn": _silent_turn,
    "repeated call": _repeated,
    "read once more": _read_more,
    "calls reversed": _reversed,
    "all in the first turn": _all_at_once,
    "a turn later": _a_turn_later,
}


def mutated(scenes: Sequence[Scene]) -> Iterator[tuple[Scene, str, Trajectory]]:
    """Give every mutation of every scene's right calls, with its name."""
    for scene in scenes:
        for name, mutation in MUTATIONS.items():
            luck = random.Random(f"{SEED} {scene.id} {name}")
            if (trajectory := mutation(Right(scene, luck))) is not None:
                yield scene, name, trajectory
