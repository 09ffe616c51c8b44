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
    for stage in ("plan", "build", "audit"):
        monkeypatch.setattr(way, stage, lambda run, variant: None)
    monkeypatch.setattr(way, "is_stopped", lambda run, variant: False)
    monkeypatch.setattr(way, "changes_weights", lambda spec: False)
    monkeypatch.setattr(way, "_measure_served", lambda run, name: bool(served.append(name)))
    way._examine(run, "int8")
    assert served == (["int8"] if is_served else [])
