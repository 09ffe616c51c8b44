"""What makes one request good, and the presets of a public benchmark.

Source of the presets: MLCommons Inference, loadgen/mlperf.conf at b66003e (2026-08-20): the limits
on TTFT and TPOT at the 99th percentile of each model, server and interactive scenario. Its rules
text says 20 instead of 15 ms for gpt-oss-120b-interactive; here as in mlperf.conf.
"""

from pydantic import Field, model_validator

from evals.results import Result

PRESETS: dict[str, tuple[float, float]] = {  # TTFT ms, TPOT ms
    "llama2-70b": (2000, 200),
    "llama2-70b-interactive": (450, 40),
    "mixtral-8x7b": (2000, 200),
    "llama3.1-405b": (6000, 175),
    "llama3.1-405b-interactive": (4500, 80),
    "llama3.1-8b": (2000, 100),
    "llama3.1-8b-interactive": (500, 30),
    "deepseek-r1": (2000, 80),
    "deepseek-r1-interactive": (1500, 15),
    "gpt-oss-120b": (3000, 80),
    "gpt-oss-120b-interactive": (2000, 15),
}


class Slo(Result):
    """Limits of one request, and the share of requests that must keep them.

    Example: `{preset: llama3.1-8b, attainment: 0.95}` is TTFT 2000 ms and TPOT 100 ms for 95 %.
    """

    ttft_ms: float = Field(default=2000, gt=0, description="scheduled to first token")
    tpot_ms: float = Field(default=100, gt=0, description="per output token after the first read")
    e2e_ms: float | None = Field(default=None, gt=0, description="scheduled to last token")
    max_gap_ms: float | None = Field(
        default=None, gt=0, description="between two reads with tokens"
    )
    attainment: float = Field(default=0.9, gt=0, le=1, description="share of good requests asked")

    @model_validator(mode="before")
    @classmethod
    def _fill_from_preset(cls, fields: object) -> object:
        if not isinstance(fields, dict) or "preset" not in fields:
            return fields
        rest = {name: value for name, value in fields.items() if name != "preset"}
        name = fields["preset"]
        if name not in PRESETS:
            raise ValueError(f"no SLO preset {name!r}; there are {', '.join(PRESETS)}")
        ttft_ms, tpot_ms = PRESETS[name]
        return {"ttft_ms": ttft_ms, "tpot_ms": tpot_ms} | rest
