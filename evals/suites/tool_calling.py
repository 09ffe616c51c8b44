"""Tool calling by log-likelihood: the gold call against five corruptions of it.

Origin: BFCL version 4 (`evals.suites.bfcl`, Apache-2.0). A 135M model is at the floor when it must
write the call itself, so it chooses, as in When2Call (NVIDIA, CC-BY-4.0; the design, not its
data). The corruptions are the ways a call goes wrong: two values exchanged, another value of
its schema or a number that lies near, another of the functions offered, another parameter's
name. Nothing in them is foreign to the prompt: names borrowed from other items are told apart 96
times in 100.

All options have the gold call's number of tokens: a "missing argument" would be shorter and win
half the time by its length alone.

Example: gold `area(base=10, height=5)` against `area(base=5, height=10)`,
`area(base=11, height=5)`, `perimeter(base=10, height=5)`, `area(unit=10, height=5)`,
`area(base=9, height=5)`.
"""

import re
from collections.abc import Callable, Sequence
from itertools import chain, combinations, zip_longest

from evals.suites.bfcl import Call, Row, Value, addresses, rows
from evals.suites.item import Item, Request, Suite, Tokenizer, draw_items

MAX_CONTEXT_TOKENS = 220  # the longest of the live items have thousands; these fit every budget
NUM_WRONG = 5
MIN_HARD = 4  # phrases of the question are easy to tell apart; they only fill up
NUMBER = re.compile(r"\d+(?:\.\d+)?")
SYSTEM = "You call functions. Answer with one call in Python syntax.\n"


def items(request: Request) -> tuple[Item, ...]:
    """Turn every row that fits into an item, and draw."""
    found = rows(request.files)
    built = (_item(row, request.tokenizer) for row in found)
    return draw_items([item for item in built if item is not None], request)


def _item(row: Row, tokenizer: Tokenizer) -> Item | None:
    context = tokenizer.render_chat(
        [
            {"role": "system", "content": SYSTEM + "\n".join(map(signature, row.functions))},
            {"role": "user", "content": row.question},
        ]
    )
    if len(tokenizer.encode(context)) > MAX_CONTEXT_TOKENS:
        return None
    wrong = corruptions(row, tokenizer)
    if len(wrong) < NUM_WRONG:
        return None
    options = (row.gold.render(), *(call.render() for call in wrong))
    return Item(row.id, row.gold.function, context, options)


def signature(function: dict[str, object]) -> str:
    """Render a function as one line: `name(argument: type, ...) - description`."""
    parameters = function["parameters"]
    properties = parameters["properties"] if isinstance(parameters, dict) else {}
    listed = ", ".join(f"{name}: {field.get('type', 'any')}" for name, field in properties.items())
    description = str(function.get("description", "")).split(". ")[0][:120]
    return f"{function['name']}({listed}) - {description}"


def corruptions(row: Row, tokenizer: Tokenizer) -> list[Call]:
    """Take corruptions of the gold call's token length, hard kinds in turn, then phrases."""
    length = len(tokenizer.encode(row.gold.render()))

    def fits(call: Call) -> bool:
        return len(tokenizer.encode(call.render())) == length

    hard = [filter(fits, kind(row)) for kind in HARD_KINDS]
    turns = chain.from_iterable(zip_longest(*hard))
    distinct = {call.render(): call for call in turns if call is not None}
    distinct.pop(row.gold.render(), None)
    if len(distinct) < MIN_HARD:
        return []
    for call in filter(fits, _phrase_values(row)):
        distinct.setdefault(call.render(), call)
    return list(distinct.values())[:NUM_WRONG]


def _wrong_function(row: Row) -> list[Call]:
    """Call another of the functions offered."""
    names = (str(function["name"]) for function in row.functions)
    return [Call(name, row.gold.arguments) for name in names if name != row.gold.function]


def _wrong_name(row: Row) -> list[Call]:
    """Give an argument the name of another parameter that the prompt shows."""
    shown = {name for function in row.functions for name in function["parameters"]["properties"]}
    free = sorted(shown - {name for name, _ in row.gold.arguments})
    return [
        _replaced(row.gold, place, (name, value))
        for place, (_, value) in enumerate(row.gold.arguments)
        for name in free
    ]


def _swapped(row: Row) -> list[Call]:
    """Exchange the values of two arguments of the same type."""
    pairs = combinations(range(len(row.gold.arguments)), 2)
    return [_exchanged(row.gold, *pair) for pair in pairs if _is_wrong_exchange(row, *pair)]


def _is_wrong_exchange(row: Row, one: int, other: int) -> bool:
    (name, value), (_, exchanged) = row.gold.arguments[one], row.gold.arguments[other]
    return type(value) is type(exchanged) and not row.accepts(name, exchanged)


def _exchanged(call: Call, one: int, other: int) -> Call:
    (first, value), (second, exchanged) = call.arguments[one], call.arguments[other]
    return _replaced(_replaced(call, one, (first, exchanged)), other, (second, value))


def _near_value(row: Row) -> list[Call]:
    """Give an argument another value its schema names, or a number that lies near."""
    return _with_values(row, lambda name, value: [*_enumerated(row, name), *_numbers(row, value)])


def _phrase_values(row: Row) -> list[Call]:
    """Give an argument other words of the question, the nearest to the right ones first."""
    return _with_values(
        row,
        lambda _, value: _phrases(row.question, value.split()) if isinstance(value, str) else [],
    )


def _with_values(row: Row, others: Callable[[str, Value], Sequence[Value]]) -> list[Call]:
    return [
        _replaced(row.gold, place, (name, other))
        for place, (name, value) in enumerate(row.gold.arguments)
        for other in others(name, value)
        if not row.accepts(name, other)
    ]


def _enumerated(row: Row, name: str) -> list[Value]:
    called = (f for f in row.functions if f["name"] == row.gold.function)
    return [value for f in called for value in f["parameters"]["properties"][name].get("enum", [])]


def _numbers(row: Row, value: Value) -> list[Value]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        written = [type(value)(float(text)) for text in NUMBER.findall(row.question)]
        return [value + 1, value - 1, *written, value * 10]
    return []


def _phrases(question: str, value: list[str]) -> list[Value]:
    """List runs of words as long as a value, those nearest to where it stands first."""
    words = [word.strip(".,?!'\"") for word in question.split()]
    runs = [words[start : start + len(value)] for start in range(len(words) - len(value) + 1)]
    shared = [len(set(run) & set(value)) for run in runs]
    place = shared.index(max(shared)) if shared else 0
    nearest = sorted(range(len(runs)), key=lambda start: (abs(start - place), start))
    return [" ".join(runs[start]) for start in nearest if runs[start] != value]


def _replaced(call: Call, place: int, argument: tuple[str, Value]) -> Call:
    arguments = (*call.arguments[:place], argument, *call.arguments[place + 1 :])
    return Call(call.function, arguments)


HARD_KINDS: tuple[Callable[[Row], list[Call]], ...] = (
    _swapped,
    _near_value,
    _wrong_function,
    _wrong_name,
)

SUITE = Suite(
    id="tool-calling",
    origin="BFCL v4, single-call Python categories, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=1 / (1 + NUM_WRONG),
    cluster_key="function",
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data=addresses(),
    items=items,
)
