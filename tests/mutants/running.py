"""Take one study through the pipeline, and read its decisions back from the store."""

from pathlib import Path

from evals.gates import Decision
from variants.home import Home
from variants.kept.store import Store


def run_study(path: Path, home: Home) -> str:
    """Qualify a study's variants, and return the run's name."""
    from flows.qualify import qualify  # after the environment is set: Prefect reads it on import

    before = _runs(home)
    qualify(str(path))
    (name,) = _runs(home) - before
    return name


def _runs(home: Home) -> set[str]:
    return {folder.name for folder in home.run("any").parent.glob("*")}


def decisions_of(run: str, home: Home) -> dict[str, Decision]:
    """Return the decision on each variant of a run."""
    files = [one for one in Store(home.store).evidence(run) if one.step == "entry.decision"]
    return {one.variant: Decision.model_validate_json(one.text or "") for one in files}
