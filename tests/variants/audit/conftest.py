from pathlib import Path

import pytest

from tests.variants.audit.checkpoints import artifact, bf16


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return artifact(tmp_path / "base", bf16())
