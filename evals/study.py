"""A study: the only thing a user writes.

One model validates the YAML, the Prefect parameters and gives the JSON Schema for editors.
Variants are named by functions of `variants.catalogue`, with arguments where they take some.
"""

import re
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from evals.results import Result
from evals.workload.mixes import with_class
from evals.workload.slo import Slo
from evals.workload.workload import Workload
from variants.fingerprint import fingerprint

ServiceClass = Literal["interactive", "batch", "long-context"]
SuiteName = Literal[
    "continuation-choice", "mmlu", "tool-calling", "refusal-odds", "answer-odds",
    "long-context-needle", "long-context-pairs", "long-context-variables",
    "cliff-tools", "cliff-turns", "cliff-context",
    "short-answers", "safety-canaries", "safety", "over-refusal", "written-calls", "api-calls",
    "irrelevance", "multi-turn-calls", "json-free", "json-constrained", "instructions",
    "cliff-tools-written", "cliff-turns-written", "cliff-context-written", "json-at-load",
    "calls-at-load",
]  # fmt: skip
SuiteEntry = SuiteName | dict[str, str]  # {own: FILE.jsonl}, {lm_eval: TASK}
FEWEST = 50  # items of any suite
NOT_OURS = ("own", "lm_eval")
REMOTE_CODE = re.compile(r"trust[-_]remote[-_]code", re.IGNORECASE)
VariantEntry = str | dict[str, dict[str, int | float | str | bool]]


class SuiteItems(Result):
    """How many items a suite issues on each path (in process it is several times faster)."""

    artifact: int = Field(default=1000, ge=400)
    engine: int = Field(default=400, ge=400)
    written: int = Field(default=400, ge=100, description="of each suite answered in writing")
    null_arm: int = Field(
        default=200, ge=0, description="of the artifact path's, asked of the null arm; 0: none"
    )
    of: dict[str, Annotated[int, Field(ge=FEWEST)]] = Field(
        default={}, description="of single suites, by id, on every path: instead of the others"
    )

    def asked(self, suite: str, kind: Literal["artifact", "engine", "written"]) -> int:
        """Return how many items of a suite are drawn."""
        default: int = getattr(self, kind)
        return self.of.get(suite, default)


class Objective(Result):
    """What the champion is chosen by: the highest lower bound of the gain in this metric."""

    metric: Literal["tpot_ms", "output_tokens_per_s", "ttft_ms", "goodput_rps"] = "tpot_ms"
    cell: str = "closed-1"


def study_sha256(study: "Study") -> str:
    """Digest what the user wrote; fields left at their defaults do not count."""
    return fingerprint(study.model_dump(mode="json", exclude_defaults=True))


class Study(Result):
    """One qualification: a base, the variants to try, and what they must show."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    base: str = Field(description="a base of the catalogue, or a source address")
    base_sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")
    target: Literal["cpu", "cuda"] = "cpu"
    service_class: ServiceClass = "interactive"
    slo: Slo = Slo()
    variants: tuple[VariantEntry, ...] = Field(min_length=1)
    workload: Workload
    suites: tuple[SuiteEntry, ...] = ("continuation-choice", "tool-calling")
    items: SuiteItems = SuiteItems()
    policy: str = Field(default="quick", description="a policy's name, or a path to its YAML")
    objective: Objective = Objective()
    min_gain: float = Field(
        default=0.05, gt=0, lt=1, description="relative gain the benefit gate asks"
    )
    first_token_deadline_s: float = Field(default=30.0, gt=0)
    start_deadline_s: float = Field(default=600.0, gt=0, description="launch to ready")
    budget_device_hours: float = Field(default=4.0, gt=0)
    price_per_device_hour: float | None = Field(default=None, gt=0, description="USD")
    engine_arguments: tuple[str, ...] = Field(
        default=(), description="further arguments of every engine, passed on as they are"
    )
    trusts_remote_code: bool = Field(
        default=False,
        description="whether an engine may run Python that comes with a model; told in the report",
    )
    custom_ops: Literal["none", "default"] = Field(
        default="none", description="engine's own eager kernels; 'default' gives wrong text on CPU"
    )
    adapter_sources: tuple[str, ...] = Field(
        default=(),
        description="addresses that adapters must lie below; (): only the operator's list counts",
    )
    seed: int = Field(default=20261129, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _take_the_class_of_the_mix(cls, fields: object) -> object:
        return with_class(fields) if isinstance(fields, dict) else fields

    @field_validator("suites")
    @classmethod
    def _a_suite_is_ours_or_says_whose(
        cls, entries: tuple[SuiteEntry, ...]
    ) -> tuple[SuiteEntry, ...]:
        for entry in entries:
            if isinstance(entry, dict) and (len(entry) != 1 or not entry.keys() <= {*NOT_OURS}):
                raise ValueError(
                    f"suite {entry} is neither {{own: FILE.jsonl}} nor {{lm_eval: TASK}}"
                )
        return entries

    @field_validator("variants")
    @classmethod
    def _an_entry_is_one_variant(
        cls, entries: tuple[VariantEntry, ...]
    ) -> tuple[VariantEntry, ...]:
        for entry in entries:
            if isinstance(entry, dict) and len(entry) != 1:
                raise ValueError(
                    f"variant {entry} must have exactly one key, the variant's name; "
                    "give each variant an entry of its own"
                )
        return entries

    @model_validator(mode="after")
    def _remote_code_is_asked_for_by_name(self) -> "Study":
        asked = [*self.engine_arguments, *map(str, self.variants)]
        named = [one for one in asked if REMOTE_CODE.search(one)]
        if named and not self.trusts_remote_code:
            raise ValueError(
                f"{named[0]!r} lets an engine run code that comes with a model; if you have read "
                "that code, say trusts_remote_code: true"
            )
        return self

    @model_validator(mode="after")
    def _objective_names_a_cell(self) -> "Study":
        names = [cell.name for cell in self.workload.cells]
        closed = [cell.name for cell in self.workload.cells if not cell.is_open]
        if len(set(names)) != len(names):
            raise ValueError(f"a cell is named twice: {names}")
        judged = [cell.name for cell in self.workload.cells if cell.judged]
        if self.objective.cell not in judged:
            raise ValueError(
                f"objective.cell {self.objective.cell!r} is none of the judged cells {judged}"
            )
        if self.objective.metric == "goodput_rps" and self.objective.cell in closed:
            raise ValueError("goodput is an open-loop figure; name an open cell as objective.cell")
        return self
