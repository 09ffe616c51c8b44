"""An entry of a Triton model repository for its vLLM backend.

The backend gives 1/model.json to the engine's own arguments class, so the command line's options
are spelled as its fields. Source: docs.nvidia.com, Triton user guide, vLLM backend.

Example: `--max-model-len 2048 --enforce-eager` -> {"max_model_len": 2048, "enforce_eager": true}.
"""

import json

from reports.handoff.deployment import Deployment

OF_THE_SERVER = frozenset({"host", "port", "served_model_name", "enable_prompt_tokens_details"})
CONFIG = 'backend: "vllm"\ninstance_group [{ count: 1, kind: KIND_MODEL }]\n'
Setting = bool | int | float | str | list[str] | dict[str, object]


def triton(deployment: Deployment) -> dict[str, str]:
    """Write the entry."""
    folder = f"triton/{deployment.name}"
    settings = engine_settings(deployment.command)
    return {
        f"{folder}/config.pbtxt": CONFIG,
        f"{folder}/1/model.json": json.dumps(settings, indent=1) + "\n",
    }


def engine_settings(command: list[str]) -> dict[str, Setting]:
    """Spell a command line's options as fields; what is the server's own is left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for argument in command:
        if argument.startswith("--"):
            name = argument.removeprefix("--").partition("=")[0].replace("-", "_")
            value = argument.partition("=")[2]
            found[name] = [value] if value else []
        elif name:
            found[name].append(argument)
    return {key: _setting(values) for key, values in found.items() if key not in OF_THE_SERVER}


def _setting(values: list[str]) -> Setting:
    if not values:
        return True
    if len(values) > 1:
        return values
    try:
        parsed = json.loads(values[0])
    except ValueError:
        return values[0]
    return parsed if isinstance(parsed, int | float | dict) else values[0]
