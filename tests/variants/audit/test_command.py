import subprocess
import sys
from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import artifact, eight_bits, label
from variants.audit.__main__ import main


def test_the_command_prints_a_table_and_exits_by_it(
    base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(base), "--base", str(base)]) == 0
    assert "21 checks, 0 failed" in capsys.readouterr().out
    (base / "model.safetensors").write_bytes(b"")
    assert main([str(base)]) == 1
    assert "FAIL  structure" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nowhere")])
    assert "is no folder" in capsys.readouterr().err


def test_what_it_is_said_to_be_may_be_given(
    tmp_path: Path, base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = label() | {"ignore": ["lm_head"]}
    folder = str(artifact(tmp_path / "artifact", eight_bits(), told))
    assert main([folder, "--base", str(base), "--claim", "int8_w8a8"]) == 0
    assert main([folder, "--base", str(base), "--claim", "int4_w4a16-g64"]) == 1
    assert "the recipe asks int4 in groups of 64" in capsys.readouterr().out
    for wrong in ("int3", ""):
        with pytest.raises(SystemExit):
            main([folder, "--claim", wrong])
    assert "'int3' is no scheme" in capsys.readouterr().err


def test_a_gguf_file_is_not_audited_and_what_to_do_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    with pytest.raises(SystemExit):
        main([str(file)])
    assert "give it as a base" in capsys.readouterr().err


def test_the_audit_imports_no_framework() -> None:
    code = "import sys, variants.audit; print({'torch', 'transformers'} & set(sys.modules))"
    root = Path(__file__).parents[3]
    output = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=root)
    assert output.strip() == "set()"
