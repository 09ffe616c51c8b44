"""What is to be deployed, read off the certificate: nothing else says how it was qualified.

The command is the engine's own, as the adapter spells it for the serving that was measured; only
host, port and paths are the deployment's.
"""

import shlex
from dataclasses import dataclass
from pathlib import Path

from reports.certificate.statement import Qualification
from variants.engines.adapter import Launch, ServedAdapter
from variants.engines.adapters import ADAPTERS
from variants.engines.environment import REQUIREMENTS

ROOT = "/handoff"  # of the folder inside a container
PORT = 8000
ANYWHERE = "0.0.0.0"


@dataclass(frozen=True, slots=True)
class Deployment:
    """One promoted variant, and what it took where it was measured."""

    bound: Qualification
    model_bytes: int
    peak_bytes: int | None  # of the engine's processes; None: not measured
    ready_s: float | None  # the longest of its starts
    has_draft: bool
    adapters: tuple[tuple[str, int], ...]  # name, rank

    @property
    def name(self) -> str:
        """Name it as Kubernetes takes it: a variant's name is a DNS label."""
        return self.bound.variant

    @property
    def requirements(self) -> str:
        """The whole environment of the engine, package by package."""
        return (REQUIREMENTS / f"{self.bound.engine_list}.txt").read_text(encoding="utf-8")

    @property
    def num_accelerators(self) -> int:
        """How many the engine was measured on: it uses one unless its arguments say more."""
        return 0 if self.bound.hardware.target == "cpu" else 1

    @property
    def command(self) -> list[str]:
        """The engine's command line inside a container, without the interpreter."""
        command = ADAPTERS[self.bound.engine].command(Path("python"), self._launch())[1:]
        command[command.index("--host") + 1] = ANYWHERE
        return command

    @property
    def variables(self) -> dict[str, str]:
        """The environment it was measured with, without what only measuring needs."""
        adapter = ADAPTERS[self.bound.engine]
        given = adapter.variables(self._launch())
        return {name: value for name, value in given.items() if name not in adapter.measuring_only}

    def _launch(self) -> Launch:
        folder = Path(ROOT)
        return Launch(
            artifact=folder / "model",
            serving=self.bound.serving,
            port=PORT,
            cache=folder / "cache",
            draft=folder / "draft" if self.has_draft else None,
            adapters=tuple(
                ServedAdapter(name, folder / "adapters" / name, rank)
                for name, rank in self.adapters
            ),
        )


def in_shell(argument: str) -> str:
    """Quote an argument for sh, with the folder's own place for what lies in it.

    Example: "tone=/handoff/adapters/tone" -> tone="$here"/adapters/tone
    """
    return (
        '"$here"'.join(shlex.quote(part) if part else "" for part in argument.split(ROOT)) or "''"
    )
