"""Write the folder: model, command, manifests, certificate, and how to check all of it.

To add a format: a function from a deployment to files and their texts, and a line in `FORMATS`.
"""

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from evals.results import EffectiveConfig, Memory, Result, StartUp
from reports.certificate.keys import PUBLIC, trusted_key
from reports.certificate.signed import read_signed
from reports.certificate.statement import Qualification
from reports.handoff.container import container_file, kubernetes, llm_d
from reports.handoff.deployment import Deployment
from reports.handoff.qualified import require_as_qualified
from reports.handoff.readme import readme
from reports.handoff.script import serve_script
from reports.handoff.triton import triton
from reports.kept.recorder import Recorder
from reports.kept.run_files import study_of
from variants.adapters import adapter_key
from variants.builders.draft import build_draft
from variants.errors import CertificateError
from variants.fingerprint import sha256_file
from variants.home import Home
from variants.kept.contents import list_files
from variants.kept.durable import require_space, sync_tree
from variants.kept.manifest import read_manifest
from variants.kept.store import Store

FORMATS: dict[str, Callable[[Deployment], dict[str, str]]] = {
    "this machine": serve_script,
    "a container": container_file,
    "Kubernetes": kubernetes,
    "llm-d": llm_d,
    "Triton": triton,
}
SUMS = "SHA256SUMS"
EXECUTABLE = 0o755


def hand_off(home: Home, run: str, to: Path) -> Path:
    """Write the folder of what a run promoted; whole or not at all.

    Raises:
        CertificateError: the run has no certificate that can be trusted, an artifact is not whole,
            or something is there already.
    """
    if to.exists() and any(to.iterdir()):
        raise CertificateError(f"{to} is not empty; name another folder with --to, or remove it")
    statement = read_signed(home.certificate(run), trusted_key(home.keys, None))
    bound = statement.predicate
    parts = _parts(home, bound)
    require_space(to, sum(_num_bytes(folder) for folder in parts.values()), CertificateError)
    to.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{to.name}-", dir=to.parent))
    try:
        deployment = _deployment(home, bound, parts)
        for name, folder in parts.items():
            shutil.copytree(folder, temporary / name)
        _write_texts(home, temporary, deployment)
        temporary.chmod(EXECUTABLE)
        sync_tree(temporary)
        if to.exists():
            to.rmdir()
        return temporary.rename(to)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _parts(home: Home, bound: Qualification) -> dict[str, Path]:
    """Find everything with weights, each verified: place in the folder -> where it lies."""
    store = Store(home.store)
    keys = {"model": bound.artifact}
    for adapter in bound.serving.adapters:
        keys[f"adapters/{adapter.name}"] = adapter_key(adapter, bound.base_digest)
    draft = build_draft(store, bound.serving.speculation, home.sources)
    if draft is not None:
        keys["draft"] = draft.fingerprint
    for name, key in keys.items():
        if problems := store.verify(key):
            raise CertificateError(f"{name} is not as it was qualified: {problems[0]}")
    return {name: store.folder(key) for name, key in keys.items()}


def _deployment(home: Home, bound: Qualification, parts: dict[str, Path]) -> Deployment:
    measured = _measured(home, bound)
    ranks = tuple(
        (one.name, int(str(read_manifest(parts[f"adapters/{one.name}"]).metadata["max_rank"])))
        for one in bound.serving.adapters
    )
    configs = [one for one in measured if isinstance(one, EffectiveConfig)]
    require_as_qualified(bound, parts, ranks, configs[0] if configs else None)
    peaks = [one.peak_process_bytes for one in measured if isinstance(one, Memory)]
    starts = [one.ready_s for one in measured if isinstance(one, StartUp)]
    return Deployment(
        bound=bound,
        model_bytes=_num_bytes(parts["model"]),
        peak_bytes=max((peak for peak in peaks if peak is not None), default=None),
        ready_s=max(starts, default=None),
        has_draft="draft" in parts,
        adapters=ranks,
    )


def _measured(home: Home, bound: Qualification) -> list[Result]:
    """Return what the variant's own arm has recorded."""
    recorder = Recorder(Store(home.store), study_of(home, bound.run), bound.run)
    return [
        record.payload
        for _, record in recorder.records()
        if record.variant == bound.variant and getattr(record.payload, "arm", "") == "variant"
    ]


def _num_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in list_files(folder))


def _write_texts(home: Home, folder: Path, deployment: Deployment) -> None:
    texts = {"requirements.txt": deployment.requirements, "README.md": readme(deployment)}
    for write in FORMATS.values():
        texts |= write(deployment)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "serve.sh").chmod(EXECUTABLE)
    run = deployment.bound.run
    shutil.copyfile(home.certificate(run), folder / "certificate.json")
    shutil.copyfile(home.keys / PUBLIC, folder / PUBLIC)
    shutil.copyfile(home.bill(run), folder / "bill.cdx.json")
    sums = (f"{sha256_file(path)}  {path.relative_to(folder)}\n" for path in list_files(folder))
    (folder / SUMS).write_text("".join(list(sums)), encoding="utf-8")
