"""Tool calling by log-likelihood: the gold call against three corruptions of it.

Origin: BFCL version 4 (`evals.suites.bfcl`, Apache-2.0). A 135M model is at the floor when it must
write the call itself, so it chooses, as in When2Call (NVIDIA, CC-BY-4.0; the design, not its
data). The corruptions are the ways a call goes wrong: another function, another argument's name,
another value. All options have the gold call's number of tokens: a "missing argument" would be
shorter and win half the time by its length alone.

Example: gold `area(base=10, height=5)` against `perimeter(base=10, height=5)`,
`area(side=10, height=5)`, `area(base=12, height=5)`.
"""

import random
from collections.abc import Callable, Iterator

from evals.suites.bfcl import Call, Row, Value, addresses, rows
from evals.suites.item import Item, Request, Suite, Tokenizer, draw_items

MAX_CONTEXT_TOKENS = 220  # the longest of the live items have thousands; these fit every budget
NUM_WRONG = 3
TRIES = 60  # candidates looked at per kind before an item is given up
SYSTEM = "You call functions. Answer with one call in Python syntax.\n"


def items(request: Request) -> tuple[Item, ...]:
    """Turn every row that fits into an item, and draw."""
    found = rows(request.files)
    vocabulary = Vocabulary(found, request.tokenizer)
    generator = random.Random(request.seed)
    built = (_item(row, vocabulary, request.tokenizer, generator) for row in found)
    return draw_items([item for item in built if item is not None], request)


class Vocabulary:
    """Function names, argument names and values of all rows: what corruptions borrow."""

    def __init__(self, found: list[Row], tokenizer: Tokenizer) -> None:
        """Collect them once, sorted so that a seed always draws the same."""
        self.tokenizer = tokenizer
        calls = [row.gold for row in found]
        self.functions = sorted({call.function for call in calls})
        self.names = sorted({name for call in calls for name, _ in call.arguments})
        self.values: dict[str, list[Value]] = {}
        for call in calls:
            for _, value in call.arguments:
                self.values.setdefault(type(value).__name__, []).append(value)

    def length(self, call: Call) -> int:
        """Count the tokens of a rendered call."""
        return len(self.tokenizer.encode(call.render()))


def _item(row: Row, vocabulary: Vocabulary, tokenizer: Tokenizer, generator: random.Random) -> Item | None:
    context = tokenizer.render_chat(
        [
            {"role": "system", "content": SYSTEM + "\n".join(map(_signature, row.functions))},
            {"role": "user", "content": row.question},
        ]
    )
    if len(tokenizer.encode(context)) > MAX_CONTEXT_TOKENS:
        return None
    wrong = _corruptions(row, vocabulary, generator)
    if len(wrong) < NUM_WRONG:
        return None
    options = (row.gold.render(), *(call.render() for call in wrong))
    return Item(row.id, row.gold.function, context, options)


def _signature(function: dict[str, object]) -> str:
    """Render a function as one line: `name(argument: type, ...) - description`."""
    parameters = function["parameters"]
    properties = parameters["properties"] if isinstance(parameters, dict) else {}
    listed = ", ".join(f"{name}: {field.get('type', 'any')}" for name, field in properties.items())
    description = str(function.get("description", "")).split(". ")[0][:120]
    return f"{function['name']}({listed}) - {description}"


def _corruptions(row: Row, vocabulary: Vocabulary, generator: random.Random) -> list[Call]:
    """Take one corruption of each kind in turn, all of the gold call's token length."""
    length = vocabulary.length(row.gold)
    streams = [kind(row, vocabulary, generator) for kind in KINDS]
    chosen: list[Call] = []
    for _ in range(NUM_WRONG):
        for stream in streams:
            call = _next_fitting(stream, length, vocabulary, [row.gold, *chosen])
            if call and len(chosen) < NUM_WRONG:
                chosen.append(call)
    return chosen


def _next_fitting(
    stream: Iterator[Call], length: int, vocabulary: Vocabulary, taken: list[Call]
) -> Call | None:
    rendered = {call.render() for call in taken}
    fitting = (c for c in stream if c.render() not in rendered and vocabulary.length(c) == length)
    return next(fitting, None)


def _wrong_function(row: Row, vocabulary: Vocabulary, generator: random.Random) -> Iterator[Call]:
    offered = [str(function["name"]) for function in row.functions]
    others = [name for name in offered if name != row.gold.function]
    others += generator.sample(vocabulary.functions, min(TRIES, len(vocabulary.functions)))
    for name in others:
        if name != row.gold.function:
            yield Call(name, row.gold.arguments)


def _wrong_name(row: Row, vocabulary: Vocabulary, generator: random.Random) -> Iterator[Call]:
    present = {name for name, _ in row.gold.arguments}
    for name in generator.sample(vocabulary.names, min(TRIES, len(vocabulary.names))):
        place = generator.randrange(len(row.gold.arguments))
        if name not in present:
            yield _replaced(row.gold, place, (name, row.gold.arguments[place][1]))


def _wrong_value(row: Row, vocabulary: Vocabulary, generator: random.Random) -> Iterator[Call]:
    for _ in range(TRIES):
        place = generator.randrange(len(row.gold.arguments))
        name, value = row.gold.arguments[place]
        other = generator.choice(vocabulary.values[type(value).__name__])
        if other != value:
            yield _replaced(row.gold, place, (name, other))


def _replaced(call: Call, place: int, argument: tuple[str, Value]) -> Call:
    arguments = call.arguments[:place] + (argument,) + call.arguments[place + 1 :]
    return Call(call.function, arguments)


KINDS: tuple[Callable[[Row, Vocabulary, random.Random], Iterator[Call]], ...] = (
    _wrong_function,
    _wrong_name,
    _wrong_value,
)

SUITE = Suite(
    id="tool-calling",
    origin="BFCL v4, single-call Python categories, inside bfcl-eval 2026.3.23",
    licence="Apache-2.0",
    chance=1 / (1 + NUM_WRONG),
    rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
    exercises="prefill",
    data=addresses(),
    items=items,
)
