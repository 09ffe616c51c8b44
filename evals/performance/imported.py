"""Results of other load generators, by formula and never by name.

"TPOT" is (last - first) / (n - 1) in vLLM's benchmark and (last - sent) / n in GuideLLM's; "ITL" is
a list of gaps in one and a quotient in another. So each figure is taken under the name of what it
is, and beside it stands which of our own figures may be laid beside it, and on what condition.
Sources: research/profiling.md section 3, the tools' own definitions there.

Usage: `python -m evals.performance.imported FILE...`
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.results import Result
from variants.command import ended
from variants.errors import MeasurementError

Json = Mapping[str, Any]
DRAIN = "the time includes what was still running at the end"


@dataclass(frozen=True, slots=True)
class Formula:
    """What a figure is, and what of ours is the same."""

    text: str
    ours: str = ""  # metric of `evals.performance.metrics`, without the statistic
    condition: str = ""


FORMULAS: dict[str, Formula] = {
    "ttft_send_ms": Formula("first token - sent", "ttft_send_ms"),
    "first_chunk_ms": Formula(
        "first chunk - sent", "ttft_send_ms", "where no chunk without text comes first"
    ),
    "tpot_after_one_ms": Formula(
        "(last token - first token) / (tokens - 1)",
        "tpot_ms",
        "where first reads bear one token and no answer has but one",
    ),
    "e2e_per_token_ms": Formula("(last token - sent) / tokens"),
    "e2e_send_ms": Formula("last token - sent", "e2e_ms", "where requests are sent on schedule"),
    "last_chunk_ms": Formula("last chunk, usage included - sent"),
    "end_send_ms": Formula("end of the response - sent"),
    "read_gap_ms": Formula("gap between two chunks, over all chunks"),
    "ended_rps": Formula(f"requests that ended / time; {DRAIN}"),
    "ended_tokens_per_s": Formula(f"output tokens / time; {DRAIN}"),
    "good_with_drain_rps": Formula(f"good requests / time; {DRAIN}"),
}


class Figure(Result):
    """One figure of another tool under the name of its formula."""

    tool: str
    theirs: str
    formula: str
    statistic: str = ""
    value: float


def read_result(path: Path) -> tuple[Figure, ...]:
    """Read a result file of vLLM's benchmark, GuideLLM, AIPerf or genai-perf.

    Raises:
        MeasurementError: it is no JSON, or of none of these tools.
    """
    try:
        said = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise MeasurementError(f"{path} is no JSON result: {error}") from error
    for is_of, read in READERS:
        if isinstance(said, dict) and is_of(said):
            try:
                return tuple(read(said))
            except (AttributeError, KeyError, TypeError) as error:
                raise MeasurementError(f"{path} is no whole result: {error!r}") from error
    raise MeasurementError(
        f"{path} is no result of vLLM's benchmark (--save-result), GuideLLM (kind=json), AIPerf "
        "or genai-perf (profile_export)"
    )


VLLM = {"ttft": "first_chunk_ms", "tpot": "tpot_after_one_ms", "itl": "read_gap_ms",
        "e2el": "e2e_send_ms"}  # fmt: skip
VLLM_RATES = {
    "request_throughput": "ended_rps", "output_throughput": "ended_tokens_per_s",
    "request_goodput": "good_with_drain_rps",
}  # fmt: skip
VLLM_STATISTICS = {"mean": "mean", "median": "p50", "p50": "p50", "p90": "p90", "p95": "p95",
                   "p99": "p99"}  # fmt: skip


def _vllm(said: Json) -> Iterator[Figure]:
    for name, formula in VLLM.items():
        for prefix, statistic in VLLM_STATISTICS.items():
            key = f"{prefix}_{name}_ms"
            yield from _figure("vllm bench", key, formula, said.get(key), statistic)
    for key, formula in VLLM_RATES.items():
        yield from _figure("vllm bench", key, formula, said.get(key))


GUIDELLM = {  # theirs -> formula, factor to our unit
    "time_to_first_token_ms": ("ttft_send_ms", 1.0),
    "inter_token_latency_ms": ("tpot_after_one_ms", 1.0),
    "time_per_output_token_ms": ("e2e_per_token_ms", 1.0),
    "request_latency": ("end_send_ms", 1000.0),
    "requests_per_second": ("ended_rps", 1.0),
    "output_tokens_per_second": ("ended_tokens_per_s", 1.0),
}


def _guidellm(said: Json) -> Iterator[Figure]:
    for benchmark in said["benchmarks"]:
        for key, (formula, factor) in GUIDELLM.items():
            found = benchmark["metrics"].get(key, {}).get("successful") or {}
            values = {"mean": found.get("mean"), **_percentiles(found.get("percentiles") or {})}
            for statistic, value in values.items():
                scaled = None if value is None else value * factor
                yield from _figure("guidellm", key, formula, scaled, statistic)


AIPERF = {
    "time_to_first_token": "ttft_send_ms",
    "inter_token_latency": "tpot_after_one_ms",
    "request_latency": "last_chunk_ms",
    "request_throughput": "ended_rps",
    "output_token_throughput": "ended_tokens_per_s",
}
TO_MS = {"ms": 1.0, "s": 1000.0, "sec": 1000.0, "us": 1e-3, "ns": 1e-6}


def _aiperf(said: Json) -> Iterator[Figure]:
    for key, formula in AIPERF.items():
        found = said.get(key) or {}
        factor = _to_ms(key, found) if found and formula.endswith("_ms") else 1.0
        for statistic, value in {"mean": found.get("avg"), **_percentiles(found)}.items():
            scaled = None if value is None else value * factor
            yield from _figure("aiperf or genai-perf", key, formula, scaled, statistic)


READERS: tuple[tuple[Callable[[Json], bool], Callable[[Json], Iterator[Figure]]], ...] = (
    (lambda said: "benchmarks" in said, _guidellm),
    (lambda said: isinstance(said.get("time_to_first_token"), dict), _aiperf),
    (lambda said: "mean_ttft_ms" in said, _vllm),
)


def _to_ms(key: str, found: Json) -> float:
    unit = str(found.get("unit"))
    if unit not in TO_MS:
        raise MeasurementError(f"{key} is in {unit!r}, which is none of {', '.join(TO_MS)}")
    return TO_MS[unit]


def _percentiles(found: Json) -> dict[str, Any]:
    return {name: found.get(name) for name in ("p50", "p90", "p95", "p99")}


def _figure(
    tool: str, theirs: str, formula: str, value: object, statistic: str = ""
) -> Iterator[Figure]:
    if isinstance(value, int | float):
        yield Figure(
            tool=tool, theirs=theirs, formula=formula, statistic=statistic, value=float(value)
        )


def _told(figure: Figure) -> str:
    formula = FORMULAS[figure.formula]
    beside = "nothing of ours"
    if formula.ours:
        beside = f"{formula.ours}{f', {formula.condition}' if formula.condition else ''}"
    name = f"{figure.theirs} {figure.statistic}".strip()
    return f"{figure.tool}: {name} = {figure.value:.4g}: {formula.text} (beside: {beside})"


def main() -> int:
    """Print each figure with its formula, and what of ours it may be laid beside."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.performance.imported", description=main.__doc__
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    asked = parser.parse_args()
    return ended(lambda: _run(asked.files), error_code=2)


def _run(files: Sequence[Path]) -> int:
    for path in files:
        for figure in read_result(path):
            print(_told(figure))
    return 0


if __name__ == "__main__":
    sys.exit(main())
