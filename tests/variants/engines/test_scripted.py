import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from variants.engines.scripted.answers import log_probability

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[httpx.Client]:
    """Serve the script given as the fixture's parameter; an empty one otherwise."""
    path = tmp_path / "script.json"
    path.write_text(json.dumps(getattr(request, "param", {})))
    command = [sys.executable, "-m", "variants.engines.scripted", "--script", str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        with httpx.Client(base_url=process.stdout.readline().strip()) as opened:
            yield opened
        process.kill()


def ask(client: httpx.Client, **body: object) -> dict[str, object]:
    response = client.post("/v1/completions", json={"model": "scripted", **body})
    response.raise_for_status()
    return dict(response.json())


def test_small_routes(client: httpx.Client) -> None:
    assert client.get("/health").status_code == 200
    assert client.get("/v1/models").json()["data"][0]["id"] == "scripted"
    assert client.post("/tokenize", json={"prompt": "ab"}).json()["tokens"] == [97, 98]
    assert client.post("/reset_prefix_cache").status_code == 200
    assert client.get("/nowhere").status_code == 404


def test_completion_without_streaming(client: httpx.Client) -> None:
    answer = ask(client, prompt=[5, 6, 7], max_tokens=2)
    assert answer["usage"] == {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
    assert answer["choices"] == [
        {"index": 0, "finish_reason": "length", "text": " t1 t2", "logprobs": None}
    ]


def test_chat_without_streaming(client: httpx.Client) -> None:
    body = {"messages": [{"role": "user", "content": "hi"}], "max_tokens": 1}
    answer = client.post("/v1/chat/completions", json=body).json()
    assert answer["choices"][0]["message"] == {"role": "assistant", "content": " t1"}


def test_echoed_log_probabilities_depend_on_what_came_before(client: httpx.Client) -> None:
    body = {"prompt": [[5, 6, 7], [4, 6, 7]], "max_tokens": 0, "echo": True, "logprobs": 1}
    first, again = ask(client, **body), ask(client, **body)
    assert first["choices"] == again["choices"]
    choices = first["choices"]
    assert isinstance(choices, list)
    scores = [choice["logprobs"]["token_logprobs"] for choice in choices]
    assert scores[0] == [None, log_probability([5], 6), log_probability([5, 6], 7)]
    assert scores[0][1:] != scores[1][1:]
    assert all(score < 0 for score in scores[0][1:])


def events(client: httpx.Client, path: str = "/v1/completions", **body: object) -> list[str]:
    response = client.post(path, json={"prompt": [1, 2], "max_tokens": 3, "stream": True, **body})
    return response.text.split("\n\n")[:-1]


def test_stream(client: httpx.Client) -> None:
    *chunks, usage, done = events(client)
    parsed = [json.loads(chunk.removeprefix("data: ")) for chunk in chunks]
    assert [chunk["choices"][0]["text"] for chunk in parsed] == [" t1", " t2", " t3"]
    assert [chunk["usage"]["completion_tokens"] for chunk in parsed] == [1, 2, 3]
    assert [chunk["choices"][0]["finish_reason"] for chunk in parsed] == [None, None, "length"]
    assert json.loads(usage.removeprefix("data: "))["choices"] == []
    assert done == "data: [DONE]"


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        (
            {"has_role_chunk": True, "has_comments": True, "usage": "none"},
            "role-ping-a-ping-a-ping-a-done",
        ),
        ({"usage": "end"}, "a-a-a-u-done"),
        ({"fault": "no_done", "usage": "none"}, "a-a-a"),
        ({"fault": "error", "usage": "none"}, "a-error-done"),
        ({"missing_tokens": 1, "usage": "none"}, "a-a-done"),
    ],
    indirect=["client"],
)
def test_shapes_of_streams(client: httpx.Client, expected: str) -> None:
    marks = {": ping": "ping", '"role"': "role", " t": "a", '"error"': "error", "[DONE]": "done"}
    seen = [
        next((mark for words, mark in marks.items() if words in event), "u")
        for event in events(client, "/v1/chat/completions", messages=[])
    ]
    assert "-".join(seen) == expected


@pytest.mark.parametrize(
    ("client", "expected"),
    [
        ({"num_reasoning": 2}, ["reasoning_content", "reasoning_content", "content"]),
        ({"is_tool_call": True}, ["name", "arguments", "arguments"]),
    ],
    indirect=["client"],
)
def test_kinds_of_tokens(client: httpx.Client, expected: list[str]) -> None:
    chunks = events(client, "/v1/chat/completions", messages=[])[:3]
    deltas = [json.loads(one.removeprefix("data: "))["choices"][0]["delta"] for one in chunks]
    parts = [delta["tool_calls"][0]["function"] if "tool_calls" in delta else delta
             for delta in deltas]  # fmt: skip
    assert [next(iter(part)) for part in parts] == expected


@pytest.mark.parametrize("client", [{"tpot_ms": 5}], indirect=True)
def test_the_truth_is_what_was_written(client: httpx.Client) -> None:
    events(client)
    truth = client.get("/truth").json()
    assert truth["arrivals"][0] == 1 and len(truth["arrivals"]) == 2
    writes = [truth["writes"][at : at + 4] for at in range(0, len(truth["writes"]), 4)]
    assert [tokens for *_, tokens in writes] == [1, 1, 1, 0]  # the last ends the stream
    assert all(sent >= due for _, due, sent, _ in writes)
    assert writes[1][1] - writes[0][1] == 5_000_000


@pytest.mark.parametrize("client", [{"fault": "http_500", "fault_every": 2}], indirect=True)
def test_fault_strikes_every_second_request(client: httpx.Client) -> None:
    body = {"prompt": "a", "max_tokens": 1}
    codes = [client.post("/v1/completions", json=body).status_code for _ in range(4)]
    assert codes == [200, 500, 200, 500]


@pytest.mark.parametrize("client", [{"die_after": 1}], indirect=True)
def test_it_dies_in_mid_stream(client: httpx.Client) -> None:
    assert events(client)[-1] == "data: [DONE]"
    with pytest.raises(httpx.RemoteProtocolError):
        events(client)


@pytest.mark.parametrize("client", [{"num_slots": 1, "ttft_ms": 5}], indirect=True)
def test_metrics_are_back_at_rest_after_the_last_request(client: httpx.Client) -> None:
    events(client)
    text = client.get("/metrics").text
    labels = '{engine="0",model_name="scripted"}'
    assert f"vllm:num_requests_running{labels} 0.0" in text
    assert f"vllm:generation_tokens_total{labels} 3.0" in text
