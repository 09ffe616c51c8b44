"""Serve a variant, record how it started and what it runs, and stop all of it."""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from evals.planning.memory import predict_weight_bytes, read_shape
from evals.results import Arm, Check, EffectiveConfig, Memory, StartUp, SuiteArm
from reports.kept.recorder import BASELINE
from tasks.adapters import served_adapters
from tasks.run import Run
from variants.audit import weight_bytes
from variants.audit.tensors import read_config
from variants.builders.draft import build_draft
from variants.engines.adapter import Launch
from variants.engines.adapters import ADAPTERS
from variants.engines.endpoint import Endpoint, forget_compile_cache
from variants.engines.endpoint import serve as serve_endpoint
from variants.engines.process import free_port
from variants.errors import EngineError, MeasurementError, QualificationError
from variants.fingerprint import fingerprint
from variants.hardware import describe
from variants.kept.compile_cache import CacheBinding, machine_of, pack, torch_version, unpack
from variants.specs.spec import Serving, Variant

Temperature = Literal["cold", "warm"]
OF_BASELINE = "baseline-"  # begins the name of a look at the baseline beside a variant


@contextmanager
def serve(
    run: Run, variant: str, arm: Arm, temperature: Temperature = "cold", prefix: str = ""
) -> Iterator[Endpoint]:
    """Start one arm of a variant's comparison; everything about it is recorded with the variant.

    Raises:
        EngineError: the engine refused the variant, or gave no first token in time.
        MeasurementError: the same of the baseline.
    """
    spec = run.spec(BASELINE if arm == "baseline" else variant)
    launch = launch_of(run, run.artifact(spec.name), spec.serving)
    cache_told = _begin_cache(run, launch, temperature)
    started = time.monotonic()
    with ExitStack() as stack:
        if temperature == "cold":
            stack.callback(_pack_cache, run, launch)  # once the engine has stopped
        with blamed(arm):
            log = f"{variant}-{arm}-{prefix}{temperature}"
            endpoint = stack.enter_context(raised(run, launch, log))
            first_token_s = _first_token(endpoint, run.study.first_token_deadline_s)
            config = _config(endpoint, arm)
        run.timeline.add("start engines", time.monotonic() - started)
        step = f"{prefix}startup.{arm}.{temperature}"
        start = _startup(endpoint, arm, temperature, first_token_s)
        run.recorder.keep(variant, step, start.model_copy(update={"cache": cache_told}))
        run.recorder.keep(variant, f"{prefix}config.{arm}", config)
        print(f"{variant}: {arm} ready after {endpoint.ready_s:.0f} s ({temperature} start)")
        yield endpoint
        with blamed(arm):
            run.recorder.keep(variant, f"{prefix}memory.{arm}", _memory(run, endpoint, arm, spec))


def launch_of(run: Run, artifact: Path, serving: Serving) -> Launch:
    """Say how an artifact is started with a way of serving, whoever's they are.

    Raises:
        QualificationError: the weights it drafts with, or an adapter, cannot be had.
    """
    draft = build_draft(run.store, serving.speculation, run.home.sources)
    cache = run.home.caches / fingerprint(artifact.name, serving, ADAPTERS[serving.engine].version)
    folder = run.store.folder(draft.fingerprint) if draft else None
    adapters = served_adapters(run, serving)
    return Launch(artifact, serving, free_port(), cache, folder, adapters)


@contextmanager
def raised(run: Run, launch: Launch, log: str) -> Iterator[Endpoint]:
    """Start an engine, and stop it; nothing is recorded.

    Raises:
        EngineError: the engine refused, or was not ready in time.
    """
    adapter = ADAPTERS[launch.serving.engine]
    python = adapter.environment(run.home.engines, run.study.target).python
    path = run.folder / "engines" / f"{log}.log"
    with serve_endpoint(adapter, python, launch, path, run.study.start_deadline_s) as endpoint:
        yield endpoint


def cache_binding(run: Run, launch: Launch) -> CacheBinding:
    """Say what the compile cache of a start is bound to."""
    adapter = ADAPTERS[launch.serving.engine]
    python = adapter.environment(run.home.engines, run.study.target).python
    return CacheBinding(
        engine=adapter.name,
        engine_version=adapter.version,
        torch_version=torch_version(python),
        artifact=launch.artifact.name,
        serving=fingerprint(launch.serving),
        folder=str(launch.artifact),
        **machine_of(describe(run.study.target)),
    )


