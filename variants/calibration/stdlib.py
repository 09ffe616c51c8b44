"""Sets cut from the standard library's calibration half (`variants.prose`): found everywhere.

Example: a function `dumps` of module json with the docstring "Serialize obj to a JSON formatted
str..." becomes the chat "What does json.dumps do?" -> its docstring; its body is code.
"""

import ast
from functools import cache

from variants.calibration.request import Request
from variants.prose import documented, passages, prose_of, sources_of

MIN_WORDS = 25  # of an answer: a shorter one is mostly template
QUESTIONS = (
    "What does {name} in Python's {module} module do?",
    "Explain {module}.{name} to me.",
    "When would I use {name} from the {module} module?",
    "I am reading code that calls {module}.{name}. What should I know about it?",
)
PLAIN = "You are a helpful assistant."
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@cache
def docstrings() -> tuple[Request, ...]:
    """Return the running prose of each module."""
    return tuple(Request(text=text) for text in passages("calibration").values())


@cache
def chats() -> tuple[Request, ...]:
    """Return a question about each documented function, answered with what its author wrote."""
    pairs = [
        (module, name, prose_of(text))
        for module, path in sources_of("calibration")
        for name, text in documented(path)
    ]
    long = [pair for pair in pairs if len(pair[2].split()) >= MIN_WORDS]
    return tuple(_chat(number, *pair) for number, pair in enumerate(long))


def _chat(number: int, module: str, name: str, answer: str) -> Request:
    question = QUESTIONS[number % len(QUESTIONS)].format(module=module, name=name)
    said = (("system", PLAIN), ("user", question), ("assistant", answer))
    return Request(messages=tuple({"role": role, "content": text} for role, text in said))


@cache
def code() -> tuple[Request, ...]:
    """Return the source of each module, without docstrings and comments."""
    sources = [_undocumented(path.read_bytes()) for _, path in sources_of("calibration")]
    return tuple(Request(text=text) for text in sources if len(text.split()) >= MIN_WORDS)


def _undocumented(source: bytes) -> str:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ""
    for node in ast.walk(tree):
        if isinstance(node, Definition | ast.Module) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)
