import subprocess
import sys

import pytest

from variants.catalogue import VARIANTS
from variants.specs.listing import MODELS, main, model_bytes
from variants.specs.recipes import RECIPES
from variants.specs.spec import Quantization

SMALL, LARGE = MODELS


def test_sizes_are_those_of_the_models() -> None:
    assert model_bytes(SMALL, None) == 269_030_016  # of SmolLM2's file
    assert model_bytes(LARGE, None) == 2 * 8_030_261_248  # parameters of Llama 3.1 8B
    assert model_bytes(SMALL, Quantization(scheme="int8_w8a8")) == 163_172_736


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_every_variant_is_listed_with_what_it_needs(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--target", target]) == 0
    told = capsys.readouterr().out
    heads = [line.split()[0] for line in told.splitlines() if line and not line.startswith(" ")]
    assert heads[:-1] == list(VARIANTS)
    assert told.count("    here: ") == len(RECIPES)
    assert told.count("    needs ") == len(VARIANTS)
    assert told.count("bytes per weight: SmolLM2-135M") == len(RECIPES)
    assert f"target {target}" in told


def test_what_has_no_kernel_says_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--target", "cpu"])
    told = capsys.readouterr().out
    assert "here: no: nvfp4 has no kernel here (CPU with" in told
    assert "use kv_fp8" in told


def test_it_is_a_command() -> None:
    command = [sys.executable, "-m", "variants.catalogue", "--help"]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "--target {cpu,cuda}" in told
