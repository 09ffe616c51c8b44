"""Are the written calls those wanted? Strict, and the same verdict as the published checker.

Origin: BFCL's `ast_checker` (bfcl-eval 2026.3.23, Apache-2.0); the rules, none of the code. As many
calls as wanted, one for each; in any order. A call has the wanted function's full name, every
argument that is required or may not be left out, none that is not documented and accepted, and
accepted values (`evals.suites.calls.values`).

Exceptions, where the published verdict is wrong (`make bench-calls` counts what they change):
- it gives each wanted call the first written one that fits, and may have none left for the next;
  here one whole assignment is enough;
- it knows a dotted name only if its table of models says that an API wrote it with underscores;
  here `evals.suites.calls.answer` turns names back, and this sees documented names only;
- types, strings and numbers below the elements of an argument: see `evals.suites.calls.values`.

Example: wanted `area(base=10)` and `area(base=5)`: `[area(base=5), area(base=10)]` is right,
`[area(base=5)]` dropped, `[area(base=5), area(base=5)]` wrong_value.
"""

from collections.abc import Sequence

from evals.suites.calls.call import Call, Calls, Failure, Kind, Parsed
from evals.suites.calls.rows import Row, Wanted
from evals.suites.calls.values import fault_of

NEAREST_FIRST: tuple[Kind, ...] = (
    "wrong_value", "wrong_type", "unexpected_argument", "missing_argument", "wrong_function",
)  # fmt: skip


def check(row: Row, parsed: Parsed) -> Failure | None:
    """Say what is wrong with an answer, or None where it is right."""
    if isinstance(parsed, Failure):
        return parsed
    strange = [call.function for call in parsed if call.function not in row.offered]
    if strange:
        return Failure("hallucinated_call", f"{strange[0]} was never offered")
    if len(parsed) < len(row.wanted):
        return Failure("dropped", f"{len(parsed)} calls, {len(row.wanted)} are wanted")
    if len(parsed) > len(row.wanted):
        return Failure("hallucinated_call", f"{len(parsed)} calls, {len(row.wanted)} are wanted")
    return nearest_miss(row.wanted, parsed)


def check_call(wanted: Wanted, call: Call) -> Failure | None:
    """Say what is wrong with one call, or None where it is the one wanted."""
    if call.function != wanted.function:
        return Failure("wrong_function", f"{call.function} where {wanted.function} is wanted")
    needed = {name for name, accepted in wanted.accepted.items() if "" not in accepted}
    needed |= set(wanted.parameters.get("required", ()))
    if missing := sorted(needed - call.arguments.keys()):
        return Failure("missing_argument", f"{call.function} has no {missing[0]}")
    properties = wanted.parameters.get("properties", {})
    for name, value in call.arguments.items():
        if name not in properties or name not in wanted.accepted:
            return Failure("unexpected_argument", f"{call.function} has a {name}")
        if kind := fault_of(value, properties[name], wanted.accepted[name]):
            told = f"{name} is {value!r:.200}, accepted is {wanted.accepted[name]!r:.200}"
            return Failure(kind, told)
    return None


def nearest_miss(wanted: tuple[Wanted, ...], calls: Calls) -> Failure | None:
    """Match one to one; say how the nearest of the calls left over misses what is left over.

    There are at least as many calls as are wanted.
    """
    failures = [[check_call(one, call) for call in calls] for one in wanted]
    taken = match([[failure is None for failure in line] for line in failures])
    if len(taken) == len(wanted):
        return None
    open_wanted = set(range(len(wanted))) - set(taken.values())
    left = [
        failure
        for one in sorted(open_wanted)
        for at, failure in enumerate(failures[one])
        if failure is not None and at not in taken
    ]
    return min(left, key=lambda failure: NEAREST_FIRST.index(failure.kind))


def match(fits: Sequence[Sequence[bool]]) -> dict[int, int]:
    """Return column -> row of a largest one-to-one choice among those that fit.

    Source: augmenting paths (Kuhn, 1955). Example: [[True, True], [True, False]] -> {1: 0, 0: 1}.
    """
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for column, is_fitting in enumerate(fits[row]):
            if is_fitting and column not in seen:
                seen.add(column)
                if column not in taken or place(taken[column], seen):
                    taken[column] = row
                    return True
        return False

    for row in range(len(fits)):
        place(row, set())
    return taken
