"""The configuration, word for word: the study, the policy's gates, what each engine really runs."""

from typing import Any

import yaml

from evals.gates.kinds import Gate
from evals.results import EffectiveConfig
from evals.study import Study
from reports.blocks import Block, Missing, Section, Verbatim
from reports.view import View
from reports.words.policy_used import policy_of

WIDTH = 96  # characters of a line of YAML
HEAD = ("id", "kind", "tier")  # of a gate; said even at their defaults


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    study = Verbatim("The study, as its user would write it", study_yaml(view.told.study))
    return (study, _policy(view), *_configs(view))


def study_yaml(study: Study) -> str:
    """Write a study without what is left at its default."""
    return _yaml(study.model_dump(mode="json", exclude_defaults=True))


def _policy(view: View) -> Block:
    name = view.told.study.policy
    policy = policy_of(view)
    if policy is None:
        return Missing(
            f"The gates of policy {name} are not shown: nothing was judged, or the policy has "
            "changed or is gone since (Provenance holds its digest). "
            f"`python -m evals.gates explain {name}` tells what it asks now."
        )
    gates = [_gate(gate) for gate in policy.gates]
    return Verbatim(
        f"The policy {policy.name}: each bound one-sided at {100 * policy.confidence:g} %; gates "
        "in the order they are asked, margins as shares (0.05 is 5 points)",
        _yaml(gates),
    )


def _gate(gate: Gate) -> dict[str, Any]:
    said = gate.model_dump(mode="json")
    return {name: said[name] for name in HEAD} | gate.model_dump(mode="json", exclude_defaults=True)


def _yaml(content: object) -> str:
    text = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=WIDTH)
    return text.rstrip("\n")


def _configs(view: View) -> tuple[Block, ...]:
    found = [(arm, item) for arm in view.arms for item in arm.payloads(EffectiveConfig)[-1:]]
    if not found:
        return (
            Missing(
                "No engine's effective configuration was read back in this run: no variant came "
                "as far as being served."
            ),
        )
    return tuple(
        Verbatim(
            f"{arm.name}: {item.engine} {item.version}, as launched and as it reports",
            _config(item),
        )
        for arm, item in found
    )


def _config(item: EffectiveConfig) -> str:
    environment = [f"{name}={value}" for name, value in sorted(item.environment.items())]
    reported = [f"{name}: {value}" for name, value in sorted(item.reported.items())]
    return "\n".join([*environment, " ".join(item.command), "", *reported])


SECTION = Section("configuration", "Raw configuration", build)
