"""The bill of materials of what was promoted: CycloneDX 1.6, for tools that keep inventories.

One machine-learning model as the subject, with the base as its ancestor, the files with their
digests, the calibration texts as a dataset, and the engine and libraries that made and serve it.

Source: cyclonedx.org/docs/1.6/json, and its capability page on ML-BOM.
"""

import json
import uuid
from collections.abc import Iterator

from reports.certificate.statement import Qualification, Statement

Part = dict[str, object]
SPECIFICATION = "1.6"


def bill_text(statement: Statement) -> str:
    """Return the bill as JSON, the same text for the same statement."""
    return json.dumps(bill_of(statement), indent=1, ensure_ascii=False) + "\n"


def bill_of(statement: Statement) -> Part:
    """Return the bill of a statement."""
    bound = statement.predicate
    name = uuid.uuid5(uuid.NAMESPACE_URL, f"{bound.run}/{bound.manifest_sha256}")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "serialNumber": f"urn:uuid:{name}",
        "version": 1,
        "metadata": {"timestamp": bound.issued_at.isoformat(), "component": _model(bound)},
        "components": [*_files(statement), *_software(bound)],
    }


def _model(bound: Qualification) -> Part:
    return {
        "type": "machine-learning-model",
        "bom-ref": bound.artifact,
        "name": bound.variant,
        "version": bound.artifact,
        "hashes": [_sha256(bound.manifest_sha256)],
        "pedigree": {"ancestors": [_base(bound)], "notes": f"study {bound.study}, run {bound.run}"},
        "modelCard": _card(bound),
        "properties": [
            {"name": "touchstone:channel", "value": bound.channel},
            {"name": "touchstone:policy", "value": f"{bound.policy} {bound.policy_sha256}"},
            {"name": "touchstone:decision", "value": bound.decision_sha256},
            {"name": "touchstone:expires", "value": bound.expires_at.isoformat()},
        ],
    }


def _base(bound: Qualification) -> Part:
    base: Part = {"type": "machine-learning-model", "name": bound.base}
    is_sha256 = len(bound.base_digest) == 64
    return base | ({"hashes": [_sha256(bound.base_digest)]} if is_sha256 else {})


def _card(bound: Qualification) -> Part:
    card: Part = {}
    if bound.calibration_sha256 is not None:
        calibration = bound.recipe.calibration
        texts = {
            "type": "dataset",
            "name": f"calibration {calibration.corpus if calibration else 'of its maker'}",
            "description": f"sha256 {bound.calibration_sha256}",
        }
        card["modelParameters"] = {"datasets": [texts]}
    if bound.gain is not None:
        ends = {"lowerBound": repr(bound.gain.lower), "upperBound": repr(bound.gain.upper)}
        gain = {
            "type": f"gain in {bound.gain.metric} over the baseline, relative",
            "value": repr(bound.gain.estimate),
            "slice": bound.gain.cell,
            "confidenceInterval": ends,
        }
        card["quantitativeAnalysis"] = {"performanceMetrics": [gain]}
    return card


def _files(statement: Statement) -> Iterator[Part]:
    for one in statement.subject:
        yield {"type": "file", "name": one.name, "hashes": [_sha256(one.digest.sha256)]}


def _software(bound: Qualification) -> Iterator[Part]:
    yield {
        "type": "application",
        "name": bound.engine,
        "version": bound.engine_version,
        "description": f"serves it; packages {bound.engine_list} {bound.engine_list_sha256}",
    }
    for name, version in sorted(bound.tools.items()):
        yield {"type": "library", "name": name, "version": version,
               "purl": f"pkg:pypi/{name}@{version}"}  # fmt: skip


def _sha256(digest: str) -> Part:
    return {"alg": "SHA-256", "content": digest}
