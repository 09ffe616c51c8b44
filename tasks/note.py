"""Note where and with what a run begins, so that its report can be told again from evidence."""

from collections.abc import Sequence
from datetime import UTC, datetime

from prefect import task
from prefect.cache_policies import NO_CACHE

from reports.kept.entries import Setting
from reports.kept.run_files import entries_of
from tasks.run import Run
from variants.builders.artifact import tool_versions
from variants.engines.environment import REQUIREMENTS
from variants.fingerprint import sha256_text
from variants.hardware import describe


@task(cache_policy=NO_CACHE)
def note(run: Run, commands: Sequence[str]) -> None:
    """File the setting once: a resumed run has the same machine and tools, or is refused."""
    if entries_of(run.home, run.name, Setting):
        return
    text = _setting(run, commands).model_dump_json()
    run.store.put_evidence(run.name, "study", "entry.setting", text)


def _setting(run: Run, commands: Sequence[str]) -> Setting:
    return Setting(
        study=run.study.name,
        run=run.name,
        at=datetime.now(UTC).isoformat(timespec="seconds"),
        hardware=describe(run.study.target),
        tools=tool_versions(),
        engines={path.stem: sha256_text(path.read_text()) for path in REQUIREMENTS.glob("*.txt")},
        commands=tuple(commands),
        policy=run.policy,
        base=run.study.base,
        target=run.study.target,
        service_class=run.study.service_class,
        price_per_device_hour=run.study.price_per_device_hour,
    )
