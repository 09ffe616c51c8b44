"""Evidence of a good 4-bit variant, and ways to spoil it."""

from collections.abc import Callable, Iterator
from typing import Any

from evals.gates import load_policy, policy_sha256
from evals.performance.engine_metrics import REQUIRED
from evals.results import (
    Artifact,
    Binding,
    Cell,
    Check,
    Evidence,
    Fidelity,
    Memory,
    Record,
    Sample,
    SuiteResult,
)
from evals.study import Study
from variants.kept.contents import weights_sha256

STUDY = Study.model_validate(
    {
        "name": "s",
        "base": "tiny",
        "variants": ["int4"],
        "workload": {"cells": [{"closed": 1}, {"poisson": 2.5}]},
    }
)
QUICK = load_policy("quick")
STAGES = ("plan", "build", "audit", "identity", "coherence", "pace")
JITTER = (0.98, 1.01, 1.0, 0.99, 1.02)  # of the variant against its baseline, by repeat
Change = Callable[[Any], Any]


def evidence(speedup: float = 1.25, weight_share: float = 0.3, **fields: Any) -> Evidence:
    payloads: list[Any] = [
        Check(stage=stage, name=f"{stage}-look", passed=True, reason="seen") for stage in STAGES
    ]
    payloads += [BINDING, ARTIFACT]
    payloads += [FIDELITY, memory("baseline", 1000), memory("variant", round(1000 * weight_share))]
    payloads += list(cells(speedup))
    payloads += [
        suite(name, arm) for name in ("continuation-choice", "tool-calling") for arm in ARMS
    ]
    good = gathered(payloads, **fields)
    return good.model_copy(update={"records": (*good.records, baseline_record(BASELINE_ARTIFACT))})


def lossless() -> Evidence:
    """The same weights, served otherwise."""
    same = changed(evidence(change_class="lossless"), Artifact, lambda _: BASELINE_ARTIFACT)
    own = updated(weights_sha256=weights_sha256(BASELINE_ARTIFACT.files))
    return changed(same, SuiteResult, own, arm="variant")


def baseline_record(payload: Any) -> Record:
    return Record(
        study="s", run="r", variant="baseline", step="b", recorded_at="2026-01-01", payload=payload
    )


def gathered(payloads: list[Any], **fields: Any) -> Evidence:
    records = [
        Record(study="s", run="r", variant="int4", step=str(i), recorded_at="2026-01-01", payload=p)
        for i, p in enumerate(payloads)
    ]
    known: dict[str, Any] = {
        "study": "s",
        "run": "r",
        "variant": "int4",
        "change_class": "4-bit",
        "model_class": "up to 3B",
        "records": records,
    }
    return Evidence(**(known | fields))


def changed(start: Evidence, kind: type, change: Change, **where: Any) -> Evidence:
    """Change (or, with None, drop) every payload of a kind whose fields have these values."""
    records = []
    for record in start.records:
        payload: Any = record.payload
        if isinstance(payload, kind) and all(getattr(payload, k) == v for k, v in where.items()):
            payload = change(payload)
        if payload is not None:
            records.append(record.model_copy(update={"payload": payload}))
    return start.model_copy(update={"records": tuple(records)})


def added(start: Evidence, payload: Any) -> Evidence:
    record = start.records[0].model_copy(update={"payload": payload})
    return start.model_copy(update={"records": (*start.records, record)})


def updated(**fields: Any) -> Change:
    return lambda payload: payload.model_copy(update=fields)


def dropped(_: Any) -> None:
    return None


ARMS = ("baseline", "variant")
BINDING = Binding(
    policy_sha256=policy_sha256(QUICK), base="b", tools="t", engines="e", hardware="h"
)


def artifact(weights: str) -> Artifact:
    return Artifact(
        fingerprint="0123456789abcdef",
        files={"model.safetensors": weights, "config.json": "c"},
        num_bytes=1,
        weight_bytes=1,
        effective_bits=4.1,
        build_seconds=1,
        was_cached=False,
        tools={},
    )


CLUSTER_KEYS = {"continuation-choice": "source topic", "tool-calling": "function"}
ARTIFACT, BASELINE_ARTIFACT = artifact("4-bit"), artifact("bf16")
FIDELITY = Fidelity(
    num_positions=5000,
    num_documents=20,
    mean_kl=0.08,
    p99_kl=0.9,
    max_kl=3.0,
    top1_agreement=0.90,
    perplexity_ratio=1.06,
    null_mean_kl=1e-5,
    null_top1_agreement=0.998,
)


def memory(arm: Any, num_bytes: int) -> Memory:
    return Memory(
        arm=arm, predicted_weight_bytes=1, predicted_kv_cache_bytes=1, weight_bytes=num_bytes
    )


def cells(speedup: float) -> Iterator[Cell]:
    for name in ("closed-1", "poisson-2.5"):
        for repeat, jitter in enumerate(JITTER):
            yield cell(name, "baseline", repeat, 1.0)
            yield cell(name, "variant", repeat, jitter / speedup)


def cell(name: str, arm: Any, repeat: int, slowness: float) -> Cell:
    metrics: dict[str, float | None] = {
        "tpot_ms_mean": 10 * slowness,
        "ttft_ms_p50": 100 * slowness,
        "output_tokens_per_s": 100 / slowness,
    }
    if name.startswith("poisson"):  # a tenth of the SLO, with a spread of 20 %
        metrics |= {"attainment": 1.0, "slo_use_log_mean": -2.3, "slo_use_log_sd": 0.2}
        metrics |= {"slo_use_correlation": 1.0}
    return Cell(
        name=name,
        arm=arm,
        repeat=repeat,
        order=0,
        num_offered=20,
        num_ok=20,
        window_s=6,
        metrics=metrics,
        engine=dict.fromkeys(REQUIRED, 1.0),
        traces_sha256=f"{name}-{arm}-{repeat}",
    )


def suite(name: str, arm: Any, lost: int = 10, won: int = 4, num_items: int = 400) -> SuiteResult:
    """Baseline: right in 60 % (the first items); the variant loses `lost` of them, wins `won`."""
    num_right = round(0.6 * num_items)

    def is_right(index: int) -> bool:
        if arm == "baseline":
            return index < num_right
        return lost <= index < num_right + won

    return SuiteResult(
        suite=name,
        arm=arm,
        path="engine",
        chance=0.25,
        num_issued=num_items,
        samples=tuple(
            Sample(
                item=f"i{i}",
                cluster=f"c{i * 7 % 100}",
                prompt_sha256=f"p{i}",
                is_correct=is_right(i),
            )
            for i in range(num_items)
        ),
        items_sha256="items",
        rule="best mean log-probability",
        cluster_key=CLUSTER_KEYS.get(name, "item"),
        weights_sha256=weights_sha256((ARTIFACT if arm == "variant" else BASELINE_ARTIFACT).files),
        conditions={"tokenizer": "t", "chat template": "c"},
        seconds=20.0,
    )
