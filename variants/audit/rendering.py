"""Render one chat template in a sandbox; a process of its own, JSON in and words out.

The settings, functions and the `generation` tag are those of transformers
(utils/chat_template_utils.py, version 5.17), so what renders there renders here.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

from jinja2 import TemplateError, TemplateSyntaxError, nodes
from jinja2.exceptions import SecurityError
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Look the weather up.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}
CHATS: tuple[dict[str, Any], ...] = (
    {"messages": [{"role": "user", "content": "Hello."}], "tools": None},
    {
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "What is 2 + 2?"},
            {"role": "assistant", "content": "4"},
            {"role": "user", "content": "And 3 + 3?"},
        ],
        "tools": [TOOL],
    },
)
REACHING = (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)


class Refusal(Exception):
    """What a template raises of its own accord: a role or an order that it does not take."""


class Generation(Extension):
    """The tag around what the assistant says; here it is just its content."""

    tags = {"generation"}  # noqa: RUF012  (jinja2's own declaration)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """Return what stands between the tag and its end."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def look(text: str) -> str:
    """Say what is wrong with a template; '' is nothing."""
    environment = _environment()
    try:
        if reached := sorted(set(_reaching(environment.parse(text)))):
            return f"reaches for {', '.join(reached[:3])}"
        template = environment.from_string(text)
    except TemplateSyntaxError as problem:
        return f"is no template: {problem}"
    for chat in CHATS:
        if told := _outcome(lambda chat=chat: _render(template, chat)):
            return told
    return ""


def _render(template: Any, chat: dict[str, Any]) -> str:
    return str(template.render(**chat, add_generation_prompt=True, bos_token="", eos_token=""))


def _outcome(render: Callable[[], str]) -> str:
    try:
        render()
    except SecurityError as problem:
        return f"was stopped by the sandbox: {problem}"
    except Refusal:
        return ""
    except (TemplateError, TypeError, ValueError, KeyError, OverflowError) as problem:
        return f"does not render a plain chat: {problem!r}"
    return ""


def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _tojson
    environment.globals["raise_exception"] = _refuse
    environment.globals["strftime_now"] = lambda form: datetime(2026, 1, 1).strftime(form)  # noqa: DTZ001
    return environment


def _tojson(value: object, **settings: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=settings.get("indent"))


def _refuse(message: str) -> None:
    raise Refusal(message)


def _reaching(tree: nodes.Template) -> Iterator[str]:
    """Name what looks inside of objects, or to other files; constants, too, name attributes."""
    for node in tree.find_all(nodes.Getattr):
        if node.attr.startswith("__"):
            yield node.attr
    for constant in tree.find_all(nodes.Const):
        if isinstance(constant.value, str) and constant.value.startswith("__"):
            yield constant.value
    for name in tree.find_all(nodes.Name):
        if name.name.startswith("__"):
            yield name.name
    for other in tree.find_all(REACHING):
        yield type(other).__name__.lower()


def _main() -> None:
    given = json.load(sys.stdin)
    seconds, size = given["cpu_seconds"], given["memory_bytes"]
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    sys.stdout.write(look(given["template"]))


if __name__ == "__main__":
    _main()
