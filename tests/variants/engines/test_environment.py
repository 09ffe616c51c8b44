import subprocess
from pathlib import Path

import pytest

from variants.engines import environment
from variants.engines.environment import MARKER, make_environment
from variants.errors import EngineError
from variants.fingerprint import fingerprint


@pytest.fixture
def requirements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace the pinned lists by a folder with one list of nothing; 1 MiB is space enough."""
    folder = tmp_path / "requirements"
    folder.mkdir()
    (folder / "nothing-1.0.txt").write_text("", encoding="utf-8")
    monkeypatch.setattr(environment, "REQUIREMENTS", folder)
    monkeypatch.setattr(environment, "NEEDED_BYTES", 1 << 20)
    return folder


@pytest.mark.usefixtures("requirements")
def test_a_half_made_environment_is_made_again_and_a_whole_one_kept(tmp_path: Path) -> None:
    folder = tmp_path / "engines" / f"nothing-1.0-{fingerprint('')[:8]}"
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").write_text("left by a killed run", encoding="utf-8")
    made = make_environment("nothing-1.0", tmp_path / "engines")
    assert made.python == folder / "bin" / "python"
    assert not made.was_cached
    assert subprocess.run([made.python, "-c", "print('runs')"], check=True).returncode == 0
    again = make_environment("nothing-1.0", tmp_path / "engines")
    assert again.was_cached
    assert again.python == made.python


def test_pip_failing_gives_its_last_words_and_no_marker(tmp_path: Path, requirements: Path) -> None:
    listed = requirements / "nothing-1.0.txt"
    listed.write_text("/nowhere/engine-1.0-py3-none-any.whl\n", encoding="utf-8")
    with pytest.raises(EngineError, match=r"pip install.*failed: .*/nowhere/engine"):
        make_environment("nothing-1.0", tmp_path / "engines")
    assert not list((tmp_path / "engines").rglob(MARKER))


@pytest.mark.usefixtures("requirements")
def test_an_unknown_list_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match=r"'sglang-9'; there are \['nothing-1.0'\]"):
        make_environment("sglang-9", tmp_path)


@pytest.mark.usefixtures("requirements")
def test_a_full_disk_is_said_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "NEEDED_BYTES", 1 << 60)
    with pytest.raises(EngineError, match="set TOUCHSTONE_HOME to a larger disk"):
        make_environment("nothing-1.0", tmp_path / "engines")


def test_the_lists_that_ship_pin_every_package() -> None:
    for listed in environment.REQUIREMENTS.glob("*.txt"):
        lines = listed.read_text(encoding="utf-8").splitlines()
        assert lines, listed
        assert all("==" in line for line in lines if line and not line.startswith("#")), listed
