"""What every engine file offers: the same slots, so that the next engine is one more file."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from variants.engines.environment import Environment
from variants.specs.spec import BASE_NAME, Serving

SERVED_NAME = BASE_NAME  # of the artifact itself; an adapter has a name of its own


@dataclass(frozen=True, slots=True)
class ServedAdapter:
    """A packaged adapter that an engine is given by name."""

    name: str
    folder: Path
    rank: int  # the largest of its matrices


@dataclass(frozen=True, slots=True)
class Launch:
    """One start of an engine: what, how, where."""

    artifact: Path
    serving: Serving
    port: int
    cache: Path  # compile cache of this artifact and serving; empty for a cold start
    draft: Path | None = None  # weights that speculation drafts with
    adapters: tuple[ServedAdapter, ...] = ()


@dataclass(frozen=True, slots=True)
class LogFacts:
    """What an engine's log says of itself; None where it says nothing."""

    kv_cache_tokens: int | None = None
    load_s: float | None = None
    compile_s: float | None = None
    cache_hit: bool | None = None
    kernels: tuple[str, ...] = ()
    last_error: str = ""
    reported: Mapping[str, str] = field(default_factory=dict)


class EngineAdapter(Protocol):
    """The slots. Every method is pure but `environment`, which installs once."""

    name: str
    version: str
    ready_path: str
    reset_cache_path: str
    config_path: str
    measuring_only: frozenset[str]  # variables that open what no deployment needs

    def packages(self, target: str) -> str:
        """Name the pinned list of its environment: `requirements/NAME.txt`."""
        ...

    def environment(self, engines: Path, target: str) -> Environment:
        """Make or find the engine's own environment."""
        ...

    def command(self, python: Path, launch: Launch) -> list[str]:
        """Return the whole command line."""
        ...

    def variables(self, launch: Launch) -> dict[str, str]:
        """Return the environment variables it needs."""
        ...

    def read_log(self, log: str) -> LogFacts:
        """Read the engine's own words."""
        ...

    def read_config(self, config: object) -> dict[str, str]:
        """Pick what matters from the configuration the engine reports, flat."""
        ...

    def expected_config(self, serving: Serving) -> dict[str, str]:
        """Return what `read_config` must report for a serving spec."""
        ...
