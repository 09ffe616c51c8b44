import json
from pathlib import Path

import pytest

from variants.calibration import SETS, Request, files_of, requests_of, set_sha256
from variants.calibration.request import read_requests
from variants.calibration.tools import addresses, calls
from variants.errors import RecipeError
from variants.fingerprint import sha256_file
from variants.prose import passages
from variants.specs.spec import Calibration

JAVA = {
    "id": "simple_java_0",
    "question": [[{"role": "user", "content": "Load the map of Rome."}]],
    "function": [{
        "name": "Maps.load",
        "parameters": {
            "type": "dict",
            "properties": {"city": {"type": "String"}, "sizes": {
                "type": "ArrayList", "items": {"type": "long"}}},
            "required": ["city"],
        },
    }],
}  # fmt: skip
ANSWER = {
    "id": "simple_java_0",
    "ground_truth": [{"Maps.load": {"city": ["Rome", "roma"], "sizes": ["", 3]}}],
}


def own(tmp_path: Path, *lines: object) -> Calibration:
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return Calibration(corpus="requests", source=f"file://{path}", sha256=sha256_file(path))


def test_every_set_says_where_it_is_from_and_under_which_licence() -> None:
    assert set(SETS) == {
        "stdlib-docstrings",
        "stdlib-code",
        "stdlib-chat",
        "bfcl-tools",
        "requests",
    }
    assert all(one.what and one.origin and one.licence for one in SETS.values())


def test_chats_are_of_the_calibration_half_alone() -> None:
    chats = requests_of(Calibration(corpus="stdlib-chat"), {})
    assert len(chats) >= 200
    calibration, evaluation = (
        " ".join(passages(h).values()) for h in ("calibration", "evaluation")
    )
    for chat in chats[::20]:
        assert [message["role"] for message in chat.messages] == ["system", "user", "assistant"]
        answer = chat.messages[-1]["content"]
        assert answer in calibration
        assert answer not in evaluation


def test_code_holds_neither_docstrings_nor_comments() -> None:
    texts = [one.text for one in requests_of(Calibration(corpus="stdlib-code"), {})]
    assert len(texts) >= 100
    assert sum("def " in text for text in texts) >= 100
    assert not any('"""' in text.partition("\n")[0] for text in texts)


def test_a_call_is_written_as_the_chat_api_has_it(tmp_path: Path) -> None:
    files = {}
    for address in addresses():
        lines = [ANSWER if "possible_answer" in address else JAVA] if "java.json" in address else []
        path = tmp_path / f"{len(files)}.json"
        path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        files[address] = str(path)
    (request,) = calls(files)
    user, answer = request.messages
    assert user == {"role": "user", "content": "Load the map of Rome."}
    called = answer["tool_calls"][0]["function"]
    assert called == {"name": "Maps.load", "arguments": {"city": "Rome"}}  # sizes may be left out
    schema = request.tools[0]["function"]["parameters"]
    assert schema["type"] == "object"
    assert schema["properties"]["city"] == {"type": "string"}
    assert schema["properties"]["sizes"] == {"type": "array", "items": {"type": "integer"}}


def test_a_file_of_ones_own_is_read_and_pinned(tmp_path: Path) -> None:
    chat = {"messages": [{"role": "user", "content": "Guten Tag"}], "tools": [{"type": "function"}]}
    calibration = own(tmp_path, chat, {"text": "plain"})
    requests = requests_of(calibration, files_of(calibration, tmp_path))
    assert [one.words for one in requests] == ["Guten Tag", "plain"]
    assert [len(one.tools) for one in requests] == [1, 0]
    (tmp_path / "requests.jsonl").write_text('{"text": "other"}', encoding="utf-8")
    with pytest.raises(RecipeError, match="it was changed"):
        files_of(calibration, tmp_path)
    (tmp_path / "requests.jsonl").unlink()
    with pytest.raises(RecipeError, match="is not there"):
        files_of(calibration, tmp_path)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", "line 1: request: Invalid JSON"),
        ('{"prompt": "x"}', "line 1: prompt"),
        ("{}", "either messages"),
        ('{"text": "x", "messages": [{"role": "user"}]}', "either messages"),
        ('{"messages": [{"content": "x"}]}', "needs a role"),
        ("", "holds 0 requests"),
    ],
)
def test_what_is_no_request_is_told_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "own.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(RecipeError, match=told):
        read_requests(path)


def test_a_corpus_of_requests_needs_its_file_and_others_take_none() -> None:
    with pytest.raises(ValueError, match="needs source and sha256"):
        Calibration(corpus="requests")
    with pytest.raises(ValueError, match="others none"):
        Calibration(source="file:///x", sha256="0" * 64)


def test_sets_have_digests_of_their_own(tmp_path: Path) -> None:
    corpora = ("stdlib-docstrings", "stdlib-code", "stdlib-chat", "bfcl-tools")
    digests = [set_sha256(Calibration.model_validate({"corpus": one})) for one in corpora]
    digests.append(set_sha256(own(tmp_path, {"text": "x"})))
    assert len(set(digests)) == len(digests)


def test_what_is_said_is_told_message_by_message() -> None:
    said = ({"role": "user", "content": "a"}, {"role": "assistant", "content": None})
    assert Request(messages=said).said == ("a",)
