from types import SimpleNamespace
from typing import Any

import pytest

from flows import variant as way


@pytest.mark.parametrize(("held", "is_served"), [({}, True), ({way.MEASURED_LAST}, False)])
def test_what_is_measured_to_the_end_is_not_served_again(
    held: set[str], is_served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []
    run: Any = SimpleNamespace(
        recorder=SimpleNamespace(find=lambda _, step: step if step in held else None),
        spec=lambda _: None,
    )
    for stage in ("plan", "try_block", "build", "audit"):
        monkeypatch.setattr(way, stage, lambda run, variant: None)
    monkeypatch.setattr(way, "is_stopped", lambda run, variant: False)
    monkeypatch.setattr(way, "answers_in_process", lambda spec: False)
    monkeypatch.setattr(way, "amortize", lambda run, variant: None)
    monkeypatch.setattr(way, "_measure_served", lambda run, name: bool(served.append(name)))
    monkeypatch.setattr(way, "is_built", lambda run, variant: True)
    way._examine(run, "int8")
    assert served == (["int8"] if is_served else [])


def test_without_an_artifact_nothing_is_audited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lost source or a full disk is no verdict on the variant."""
    taken: list[str] = []
    for stage in ("plan", "try_block", "build", "audit"):
        monkeypatch.setattr(way, stage, lambda run, variant, stage=stage: taken.append(stage))
    monkeypatch.setattr(way, "is_stopped", lambda run, variant: False)
    monkeypatch.setattr(way, "is_built", lambda run, variant: False)
    run: Any = SimpleNamespace()
    assert way._examine(run, "int8") is False
    assert taken == ["plan", "try_block", "build"]
