import json
from pathlib import Path

import pytest

from evals.workload.cell import CellSpec
from evals.workload.conversations import Pace, Said, as_log, read_conversations
from evals.workload.planning import plan_cell
from evals.workload.replay import Replay
from evals.workload.workload import Workload
from variants.errors import StudyError
from variants.fingerprint import sha256_file

STREAM = [(i * 7919) % 5000 for i in range(20_000)]
SHAREGPT = [
    {
        "id": "a",
        "conversations": [
            {"from": "human", "value": "a b"},
            {"from": "gpt", "value": "c"},
            {"from": "human", "value": "d"},
            {"from": "gpt", "value": "e f"},
        ],
    }
]
OPENAI = {
    "messages": [
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "x y z"},
        {"role": "assistant", "content": ""},
        {"role": "assistant", "content": "w"},
    ]
}


def num_words(text: str) -> int:
    return len(text.split())


def test_both_forms_read(tmp_path: Path) -> None:
    (tmp_path / "sharegpt.json").write_text(json.dumps(SHAREGPT))
    (tmp_path / "openai.jsonl").write_text(json.dumps(OPENAI) + "\n")
    assert list(read_conversations(tmp_path / "sharegpt.json", num_words)) == [
        [Said(False, 2), Said(True, 1), Said(False, 1), Said(True, 2)]
    ]
    assert list(read_conversations(tmp_path / "openai.jsonl", num_words)) == [
        [Said(True, 1), Said(False, 3), Said(True, 0), Said(True, 1)]
    ]


def test_a_prompt_is_all_that_was_said_before() -> None:
    """Prompts of 2 and 2 + 1 + 1 tokens; the second begins with the first one's segment."""
    conversations = [[Said(False, 2), Said(True, 1), Said(False, 1), Said(True, 2)]]
    first, second = as_log(conversations, Pace(rate=1, think_s=10, seed=0))
    assert (first["prompt_tokens"], first["completion_tokens"]) == (2, 1)
    assert (second["prompt_tokens"], second["completion_tokens"]) == (4, 2)
    assert second["segments"][:1] == first["segments"]
    assert second["at_s"] - first["at_s"] == pytest.approx(10)


def test_empty_words_and_answers_to_nothing_are_left_out() -> None:
    conversations = [[Said(True, 1), Said(False, 3), Said(True, 0), Said(True, 1)], [Said(True, 5)]]
    (row,) = as_log(conversations, Pace(rate=1, think_s=10, seed=0))
    assert (row["prompt_tokens"], row["completion_tokens"]) == (3, 1)


def test_a_written_log_is_replayed_with_what_it_shares(tmp_path: Path) -> None:
    conversations = [[Said(False, 40), Said(True, 9), Said(False, 11), Said(True, 5)]] * 3
    log = tmp_path / "chats.jsonl"
    rows = as_log(conversations, Pace(rate=1, think_s=0.5, seed=1))
    log.write_text("".join(json.dumps(row) + "\n" for row in rows))
    cell = CellSpec(replay=Replay(path=str(log), sha256=sha256_file(log)))
    plan = plan_cell(Workload(cells=(cell,), window_s=60), cell, 1, 0, STREAM)
    sent = [(plan.prompt_tokens(request), request.num_known) for request in plan.requests]
    assert sorted(sent) == [(40, 0)] * 3 + [(60, 40)] * 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "neither a JSON list nor JSON lines"),
        ('[{"conversations": [{"from": "narrator", "value": "x"}]}]', "no known speaker"),
        ('[{"conversations": [{"from": "human", "value": 3}]}]', "does not read"),
        ('[{"turns": []}]', "does not read"),
        ("[3]", "does not read"),
    ],
)
def test_what_does_not_read_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "set.json").write_text(text)
    with pytest.raises(StudyError, match=words):
        list(read_conversations(tmp_path / "set.json", num_words))
