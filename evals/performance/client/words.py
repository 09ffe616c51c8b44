"""The words of a chat's answer, put together from its parts."""

import json

from evals.performance.client.chunk import Delta


class Words:
    """Grows part by part; reasoning is no part of the answer."""

    def __init__(self) -> None:
        """Have heard nothing yet."""
        self._text: list[str] = []
        self._calls: dict[int, tuple[list[str], list[str]]] = {}

    def add(self, part: Delta) -> None:
        """Take what came anew: text, or parts of a call's name and arguments."""
        if isinstance(part.content, str):
            self._text.append(part.content)
        for place, call in enumerate(part.tool_calls or ()):
            number = place if call.index is None else call.index
            names, arguments = self._calls.setdefault(number, ([], []))
            if call.function is not None:
                names.append(str(call.function.name or ""))
                arguments.append(str(call.function.arguments or ""))

    def render(self) -> str:
        """Give both as JSON: text, and calls, a list of [name, arguments]."""
        calls = [["".join(part) for part in call] for _, call in sorted(self._calls.items())]
        return json.dumps({"text": "".join(self._text), "calls": calls})
