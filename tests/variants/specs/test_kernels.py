import pytest

from variants.hardware import Accelerator, Hardware, Target
from variants.specs.kernels import KERNELS, missing_kernels
from variants.specs.spec import KvCache, LayerRule, Prebuilt, Quantization, Recipe, Scheme


def machine(target: Target, flags: tuple[str, ...] = (), capability: str = "") -> Hardware:
    gpu = Accelerator(
        name="GPU", memory_bytes=1, driver="1", uuid="u", compute_capability=capability
    )
    return Hardware(
        target=target,
        cpu_model="CPU",
        num_cores=2,
        cpu_flags=flags,
        memory_bytes=1,
        accelerators=(gpu,) if capability else (),
        os="Linux",
        python="3.11",
    )


def of(scheme: Scheme) -> Recipe:
    return Recipe(quantization=Quantization(scheme=scheme))


PLAIN, AMX = machine("cpu", ("avx2",)), machine("cpu", ("amx_tile", "avx2"))
EVERYWHERE = {"int8_w8a8", "int4_w4a16"}


@pytest.mark.parametrize(
    ("hardware", "runs"),
    [
        (PLAIN, EVERYWHERE),
        (AMX, EVERYWHERE | {"fp8_static", "fp8_block"}),
        (
            machine("cpu", ("amx_fp8", "amx_tile")),
            EVERYWHERE | {"fp8_static", "fp8_block", "fp8_dynamic"},
        ),
        (machine("cuda", capability="7.0"), set()),
        (machine("cuda", capability="8.0"), EVERYWHERE | {"nvfp4a16", "mxfp4a16"}),
        (
            machine("cuda", capability="9.0"),
            EVERYWHERE
            | {"fp8_static", "fp8_block", "fp8_dynamic", "nvfp4a16", "mxfp4a16"},
        ),
        (machine("cuda", capability="10.0"), set(KERNELS) - {"int8_w8a8"}),
        (machine("cuda"), set()),
    ],
)  # fmt: skip
def test_which_formats_run_where(hardware: Hardware, runs: set[str]) -> None:
    assert {one for one in KERNELS if not missing_kernels(of(one), hardware)} == runs


def test_a_refusal_says_what_is_here_what_is_needed_and_what_to_do() -> None:
    (told,) = missing_kernels(of("fp8_dynamic"), AMX)
    assert told == (
        "fp8_dynamic has no kernel here (CPU with amx_tile, avx2); it needs vLLM 0.32: compute "
        "capability 8.9 up or a CPU with amx_fp8; use int8_w8a8, which has a kernel on every CPU"
    )
    (told,) = missing_kernels(of("nvfp4"), machine("cuda"))
    assert "no GPU answers on this machine" in told
    (told,) = missing_kernels(of("int8_w8a8"), machine("cuda", capability="12.0"))
    assert "7.5 to below 10.0" in told
    assert "use fp8_dynamic" in told


def test_every_format_of_a_recipe_is_looked_at() -> None:
    rule = LayerRule(pattern=".*down_proj", scheme="nvfp4")
    mixed = Recipe(quantization=Quantization(scheme="int8_w8a8", layers=(rule,)))
    assert [told.split()[0] for told in missing_kernels(mixed, PLAIN)] == ["nvfp4"]
    assert missing_kernels(Recipe(kv_cache=KvCache(scheme="fp8")), PLAIN) == []
    (told,) = missing_kernels(Recipe(kv_cache=KvCache(scheme="int8")), PLAIN)
    assert "use kv_fp8" in told


def test_what_a_prebuilt_checkpoint_claims_is_looked_at_too() -> None:
    made = Prebuilt(source="file:///x", sha256="0" * 64)
    claimed = Recipe(quantization=Quantization(scheme="nvfp4a16"), prebuilt=made)
    assert missing_kernels(claimed, PLAIN)
    assert missing_kernels(Recipe(prebuilt=made), PLAIN) == []
