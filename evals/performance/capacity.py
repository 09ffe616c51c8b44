"""How much load a served variant bears: highest rate inside the SLO, single stream, sweep, knee."""

from pydantic import Field

from evals.performance.knee import Level, knee
from evals.performance.search import Found
from evals.results import Result

SWEEP = (1, 2, 4, 8, 16, 32)  # concurrencies; the first is the single stream


class RateSeen(Result):
    """One rate of the search: attainment with its bounds over repeats."""

    rate: float
    attainment: float
    lower: float
    upper: float
    passes: bool
    is_confirmation: bool


class Capacity(Result):
    """What was found of one variant."""

    variant: str
    rate: float | None = Field(description="requests/s, confirmed; None: no rate was")
    target: float = Field(description="attainment asked")
    seen: tuple[RateSeen, ...]
    levels: tuple[Level, ...]

    @property
    def knee(self) -> int | None:
        """Concurrency beyond which more does not pay."""
        return knee(self.levels)

    def told(self) -> str:
        """Say it in lines for a terminal."""
        best = "no rate was confirmed" if self.rate is None else f"{self.rate:.3g} requests/s"
        lines = [f"{self.variant}: highest rate with {self.target:.0%} inside the SLO: {best}"]
        lines += [
            f"  {'confirm' if one.is_confirmation else 'look':<8} {one.rate:8.3g}/s  attainment "
            f"{one.attainment:.1%} [{one.lower:.1%}, {one.upper:.1%}]"
            f"{'' if one.passes else '  not shown'}"
            for one in self.seen
        ]
        lines += [
            f"  closed-{level.concurrency:<4} {level.output_tokens_per_s:8.1f} tokens/s  "
            f"TTFT {level.ttft_ms:.0f} ms  TPOT {level.tpot_ms:.1f} ms  E2E {level.e2e_ms:.0f} ms"
            f"{'  <- knee' if level.concurrency == self.knee else ''}"
            for level in self.levels
        ]
        return "\n".join(lines)


def seen_rates(found: Found) -> tuple[RateSeen, ...]:
    """Turn the probes of a search into records."""
    return tuple(
        RateSeen(
            rate=probe.rate,
            attainment=probe.attainment.estimate,
            lower=probe.attainment.lower,
            upper=probe.attainment.upper,
            passes=probe.passes,
            is_confirmation=probe.is_confirmation,
        )
        for probe in found.probes
    )
