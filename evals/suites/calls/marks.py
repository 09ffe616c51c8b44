"""Does a text hold a call, whole or broken?

A model whose call is not recognized by its server, or that breaks off in the middle of one, has
still tried to call. So a text is searched for the marks that the common formats leave: a name with
its first argument in brackets, a JSON object with a name and arguments, a tag. A function that is
only spoken of is no call.

Example: `I call area(base=10` and `<tool_call>{"na` hold one, `area() needs a base` holds none.
"""

import re
from collections.abc import Iterable

from evals.suites.calls.call import Failure
from evals.suites.calls.parsing import parse_text

FORMATS = re.compile(
    r"""<tool_call|<\|tool_call|\[TOOL_CALLS\]|<\|python_tag\||<function[=_]   # tags
    | "name"\s*:\s*"[^"]*"\s*,\s*"(?:arguments|parameters)"\s*:                # a JSON object
    | ^[\s`\[(]* [A-Za-z_][\w.]{2,} \( \s*\w+\s*=                              # begins as a call
    """,
    re.VERBOSE,
)


def holds_call(text: str, offered: Iterable[str]) -> bool:
    """Whether a text holds a call; `offered`: the names to look for in the middle of it."""
    parsed = parse_text(text)
    if not isinstance(parsed, Failure):
        return len(parsed) > 0
    if FORMATS.search(text):
        return True
    names = "|".join(re.escape(name) for name in offered)
    begins = rf"^[\s`\[(]*(?:{names})\(\s*[\"'\[{{\d]"
    inside = rf"(?<![\w.])(?:{names})[({{]\s*[\"']?\w+[\"']?\s*[=:]"
    return bool(names and re.search(f"{begins}|{inside}", text))
