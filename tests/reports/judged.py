"""How the made-up study of `fixture` was decided: one of each outcome."""

from evals.gates.decision import Decision
from evals.gates.envelope import CellStanding
from evals.gates.gains import Gain
from evals.gates.settling import Settlement
from evals.gates.verdict import Outcome, Row, Verdict
from reports.kept.entries import Promotion, RunEnd, Stage
from reports.retold import changes_of
from reports.view import Told, View, build_view
from tests.reports.fixture import AT, BASE, HOSTILE, RUN, STUDY, WORDS, evidence, study
from variants.fingerprint import sha256_text

STAGES = (
    Stage(name="install", seconds=412.3),
    Stage(name="build", seconds=96.2),
    Stage(name="serve", seconds=301.8),
    Stage(name="measure", seconds=684.0),
    Stage(name="evaluate", seconds=531.4),
    Stage(name="judge and report", seconds=3.1),
)
PROMOTION = Promotion(
    study=STUDY,
    run=RUN,
    variant="compiled",
    channel="smollm2-135m-instruct/cpu/interactive",
    fingerprint="0123456789abcdef",
    action="move",
    at=AT,
    reason="highest lower bound of the gain in tpot_ms; smoke test answered",
)
RUN_END = RunEnd(
    study=STUDY,
    run=RUN,
    started_at="2026-11-29T17:40:17+00:00",
    ended_at=AT,
    exit_code=0,
    stages=STAGES,
)
# Loss as a share of items: estimate, lower, upper, outcome; margin .05, n 400.
LOSSES: dict[tuple[str, str], tuple[float, float, float, Outcome]] = {
    ("compiled", "continuation-choice"): (0.0, -0.0067, 0.0067, "PASS"),
    ("compiled", "tool-calling"): (0.0, -0.0067, 0.0067, "PASS"),
    ("int8-w8a8", "continuation-choice"): (0.005, -0.009, 0.021, "PASS"),
    ("int8-w8a8", "tool-calling"): (0.0325, 0.0112, 0.0561, "INCONCLUSIVE"),
    ("int4-w4a16-channel", "continuation-choice"): (0.08, 0.0521, 0.1092, "FAIL"),
    ("int4-w4a16-channel", "tool-calling"): (0.165, 0.1311, 0.2006, "FAIL"),
}
# Items lost and won, of 400; lost minus won is the loss.
FLIPS = {
    ("compiled", "continuation-choice"): (0, 0),
    ("compiled", "tool-calling"): (0, 0),
    ("int8-w8a8", "continuation-choice"): (8, 6),
    ("int8-w8a8", "tool-calling"): (21, 8),
    ("int4-w4a16-channel", "continuation-choice"): (40, 8),
    ("int4-w4a16-channel", "tool-calling"): (74, 8),
}
CLASSES = {"compiled": "lossless", "int8-w8a8": "8-bit", "fp8-dynamic": "8-bit"}
CELLS = {
    "compiled": (
        CellStanding(cell="closed-1", standing="won", is_qualified=True,
            by=("tpot_ms 23.7 % better [25.6 % better, 21.7 % better]",
                "ttft_ms 1 % worse [3 % better, 5 % worse]")),
        CellStanding(cell="closed-8", standing="undecided", is_qualified=True,
            by=("tpot_ms 0.4 % worse [2 % better, 3 % worse]",)),
    ),
    "int4-w4a16-channel": (
        CellStanding(cell="closed-8", standing="lost", is_qualified=False,
            by=("tpot_ms 21 % worse [17 % worse, 25 % worse]",)),
    ),
}  # fmt: skip
GAINS = {
    "compiled": (0.2366, 0.2171, 0.2558),
    "int8-w8a8": (0.1803, 0.1544, 0.2051),
    "int4-w4a16-channel": (0.1071, 0.0812, 0.1322),
}


def looks(variant: str, stage: str, outcome: Outcome, reason: str) -> Verdict:
    """Judge one early look."""
    row = Row(label=f"{variant}, {stage}", outcome=outcome, note=reason)
    return Verdict(
        gate=stage, tier="critical", kind="check", outcome=outcome, reason=reason, details=(row,)
    )


def unmeasured(stage: str) -> tuple[Verdict, ...]:
    """Judge what was never measured, since the variant was stopped before."""
    reason = f"not measured: stopped at {stage}"
    return (
        Verdict(
            gate="tpot", tier="required", kind="no_worse", outcome="INCONCLUSIVE", reason=reason
        ),
        Verdict(
            gate="tool-calling",
            tier="critical",
            kind="paired_accuracy",
            outcome="INCONCLUSIVE",
            reason=reason,
        ),
    )


