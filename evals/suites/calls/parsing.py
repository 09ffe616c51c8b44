"""Turn what a model wrote into calls, and never run a word of it.

Two forms: Python text, read by `ast` (a call, a list of calls, either inside a code fence), and the
tool calls of an API answer, whose arguments are JSON. Only literals are values. What the published
decoder takes beyond that is a parse error here: arithmetic and lambdas, which it gives to `eval`, a
bare name, which it takes for a string, and a positional argument, which it drops in silence.

Python's parser can exhaust the C stack on text that is deep enough, `- - - - 1` among it. So the
text is first cut into the tokens that calls and literals are made of; what is long, deep or made of
others is refused before it is read.

Example: `[area(base=10), geo.locate(city='Bonn')]` is two calls; `area(10)` is a parse error, "area
has a positional argument".
"""

import ast
import json
import math
import re
import warnings
from collections.abc import Mapping
from keyword import iskeyword
from typing import TypeVar

from evals.suites.calls.call import Call, Failure, Parsed, ToolCall, Value

MAX_CHARACTERS = 20_000  # the longest right answer has 715
MAX_DEPTH = 16  # the deepest right answer has 4 brackets within each other
LARGEST = 2**63  # beyond it a number is no value of any API, and Python may refuse to print it
FENCE = re.compile(r"```(?:\w+(?=\s))?(?P<inside>.*)```", re.DOTALL)
TOKEN = re.compile(
    r"""\s+ | [.,:=] | (?P<open>[(\[{]) | (?P<close>[)\]}])
    | [rRuU]? (?: \'{3} .*? \'{3} | "{3} .*? "{3} | '(?:\\.|[^'\\\n])*' | "(?:\\.|[^"\\\n])*" )
    | -?\s* (?: \d[\d_]*+ (?:\.[\d_]*+)? | \.\d[\d_]*+ ) (?:[eE][+-]?\d++)? (?!\w)
    | (?P<word>[^\W\d]\w*) (?!['"])
    """,
    re.VERBOSE | re.DOTALL,
)
LITERALS = ("True", "False", "None")
Number = TypeVar("Number", int, float)


def parse_text(text: str) -> Parsed:
    """Read `[f(a=1), g.h(b='x')]` or a single call; an empty list is no call, and no failure."""
    try:
        return tuple(_call(node) for node in _elements(text))
    except SyntaxError as problem:
        return Failure("parse_error", f"this is no Python: {problem.msg}")
    except (RecursionError, MemoryError):
        return Failure("parse_error", "this is too deep to be read")
    except ValueError as problem:
        return Failure("parse_error", str(problem))


def parse_tool_calls(tool_calls: tuple[ToolCall, ...], names: Mapping[str, str]) -> Parsed:
    """Read the tool calls of an API answer; `names`: name in the API -> name as documented."""
    try:
        return tuple(
            Call(names.get(one.name, one.name), _arguments(one.arguments)) for one in tool_calls
        )
    except (RecursionError, MemoryError):
        return Failure("parse_error", "the arguments are too deep to be read")
    except ValueError as problem:  # json.JSONDecodeError is one
        return Failure("parse_error", f"the arguments cannot be read: {problem}")


def _elements(text: str) -> list[ast.expr]:
    fenced = FENCE.fullmatch(text.strip())
    inside = (fenced["inside"] if fenced else text).strip()
    _require_readable(inside)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a model's "\d" is no matter for our users
        body = ast.parse(inside, mode="eval").body
    return body.elts if isinstance(body, ast.List | ast.Tuple) else [body]


def _require_readable(text: str) -> None:
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"{len(text):,} characters, and {MAX_CHARACTERS:,} are read")
    at = depth = 0
    while at < len(text):
        token = TOKEN.match(text, at)
        if token is None or (iskeyword(token["word"] or "") and token["word"] not in LITERALS):
            raise ValueError(f"{text[at : at + 20]!r} where a call or a literal should stand")
        depth += bool(token["open"]) - bool(token["close"])
        if depth > MAX_DEPTH:
            raise ValueError(f"brackets more than {MAX_DEPTH} deep")
        at = token.end()


def _call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call):
        raise ValueError(f"a {type(node).__name__} where a call should stand")
    function = _name(node.func)
    if node.args:
        raise ValueError(f"{function} has a positional argument")
    arguments: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError(f"{function} has arguments behind **")
        if keyword.arg in arguments:
            raise ValueError(f"{function} has {keyword.arg} twice")
        arguments[keyword.arg] = _value(keyword.value)
    return Call(function, arguments)


def _name(node: ast.expr) -> str:
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        raise ValueError(f"a {type(node).__name__} where a function's name should stand")
    return ".".join([node.id, *reversed(parts)])


def _value(node: ast.expr) -> Value:
    """Read a literal; only brackets nest, so `MAX_DEPTH` bounds the recursion."""
    match node:
        case ast.Constant(value=plain):
            return _plain(plain)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -_number(number)
        case ast.List(elts=elements):
            return [_value(element) for element in elements]
        case ast.Tuple(elts=elements):
            return tuple(_value(element) for element in elements)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return _unique([(_key(key), _value(one)) for key, one in pairs])
    raise ValueError(f"a {type(node).__name__} where a literal should stand")


def _plain(constant: object) -> Value:
    if constant is None or isinstance(constant, str | bool):
        return constant
    if isinstance(constant, int | float):
        return _number(constant)
    raise ValueError(f"a {type(constant).__name__}, which no JSON can hold")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("a key that is no string")


def _unique(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key that is there twice")
    return found


def _number(number: Number) -> Number:
    if isinstance(number, bool):
        raise ValueError("a truth value with a sign")
    if abs(number) >= LARGEST and isinstance(number, int):
        raise ValueError("a whole number of more than 63 bits")
    if not math.isfinite(number):
        raise ValueError("a number that is not finite")  # 1e999 reads as infinity
    return number


def _arguments(text: str) -> dict[str, Value]:
    _require_readable(text)
    found = json.loads(
        text,
        object_pairs_hook=_unique,
        parse_int=lambda digits: _number(int(digits)),
        parse_float=lambda digits: _number(float(digits)),
        parse_constant=lambda name: _number(float(name)),
    )
    if not isinstance(found, dict):
        raise ValueError(f"a {type(found).__name__} where an object should stand")
    return found
