import json
from pathlib import Path

import pytest

from evals.workload.cell import CellSpec
from evals.workload.planning import plan_cell
from evals.workload.replay import Replay, read_log
from evals.workload.workload import Workload
from variants.errors import StudyError
from variants.fingerprint import sha256_file

STREAM = [(i * 7919) % 5000 for i in range(20_000)]
MOONCAKE = [
    {"timestamp": 1000, "input_length": 1000, "output_length": 5, "hash_ids": [7, 8]},
    {"timestamp": 1500, "input_length": 1200, "output_length": 900, "hash_ids": [7, 8, 9]},
    {"timestamp": 3000, "input_length": 40, "output_length": 3, "hash_ids": [11]},
    {"timestamp": 3100, "input_length": 40, "output_length": 0, "hash_ids": [11]},
]
AZURE = (
    "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,374,44\n"
    "2023-11-16 18:17:04.0319600,396,109\n"
)
BURSTGPT = (
    "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n"
    "5,ChatGPT,472,18,490,Conversation log\n45,ChatGPT,1087,0,1087,Conversation log\n"
    "118,GPT-4,417,276,693,API log\n"
)
OWN = '{"at_s": 10.5, "prompt_tokens": 30, "completion_tokens": 4}\n'


def written(folder: Path, name: str, text: str) -> Replay:
    path = folder / name
    path.write_text(text)
    return Replay(path=str(path), sha256=sha256_file(path))


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("name", "text", "rows"),
    [
        ("mooncake.jsonl", lines(MOONCAKE), [(0.0, 1000, 5), (0.5, 1200, 900), (2.0, 40, 3)]),
        ("azure.csv", AZURE, [(0.0, 374, 44), (0.052, 396, 109)]),
        ("burst.csv", BURSTGPT, [(0.0, 472, 18), (113.0, 417, 276)]),
        ("own.jsonl", OWN, [(0.0, 30, 4)]),
    ],
)
def test_formats_are_told_by_their_columns(
    name: str, text: str, rows: list[tuple[float, int, int]], tmp_path: Path
) -> None:
    replay = written(tmp_path, name, text)
    found = read_log(replay.path, replay.sha256)
    assert [row[1:3] for row in found] == [row[1:] for row in rows]
    assert [row.at_s for row in found] == pytest.approx([row[0] for row in rows], abs=1e-6)


def test_a_replay_keeps_times_lengths_and_what_is_shared(tmp_path: Path) -> None:
    """At twice the speed .5 s are .25 s; 1,024 of 1,200 tokens were sent before, 900 are cut."""
    replay = written(tmp_path, "log.jsonl", lines(MOONCAKE)).model_copy(update={"speed": 2.0})
    cell = CellSpec(replay=replay)
    workload = Workload(cells=(cell,), ramp_s=0, window_s=2, timeout_s=1)
    plan = plan_cell(workload, cell, 1, 0, STREAM)
    assert plan.cell == "replay-log-x2"
    assert [request.offset_ns for request in plan.requests] == [0, 250_000_000, 1_000_000_000]
    assert [plan.prompt_tokens(request) for request in plan.requests] == [1000, 1200, 40]
    assert [request.output_tokens for request in plan.requests] == [5, 512, 3]
    # block 8 is whole in the second prompt and cut to 488 tokens in the first: another text
    assert [request.num_known for request in plan.requests] == [0, 512, 0]
    first, second, _ = map(plan.prompt, plan.requests)
    assert first[:512] == second[:512]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"when": 1}\n', "no known log. Known: Mooncake"),
        ("nonsense\n", "line 1 is no JSON object"),
        (OWN + '{"at_s": "soon", "prompt_tokens": 1, "completion_tokens": 1}\n', "row 2 is no row"),
        ("", "no known log"),
        (OWN + OWN.replace("10.5", "NaN"), "row 2 is no row"),
        (OWN + OWN.replace("30", "Infinity"), "row 2 is no row"),
        (OWN + OWN.replace("30", "-3"), "row 2 is no row"),
        (OWN + OWN.replace("30", '30, "segments": [[1, 31]]'), "longer than the prompt"),
        (OWN + OWN.replace("30", '30, "segments": [[1, 0]]'), "without tokens"),
        (OWN + OWN.replace("30", '30, "segments": [4]'), "row 2 is no row"),
    ],
)
def test_a_log_that_does_not_read_is_refused(text: str, words: str, tmp_path: Path) -> None:
    replay = written(tmp_path, "log.jsonl", text)
    with pytest.raises(StudyError, match=words):
        replay.requests(10)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(StudyError, match="line 1 is no JSON object"):
        Replay(path=str(path), sha256=sha256_file(path)).requests(10)


def test_a_cell_is_named_so_that_evidence_can_be(tmp_path: Path) -> None:
    replay = written(tmp_path, "trace (1) \u00e4.jsonl", OWN)
    assert CellSpec(replay=replay).name == "replay-trace-1-"


def test_times_without_a_zone_are_utc(tmp_path: Path) -> None:
    text = AZURE + "2023-11-16 18:17:05+00:00,9,9\n"
    replay = written(tmp_path, "azure.csv", text)
    assert read_log(replay.path, replay.sha256)[-1].at_s == pytest.approx(1.02004, abs=1e-5)


def test_another_file_is_refused(tmp_path: Path) -> None:
    replay = written(tmp_path, "log.jsonl", OWN)
    Path(replay.path).write_text(OWN * 2)
    with pytest.raises(StudyError, match="pin the one that is there"):
        replay.requests(10)
    Path(replay.path).unlink()
    with pytest.raises(StudyError, match=r"no log .* to replay"):
        replay.requests(10)