def loss(variant: str, suite: str) -> Verdict:
    """Judge one suite."""
    estimate, lower, upper, outcome = LOSSES[variant, suite]
    figures = {"estimate": estimate, "lower": lower, "upper": upper, "margin": 0.05, "n": 400}
    needed = 710 if outcome == "INCONCLUSIVE" else None
    lost, won = FLIPS[variant, suite]
    row = Row(
        label="artifact", outcome=outcome, n_needed=needed, baseline_only=lost, variant_only=won,
        null_flips=None if suite == "continuation-choice" else 0.0125, **figures,
    )  # fmt: skip
    return Verdict(
        gate=suite,
        tier="critical",
        kind="paired_accuracy",
        outcome=outcome,
        reason=f"lost {100 * estimate:.3g} points [{100 * lower:.3g}, {100 * upper:.3g}] of 400 "
        "items, margin 5 points",
        metric="accuracy",
        unit="share of items",
        direction="higher",
        n_needed=needed,
        details=(row,),
        **figures,
    )


def tpot(variant: str) -> Verdict:
    """Judge the objective's metric."""
    estimate, lower, upper = GAINS[variant]
    figures = {"estimate": -estimate, "lower": -upper, "upper": -lower, "margin": 0.15, "n": 5}
    return Verdict(
        gate="tpot",
        tier="required",
        kind="no_worse",
        outcome="PASS",
        reason=f"TPOT {100 * -estimate:.3g} % in the worst of 4 cells, 5 repeats, margin 15 %",
        metric="tpot_ms",
        unit="relative to the baseline",
        direction="lower",
        details=(Row(label="closed-1", outcome="PASS", **figures),),
        **figures,
    )


def decided(variant: str, **fields: object) -> Decision:
    """Decide one variant."""
    shared: dict[str, object] = {
        "study": STUDY,
        "run": RUN,
        "variant": variant,
        "policy": "quick",
        "policy_sha256": sha256_text("quick"),
        "margin": "a suite may lose 5 points",
        "envelope": (),
        "cells": CELLS.get(variant, ()),
        "evidence_sha256": sha256_text("evidence"),
        "change_class": CLASSES.get(variant, "4-bit"),
        "model_class": "up to 3B",
        "gains": (),
        "settle": (),
        "not_asked": (),
        "stopped_at": None,
    }
    if variant in GAINS:
        estimate, lower, upper = GAINS[variant]
        figures = {"estimate": estimate, "lower": lower, "upper": upper, "n": 5}
        shared["gains"] = (Gain(metric="tpot_ms", cell="closed-1", unit="ms", **figures),)
        suites = ("continuation-choice", "tool-calling")
        shared["verdicts"] = (
            looks(variant, "identity", "PASS", "256 positions agree, mean gap .0014 nats"),
            tpot(variant),
            *(loss(variant, suite) for suite in suites),
        )
    return Decision.model_validate(shared | fields)


def decisions() -> tuple[Decision, ...]:
    """Return one decision per variant of the fixture."""
    slow = "no first token within 30 s; no usable FP8 kernel on this CPU"
    return (
        decided("compiled", outcome="PROMOTE", deciding_gate="benefit", not_asked=("fidelity",),
            reason="every gate passes; TPOT better by 23.7 % [21.7, 25.6], asked 5 %"),
        decided("int8-w8a8", outcome="HOLD", deciding_gate="tool-calling",
            reason="tool calling lost 3.25 points [1.12, 5.61]: the bound is beyond 5 points",
            settle=(Settlement(gate="tool-calling", text="about 710 items instead of 400, about "
            "1.9 device minutes more", device_minutes=1.9),)),
        decided("int4-w4a16-channel", outcome="REJECT", deciding_gate="continuation-choice",
            reason="continuation choice lost 8 points, at least 5.21, margin 5 points"),
        decided("fp8-dynamic", outcome="REJECT", deciding_gate="pace", reason=slow,
            verdicts=(looks("fp8-dynamic", "pace", "FAIL", slow), *unmeasured("pace")),
            stopped_at="pace"),
        decided(HOSTILE, outcome="REJECT", deciding_gate="build", reason=WORDS,
            verdicts=(looks(HOSTILE, "build", "FAIL", WORDS), *unmeasured("build")),
            stopped_at="build"),
    )  # fmt: skip


def told() -> Told:
    """Return everything the report is made from."""
    return Told(
        study=study(),
        run=RUN,
        base=BASE,
        written_at=AT,
        evidence=evidence(),
        decisions=decisions(),
        promotion=PROMOTION,
        changes=changes_of(study()),
        stages=STAGES,
        machine=(("Processor", "2 cores, x86-64, AVX-512, AMX"), ("Memory", "24 GiB")),
        commands=("python -m flows.qualify smollm2-cpu",),
    )


def view() -> View:
    """Return the view of the whole fixture."""
    return build_view(told())
