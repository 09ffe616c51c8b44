"""The studies that mutants are tried in: one per baseline, so that it is measured once.

The small model refuses hardly anything by itself (1 unsafe request in 100), so there is nothing it
could unlearn: the baseline of the study of answers is taught to refuse what is unsafe.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from evals.study import Study, VariantEntry
from evals.yaml_file import read_mapping
from tests.mutants.bench import BASE
from tests.mutants.making import PROCESSORS
from tests.mutants.mutant import StudyName

POLICY = Path(__file__).with_name("policy.yaml")
SHARED: dict[str, Any] = {
    "base": BASE,
    "target": "cpu",
    "slo": {"ttft_ms": 20000, "tpot_ms": 2000},  # nobody waits for a mutant
    "workload": {
        "input_tokens": 32,
        "output_tokens": 8,
        "cells": [{"closed": 1}],
        "repeats": 5,  # the fewest that a gate on performance judges
        "spare_repeats": 1,
        "ramp_s": 0.5,
        "window_s": 2.0,
    },
    "first_token_deadline_s": 60.0,
}
OWN: dict[StudyName, dict[str, Any]] = {
    "mutants": {
        "suites": ["continuation-choice", "over-refusal"],
        "items": {"written": 100, "null_arm": 0, "of": {"continuation-choice": 100}},
    },
    "mutants-answers": {
        "suites": ["irrelevance", "over-refusal", "safety"],
        "items": {"written": 100, "null_arm": 0},
        "engine_arguments": f"{PROCESSORS}RefusesUnsafe".split(),
    },
}


def study_of(name: StudyName, entries: Sequence[VariantEntry], seed: int, folder: Path) -> Study:
    """Return a study of some mutants, its policy written beside; the seed draws its items too."""
    policy = folder / f"{name}-policy.yaml"
    policy.write_text(yaml.safe_dump(_policy(name)), encoding="utf-8")
    own = {"name": name, "variants": list(entries), "seed": seed, "policy": str(policy)}
    return Study.model_validate(SHARED | OWN[name] | own)


def _policy(name: StudyName) -> dict[str, Any]:
    """Read the policy for the suites that are asked.

    Where answers are the question, no gain may be asked before they are.
    """
    policy: dict[str, Any] = read_mapping(POLICY, "policy")
    asked = (None, *OWN[name]["suites"])
    policy["gates"] = [gate for gate in policy["gates"] if gate.get("suite") in asked]
    for gate in policy["gates"]:
        if name == "mutants-answers" and gate["kind"] == "benefit":
            gate["tier"] = "advisory"
    return policy


def write_study(study: Study, folder: Path) -> Path:
    """Write a study as a user would."""
    path = folder / f"{study.name}.yaml"
    written = study.model_dump(mode="json", exclude_defaults=True)
    path.write_text(yaml.safe_dump(written), encoding="utf-8")
    return path
