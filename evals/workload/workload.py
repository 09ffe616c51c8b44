"""What a study sends, and how long."""

from pydantic import Field, model_validator

from evals.results import Result
from evals.workload.arrivals import Bursts, Periodic
from evals.workload.cell import CellSpec
from evals.workload.mixes import Mix, with_mix
from evals.workload.plan import Tenant


class Workload(Result):
    """Lengths, cells, repeats and windows."""

    input_tokens: int = Field(default=128, ge=8, description="of a short prompt")
    long_input_tokens: int = Field(default=512, ge=8, description="of a long prompt")
    output_tokens: int = Field(
        default=32, ge=2, le=1_000_000, description="of a short answer, fixed"
    )
    long_output_tokens: int = Field(
        default=128, ge=2, le=1_000_000, description="of a long answer, fixed"
    )
    shared_share: float = Field(
        default=0.75, gt=0, lt=1, description="of a prompt, where the prefix is shared"
    )
    think_s: float = Field(
        default=2.0, ge=0.01, le=3600, description="from turn to turn of a conversation"
    )
    turn_tokens: int = Field(
        default=64, ge=8, description="that each later turn adds: the answer before it, a question"
    )
    tenants: tuple[Tenant, ...] = Field(default=(), description="of cells whose tenants are mixed")
    adapters: tuple[str, ...] = Field(
        default=(), description="names that the engine serves LoRA adapters under"
    )
    mix: Mix | None = Field(
        default=None, description="ready cells of a service class; spelled out, before `cells`"
    )
    cells: tuple[CellSpec, ...] = Field(min_length=1)
    repeats: int = Field(
        default=5, ge=2, le=100, description="interleaved blocks; verdicts ask for 5"
    )
    shown_repeats: int = Field(default=2, ge=2, le=100, description="of cells that are not judged")
    spare_repeats: int = Field(
        default=5, ge=0, le=100, description="at most, for cells of which too few repeats are valid"
    )
    ramp_s: float = Field(
        default=1.0, ge=0, le=3600, description="arrivals before the window, not judged"
    )
    window_s: float = Field(default=6.0, gt=0, le=3600, description="arrivals inside are judged")
    timeout_s: float = Field(default=30.0, ge=0.1, le=3600, description="per request")

    @model_validator(mode="before")
    @classmethod
    def _spell_out_the_mix(cls, fields: object) -> object:
        return with_mix(fields) if isinstance(fields, dict) else fields

    @model_validator(mode="after")
    def _cells_find_what_they_mix(self) -> "Workload":
        for cell in self.cells:
            if cell.tenants == "mixed" and len(self.tenants) < 2:
                raise ValueError(f"{cell.name} mixes tenants; list two or more in workload.tenants")
            if cell.adapters == "mixed" and not self.adapters:
                raise ValueError(f"{cell.name} mixes adapters; list them in workload.adapters")
        names = [tenant.name for tenant in self.tenants]
        if len(set(names)) < len(names):
            raise ValueError(f"a tenant is named twice: {names}")
        return self

    @model_validator(mode="after")
    def _whole_periods(self) -> "Workload":
        """A window that ends inside a period would be judged by where it ended."""
        for cell in self.cells:
            if not isinstance(cell.arrivals, Bursts | Periodic):
                continue
            num = self.window_s / cell.arrivals.period_s
            if num < 1 or abs(num - round(num)) > 1e-9:
                raise ValueError(
                    f"window_s {self.window_s:g} is no multiple of the period of {cell.name}, "
                    f"{cell.arrivals.period_s:g} s; give whole periods"
                )
        return self

    def repeats_by_cell(self) -> dict[str, int]:
        """Return how often each cell is measured, by name."""
        return {
            cell.name: self.repeats if cell.judged else self.shown_repeats for cell in self.cells
        }

    def input_of(self, cell: CellSpec) -> int:
        """Return the prompt length of a cell's usual request, in tokens."""
        return self.long_input_tokens if cell.input == "long" else self.input_tokens

    def shared_of(self, cell: CellSpec) -> int:
        """Return how many tokens begin every prompt of a cell that shares its prefix."""
        return int(self.shared_share * self.input_of(cell))

    def timeout_of(self, cell: CellSpec) -> float:
        """Return how long callers of a cell wait, in seconds."""
        return self.timeout_s if cell.timeout_ms is None else cell.timeout_ms / 1000

    def longest_of(self, cell: CellSpec) -> int:
        """Return the tokens of a cell's longest prompt and its answer; at most, of a replay."""
        if cell.replay is not None:
            logged = cell.replay.requests(self.ramp_s + self.window_s + self.timeout_of(cell))
            return max((one.input_tokens + one.output_tokens for one in logged), default=0)
        usual = self.long_input_tokens if cell.input != "short" else self.input_tokens
        return usual + (cell.turns - 1) * self.turn_tokens + self.output_of(cell)

    def output_of(self, cell: CellSpec) -> int:
        """Return the answer length of a cell, in tokens."""
        return self.long_output_tokens if cell.output == "long" else self.output_tokens
