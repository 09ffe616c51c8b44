"""What the scripted endpoint says: OpenAI-shaped bodies that depend on the request alone."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MAX_MODEL_LEN = 4096
CREATED = 1_700_000_000  # a fixed time: the same request gives the same bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A completion or chat completion that was asked for."""

    prompts: tuple[tuple[int, ...], ...]
    max_tokens: int
    is_streaming: bool
    is_chat: bool
    num_logprobs: int | None
    is_echo: bool

    @property
    def prompt(self) -> tuple[int, ...]:
        """All prompts as one, for counting."""
        return tuple(token for prompt in self.prompts for token in prompt)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, whoever asked for it: the same question gives the same bytes."""

    model: str
    is_chat: bool
    num_prompt: int
    num_tokens: int
    num_reasoning: int = 0
    is_tool_call: bool = False
    is_accented: bool = False
    words: str = ""  # said instead, spread evenly over the tokens
    tool: str = "scripted"
    ends: str = "length"

    def text(self, index: int) -> str:
        """Text of the n-th token, counted from 1; the first of a call is its name."""
        if not self.words:
            return f" t{index}\u00e9" if self.is_accented else f" t{index}"
        num_before = self.num_reasoning + self.is_tool_call
        if index <= num_before:
            return f" t{index}"
        place, num = index - num_before, max(1, self.num_tokens - num_before)
        size = len(self.words)
        return self.words[(place - 1) * size // num : place * size // num]

    @property
    def finish_reason(self) -> str:
        """Why it ends."""
        return "tool_calls" if self.is_tool_call else self.ends


def parse_request(body: Mapping[str, object], is_chat: bool) -> Request:
    """Read the fields that the script looks at."""
    max_tokens = body.get("max_completion_tokens", body.get("max_tokens", 16))
    logprobs = body.get("logprobs")
    return Request(
        prompts=_chat_prompt(body) if is_chat else _prompts(body.get("prompt", "")),
        max_tokens=max_tokens if isinstance(max_tokens, int) else 16,
        is_streaming=bool(body.get("stream")),
        is_chat=is_chat,
        num_logprobs=int(logprobs) if isinstance(logprobs, int) else None,
        is_echo=bool(body.get("echo")),
    )


def _chat_prompt(body: Mapping[str, object]) -> tuple[tuple[int, ...], ...]:
    return (tokenize(json.dumps(body.get("messages"), sort_keys=True)),)


def _prompts(prompt: object) -> tuple[tuple[int, ...], ...]:
    """Accept text, token ids, or a list of either, as vLLM does."""
    if isinstance(prompt, str):
        return (tokenize(prompt),)
    assert isinstance(prompt, list), "prompt must be text or a list"
    if all(isinstance(item, int) for item in prompt):
        return (tuple(prompt),)
    return tuple(tokenize(item) if isinstance(item, str) else tuple(item) for item in prompt)


def tokenize(text: str) -> tuple[int, ...]:
    """Take bytes as token ids."""
    return tuple(text.encode())


def tokenization(body: Mapping[str, object]) -> str:
    """Answer /tokenize."""
    tokens = tokenize(str(body.get("prompt", "")))
    return json.dumps({"count": len(tokens), "max_model_len": MAX_MODEL_LEN, "tokens": tokens})


def models(model: str) -> str:
    """Answer /v1/models."""
    entry = {"id": model, "object": "model", "created": CREATED, "max_model_len": MAX_MODEL_LEN}
    return json.dumps({"object": "list", "data": [entry]})


def error_object(message: str) -> str:
    """Shape an error as vLLM does."""
    return json.dumps({"error": {"message": message, "type": "ScriptedError", "code": 500}})


def log_probability(before: Sequence[int], token: int) -> float:
    """Give a log-probability in nats, -5.0 to -0.001, that depends on all that came before."""
    digest = hashlib.sha256(repr((tuple(before), token)).encode()).digest()
    return -(int.from_bytes(digest[:4], "big") % 5000 + 1) / 1000


def event(answer: Answer, index: int | None, finish: str | None, usage: int | None) -> str:
    """Shape one event of a stream: token `index` from 1; 0 is a role alone, None has no choice.

    `usage` is the count of tokens so far; None leaves it out.
    """
    content = {**_envelope(answer, "chunk"), "choices": []}
    if index is not None:
        slot = _slot(answer, index)
        content["choices"] = [{"index": 0, "finish_reason": finish, **slot}]
    if usage is not None:
        content["usage"] = _usage(answer, usage)
    return json.dumps(content, ensure_ascii=False)


def _slot(answer: Answer, index: int) -> dict[str, object]:
    text = answer.text(index) if index else ""
    if not answer.is_chat:
        return {"text": text}
    if not index:
        return {"delta": {"role": "assistant", "content": ""}}
    if index <= answer.num_reasoning:
        return {"delta": {"reasoning_content": text}}
    if answer.is_tool_call:
        part = {"name": answer.tool} if index == answer.num_reasoning + 1 else {"arguments": text}
        return {"delta": {"tool_calls": [{"index": 0, "function": part}]}}
    return {"delta": {"content": text}}


def completion(answer: Answer, request: Request) -> bytes:
    """Shape a whole answer, one choice per prompt."""
    choices = [
        _choice(request, index, prompt, answer) for index, prompt in enumerate(request.prompts)
    ]
    content = _envelope(answer, "completion")
    total = answer.num_tokens * len(choices)
    return json.dumps({**content, "choices": choices, "usage": _usage(answer, total)}).encode()


def _choice(
    request: Request, index: int, prompt: tuple[int, ...], answer: Answer
) -> dict[str, object]:
    choice: dict[str, object] = {"index": index, "finish_reason": answer.finish_reason}
    said = [answer.text(number) for number in range(1, answer.num_tokens + 1)]
    text = "".join(said)
    if request.is_chat and answer.is_tool_call:
        call = {"name": answer.tool, "arguments": "".join(said[answer.num_reasoning + 1 :])}
        return {**choice, "message": {"role": "assistant", "tool_calls": [{"function": call}]}}
    if request.is_chat:
        return {**choice, "message": {"role": "assistant", "content": text}}
    logprobs = None
    if request.num_logprobs is not None:
        echoed = prompt if request.is_echo else ()
        logprobs = _logprobs(echoed, request.num_logprobs)
    return {**choice, "text": text, "logprobs": logprobs}


def _logprobs(tokens: tuple[int, ...], num_top: int) -> dict[str, object]:
    """Score each token given those before it; the first has none, as in the OpenAI format."""
    scores: list[float | None] = [
        log_probability(tokens[:i], token) if i else None for i, token in enumerate(tokens)
    ]
    names = [f"token_id:{token}" for token in tokens]
    top = [
        None if score is None else {name: score} if num_top else {}
        for name, score in zip(names, scores, strict=True)
    ]
    offsets = list(range(len(tokens)))
    return {
        "tokens": names,
        "token_logprobs": scores,
        "top_logprobs": top,
        "text_offset": offsets,
    }


def _envelope(answer: Answer, kind: str) -> dict[str, object]:
    chat_name = "chat.completion.chunk" if kind == "chunk" else "chat.completion"
    name = chat_name if answer.is_chat else "text_completion"
    return {"id": "cmpl-1", "object": name, "created": CREATED, "model": answer.model}


def _usage(answer: Answer, num_output: int) -> dict[str, object]:
    return {
        "prompt_tokens": answer.num_prompt,
        "completion_tokens": num_output,
        "total_tokens": answer.num_prompt + num_output,
    }
