"""What is here now, to be compared with what a certificate binds; nothing is fetched."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from evals.gates.policy import load_policy, policy_sha256
from reports.certificate.changes import Present
from reports.certificate.statement import Statement
from variants.engines.adapters import ADAPTERS
from variants.engines.environment import REQUIREMENTS
from variants.errors import StudyError
from variants.fingerprint import sha256_file, sha256_text
from variants.hardware import describe
from variants.kept.contents import list_files
from variants.kept.manifest import NAME


def present_of(statement: Statement, artifact: Path, at: datetime, is_here: bool = True) -> Present:
    """Look at the files and, where it `is_here` that it serves, at policy, engine and machine."""
    bound = statement.predicate
    files = tuple(_problems(statement, artifact))
    if not is_here:
        return Present(at=at, files=files)
    adapter = ADAPTERS.get(bound.engine)
    return Present(
        at=at,
        files=files,
        policy_sha256=_policy(bound.policy_source),
        engine_version=adapter.version if adapter else "",
        engine_list_sha256=_list(bound.engine_list),
        hardware=describe(bound.hardware.target),
    )


def _problems(statement: Statement, folder: Path) -> Iterator[str]:
    """Compare the folder's files with the subjects."""
    if not folder.is_dir():
        yield f"its folder {folder} is not here"
        return
    bound = {one.name: one.digest.sha256 for one in statement.subject}
    found = {path.relative_to(folder).as_posix(): path for path in list_files(folder)}
    for name in sorted(bound.keys() - found.keys()):
        yield f"{name} is missing"
    for name in sorted(found.keys() - bound.keys() - {NAME}):
        yield f"{name} was not there when it was qualified"
    for name in sorted(bound.keys() & found.keys()):
        if sha256_file(found[name]) != bound[name]:
            yield f"{name} is not the file that was qualified"


def _policy(name: str) -> str:
    try:
        return policy_sha256(load_policy(name))
    except StudyError:
        return ""


def _list(name: str) -> str:
    path = REQUIREMENTS / f"{name}.txt"
    inside = path.parent == REQUIREMENTS and path.is_file()
    return sha256_text(path.read_text(encoding="utf-8")) if inside else ""
