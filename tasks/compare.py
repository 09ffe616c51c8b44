"""Compare artifacts in process: fidelity against the baseline, and reference log-probabilities."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from evals.results import Fidelity
from evals.suites.fidelity.reference import FACTS
from reports.kept.recorder import BASELINE
from tasks.run import Run
from variants.adapters import adapter_key
from variants.errors import MeasurementError
from variants.kept.durable import write_bytes
from variants.running.isolation import run as run_child

REFERENCE = "reference"
MEASURING = "evals.suites.fidelity.measuring"


@task(cache_policy=NO_CACHE, log_prints=True)
def write_reference(run: Run) -> None:
    """Compute the baseline's log-probabilities and the null arm, once per run."""
    folder = run.folder / REFERENCE
    if (folder / FACTS).exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    arguments: dict[str, object] = {"baseline": str(run.artifact(BASELINE)), "output": str(folder)}
    with run.timeline.stage("fidelity"):
        facts = run_child(f"{MEASURING}:write_reference", arguments, MeasurementError)
    print(f"baseline against itself (null arm): mean KL {facts['null_mean_kl']:.5f} nats")


@task(cache_policy=NO_CACHE, log_prints=True)
def compare(run: Run, variant: str) -> None:
    """Measure how far a variant's artifact lies from the baseline."""
    measure = partial(measure_artifact, run, run.artifact(variant))
    with run.timeline.stage("fidelity"):
        found = run.recorder.obtain(variant, "fidelity", measure)
    assert isinstance(found, Fidelity), "a step keeps its kind"
    print(
        f"{variant}: mean KL {found.mean_kl:.4f} nats (null {found.null_mean_kl:.4f}), "
        f"same top token {found.top1_agreement:.1%}, {found.num_positions} positions"
    )


def measure_artifact(run: Run, artifact: Path) -> Fidelity:
    """Measure the distance of a folder from the baseline."""
    arguments: dict[str, object] = {
        "artifact": str(artifact),
        "reference": str(run.folder / REFERENCE),
    }
    found = run_child(f"{MEASURING}:measure", arguments, MeasurementError)
    return Fidelity.model_validate(found)


def canary_reference(run: Run, variant: str) -> dict[str, Any]:
    """Return the canaries as transformers scores what a variant's requests ask for."""
    adapters = run.spec(variant).serving.adapters
    key = adapter_key(adapters[0], run.source.digest) if adapters else None
    return canary_scores(run, run.artifact(variant), run.store.folder(key) if key else None)


def canary_scores(run: Run, artifact: Path, adapter: Path | None) -> dict[str, Any]:
    """Score the canaries on an artifact, with an adapter or bare, once per run."""
    own = f"-{adapter.name}" if adapter else ""
    path = run.folder / REFERENCE / f"canaries-{artifact.name}{own}.json"
    if not path.exists():
        arguments: dict[str, object] = {"artifact": str(artifact)}
        if adapter is not None:
            arguments["adapter"] = str(adapter)
        scored = run_child("evals.suites.canaries:reference", arguments, MeasurementError)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, json.dumps(scored).encode())
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


def drop_reference(run: Run) -> None:
    """Remove the stored log-probabilities: a cache of this run, not evidence."""
    shutil.rmtree(run.folder / REFERENCE, ignore_errors=True)
