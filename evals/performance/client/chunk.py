"""What a chunk of a streamed answer may hold that we look at (adapter: msgspec).

Only these fields are decoded. Where the format has text a server may send null, a number or a list,
so whatever is there counts if it is not empty. Measured per chunk of vLLM's on one core: .7 us
here, 1.2 us by orjson, 4.9 us by the standard library.
"""

from typing import Any

import msgspec

ERROR_OBJECT = "error"  # how a server names a failure in a stream that began with 200


class Function(msgspec.Struct):
    """A part of a call."""

    name: Any = None
    arguments: Any = None


class ToolCall(msgspec.Struct):
    """One of the calls that a message makes."""

    index: int | None = None
    function: Function | None = None


class Delta(msgspec.Struct):
    """What came anew of a chat message, or all of it."""

    content: Any = None
    reasoning: Any = None
    reasoning_content: Any = None
    tool_calls: list[ToolCall] | None = None

    def has_token(self) -> bool:
        """Whether there is text, reasoning, or a part of a tool call; a role alone is nothing."""
        return bool(self.content or self.reasoning or self.reasoning_content) or any(
            call.function is not None and (call.function.name or call.function.arguments)
            for call in self.tool_calls or ()
        )


class Choice(msgspec.Struct):
    """One continuation."""

    text: Any = None
    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: Any = None


class PromptDetails(msgspec.Struct):
    """Where the prompt came from."""

    cached_tokens: int | None = None


class Usage(msgspec.Struct):
    """The server's own counts."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: PromptDetails | None = None


class Chunk(msgspec.Struct):
    """One event of a stream."""

    choices: list[Choice] | None = None
    usage: Usage | None = None
    error: Any = None
    object: Any = None


_decode = msgspec.json.Decoder(Chunk).decode


def decode(data: bytes) -> Chunk:
    """Read one event.

    Raises:
        ValueError: it is not JSON, or not shaped like a chunk; the words say which.
    """
    try:
        return _decode(data)
    except msgspec.MsgspecError:
        pass
    text = data.decode("utf-8", errors="replace")  # a broken character is no broken stream
    try:
        return _decode(text)
    except msgspec.ValidationError as error:
        raise ValueError(f"no chunk ({error}): {text}") from None
    except msgspec.DecodeError:
        raise ValueError(f"not JSON: {text}") from None
