import json
import re
from pathlib import Path

import pytest

from variants.builders.quantize import build, check_group_size
from variants.errors import BuildError

SMOLLM2 = {"hidden_size": 576, "intermediate_size": 1536}  # 576 = 2**6 x 9, 1536 = 2**9 x 3
LLAMA = {"hidden_size": 4096, "intermediate_size": 14336}  # 2**12, 2**11 x 7
ODD = {"hidden_size": 100, "intermediate_size": 300}


@pytest.mark.parametrize(
    ("config", "group_size"),
    [(SMOLLM2, None), (SMOLLM2, 16), (SMOLLM2, 32), (SMOLLM2, 64), (LLAMA, 128), (ODD, None)],
)
def test_group_sizes_that_divide(config: dict[str, int], group_size: int | None) -> None:
    check_group_size(config, group_size)


@pytest.mark.parametrize(
    ("config", "group_size", "told"),
    [
        (SMOLLM2, 128, "group_size 128 does not divide layer width 576 (widths [576, 1536]); "
                       "use one of [64, 32, 16]"),
        (SMOLLM2, 1536, "does not divide layer width 576"),
        (LLAMA, 4096, "does not divide layer width 14336 (widths [4096, 14336]); "
                      "use one of [256, 128, 64, 32, 16]"),
        (ODD, 64, "use one of [], or no group_size"),
    ],
)  # fmt: skip
def test_group_sizes_that_do_not(config: dict[str, int], group_size: int, told: str) -> None:
    with pytest.raises(BuildError, match=re.escape(told)):
        check_group_size(config, group_size)


def test_a_wrong_group_size_is_refused_before_anything_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SMOLLM2), encoding="utf-8")
    with pytest.raises(BuildError, match="group_size 128"):
        build(str(tmp_path), str(tmp_path / "out"), {"scheme": "int4_w4a16", "group_size": 128})
    assert not (tmp_path / "out").exists()
