"""The slots of an engine adapter, filled with the scripted endpoint."""

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

from variants.engines.adapter import Launch, LogFacts
from variants.engines.environment import Environment
from variants.specs.spec import Serving


@dataclass
class ScriptedAdapter:
    """An engine that does what its script says; `program` replaces it by a few lines of Python."""

    script: dict[str, object] = field(default_factory=dict)
    program: str = ""
    name: str = "scripted"
    version: str = "1"
    ready_path: str = "/health"
    reset_cache_path: str = "/reset_prefix_cache"
    config_path: str = "/v1/models"
    measuring_only: frozenset[str] = frozenset()

    def packages(self, target: str) -> str:
        return ""

    def environment(self, engines: Path, target: str) -> Environment:
        return Environment(Path(sys.executable), 0.0, was_cached=True)

    def command(self, python: Path, launch: Launch) -> list[str]:
        if self.program:
            return [str(python), "-c", self.program, str(launch.port)]
        launch.cache.mkdir(parents=True, exist_ok=True)
        path = launch.cache / "script.json"
        path.write_text(json.dumps(self.script), encoding="utf-8")
        module = ["-m", "variants.engines.scripted"]
        return [str(python), *module, "--port", str(launch.port), "--script", str(path)]

    def variables(self, launch: Launch) -> dict[str, str]:
        return {"SCRIPTED": "1"}

    def read_log(self, log: str) -> LogFacts:
        errors = [line for line in log.splitlines() if "Error: " in line]
        return LogFacts(last_error=errors[-1] if errors else "")

    def read_config(self, config: object) -> dict[str, str]:
        assert isinstance(config, dict)
        return {"max_model_len": str(config["data"][0]["max_model_len"])}

    def expected_config(self, serving: Serving) -> dict[str, str]:
        return {"max_model_len": "4096"}
