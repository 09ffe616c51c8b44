import pytest

from variants.running import progress
from variants.running.progress import Progress


def test_progress_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 100, 10))  # one look in 10 s, the first as it begins
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    told: list[str] = []
    said = Progress(told.append, "{} of {} items")
    for done in range(1, 8):
        said.at(done, 8)
    assert told == ["3 of 8 items after 30 s", "6 of 8 items after 60 s"]


def test_the_end_is_not_told_twice() -> None:
    told: list[str] = []
    said = Progress(told.append, "{} of {}", every_s=0)
    said.at(1, 2)
    said.at(2, 2)
    assert [words.split(" after")[0] for words in told] == ["1 of 2"]
