"""Functions as lines: a signature, what it does, and what its arguments may be.

As documented, in JSON with the form of each result, the functions of one API take 1,500 to 4,600
tokens, too many for a context of 2,048. A line keeps names, types, defaults and the description; of
an argument's description what limits its value (a list, a form, a path, a number), for without it
the right value could only be guessed. So written they take 200 to 1,100.

Example: `cd(folder: string) - Change the current working directory to the specified folder.
folder: The folder of the directory to change to. You can only change one folder level at a time.`
"""

import re
from collections.abc import Iterable
from typing import Any

LIMITS = re.compile(r"\[Enum\]|[Oo]ptions|format|code|path|only|[\d/'\"#@]")


def listed(functions: Iterable[dict[str, Any]]) -> str:
    """Write one line for each function."""
    return "\n".join(_line(function) for function in functions)


def _line(function: dict[str, Any]) -> str:
    parameters = function["parameters"]
    required = parameters.get("required", ())
    arguments = ", ".join(
        f"{name}: {_type(field)}" + ("" if name in required else f" = {_default(field)}")
        for name, field in parameters["properties"].items()
    )
    described = function["description"].rpartition("Tool description: ")[2]
    limits = [
        f"{name}: {field['description']}"
        for name, field in parameters["properties"].items()
        if LIMITS.search(field["description"])
    ]
    return " ".join(f"{function['name']}({arguments}) - {' '.join([described, *limits])}".split())


def _type(field: dict[str, Any]) -> str:
    if field["type"] == "array":
        return f"array of {_type(field['items'])}"
    if "properties" in field:
        inside = ", ".join(f"{name}: {_type(one)}" for name, one in field["properties"].items())
        return f"{{{inside}}}"
    return str(field["type"])


def _default(field: dict[str, Any]) -> str:
    default = field.get("default")
    return "None" if default in (None, "None") else repr(default)