def _begin_cache(run: Run, launch: Launch, temperature: Temperature) -> str:
    """Empty the compile cache, or fill it with what was packed where everything matches."""
    if temperature == "cold":
        forget_compile_cache(launch.cache)
        return ""
    if launch.serving.mode == "eager":
        return ""
    found = unpack(run.store, cache_binding(run, launch), launch.cache)
    print(found.reason)
    if found.is_refused:
        forget_compile_cache(launch.cache)
    return found.reason


def _pack_cache(run: Run, launch: Launch) -> None:
    if launch.serving.mode == "compiled":
        pack(run.store, launch.cache, cache_binding(run, launch))


@contextmanager
def blamed(arm: Arm) -> Iterator[None]:
    """Turn an engine's failure into a verdict on the variant only where it is the variant's."""
    try:
        yield
    except EngineError as error:
        if arm == "baseline":
            raise MeasurementError(f"the baseline could not be served: {error}") from error
        raise


def _first_token(endpoint: Endpoint, deadline_s: float) -> float:
    body: dict[str, object] = {"prompt": "Hello", "max_tokens": 1, "temperature": 0}
    started = time.monotonic()
    try:
        endpoint.post("/v1/completions", body, deadline_s)
    except EngineError as error:
        if not endpoint.process.is_alive:
            raise
        print(f"{error}; asking once more")  # one stall of the machine rejects no variant
        endpoint.post("/v1/completions", body, deadline_s)
    return time.monotonic() - started


def _startup(
    endpoint: Endpoint, arm: Arm, temperature: Temperature, first_token_s: float
) -> StartUp:
    facts = endpoint.facts()
    return StartUp(
        arm=arm,
        temperature=temperature,
        ready_s=endpoint.ready_s,
        first_token_s=endpoint.ready_s + first_token_s,
        load_s=facts.load_s,
        compile_s=facts.compile_s,
        cache_hit=facts.cache_hit,
    )


def _config(endpoint: Endpoint, arm: Arm) -> EffectiveConfig:
    kernels = {"kernels": ", ".join(endpoint.facts().kernels)}
    return EffectiveConfig(
        arm=arm,
        engine=endpoint.adapter.name,
        version=endpoint.adapter.version,
        command=endpoint.command,
        environment=endpoint.adapter.variables(endpoint.launch),
        reported=endpoint.reported_config() | kernels,
    )


def _memory(run: Run, endpoint: Endpoint, arm: Arm, spec: Variant) -> Memory:
    shape = read_shape(read_config(run.artifact(BASELINE)))
    return Memory(
        arm=arm,
        predicted_weight_bytes=predict_weight_bytes(shape, spec.recipe.quantization),
        predicted_kv_cache_bytes=spec.serving.kv_cache_bytes,
        weight_bytes=weight_bytes(endpoint.launch.artifact),
        draft_bytes=weight_bytes(endpoint.launch.draft) if endpoint.launch.draft else None,
        kv_cache_bytes=endpoint.reported_kv_cache_bytes(),
        kv_cache_tokens=endpoint.facts().kv_cache_tokens,
        peak_process_bytes=endpoint.process.peak_bytes(),
    )


def as_verdict(
    arm: SuiteArm, endpoint: Endpoint, where: str, error: MeasurementError
) -> QualificationError:
    """A variant's engine that died is a verdict on the variant; anything else is not."""
    if arm != "variant" or not endpoint.process.has_died():
        return error
    words = endpoint.facts().last_error or "it said no error"
    return EngineError(f"engine died in {where}: {words} (log {endpoint.process.log})")


def require_sound(run: Run, variant: str, arm: Arm) -> None:
    """Refuse a baseline that did not pass its looks: its answers would serve every variant.

    Raises:
        MeasurementError: with the first look that it did not pass.
    """
    looks = [record.payload for record in run.recorder.standing(variant)]
    for look in looks if arm == "baseline" else ():
        if isinstance(look, Check) and look.name.startswith(OF_BASELINE) and not look.passed:
            raise MeasurementError(f"the baseline's server is not sound: {look.reason}")
