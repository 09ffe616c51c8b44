"""The real path from stored evidence to a decision in the ledger, for inputs that are spoilt.

Evidence files -> store -> recorder -> ledger -> gates -> decision -> ledger; what is returned is
what the ledger says. Nothing between is called with made-up arguments.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from evals.gates import decide, load_policy, policy_sha256
from evals.gates.policy import FOLDER
from evals.results import SuiteResult
from evals.study import Study
from evals.study_file import variant_specs
from reports.kept.recorder import BASELINE, Recorder
from reports.ledger import Ledger
from tests.evals.gates.worked import STUDY, evidence
from variants.errors import QualificationError
from variants.kept.store import Store

RUN = "run-1"
VARIANT = "int4-w4a16-channel"
Text = dict[str, Any]


@dataclass
class Stored:
    """What lies on the disk when a variant is judged; a spoiler changes it."""

    policy: Text
    records: list[Text]
    is_bound: bool = True
    raw: list[tuple[str, str]] = field(default_factory=list)  # found -> put, in the files' text
    after: Callable[[Path], None] | None = None  # to the evidence folder, once written
    policy_after: Callable[[Text], None] | None = None  # to the policy, once the run is bound

    def payloads(self, kind: str, **where: Any) -> list[Text]:
        """Return the payloads of a kind whose fields have these values."""
        found = (record["payload"] for record in self.records)
        return [
            payload
            for payload in found
            if payload["kind"] == kind and all(payload[key] == v for key, v in where.items())
        ]

    def drop(self, kind: str, **where: Any) -> None:
        """Remove those payloads' records."""
        gone = self.payloads(kind, **where)
        self.records = [one for one in self.records if one["payload"] not in gone]

    def add(self, payload: Text, variant: str = VARIANT) -> None:
        """Record one payload more."""
        step = f"{payload['kind']}.{len(self.records)}"
        self.records.append(_record(variant, step, payload))

    def gate(self, id_: str) -> Text:
        """Return one gate of the policy."""
        found: Text = next(gate for gate in self.policy["gates"] if gate["id"] == id_)
        return found


@dataclass(frozen=True, slots=True)
class Found:
    """What came out, and why."""

    outcome: str
    reason: str


def healthy() -> Stored:
    """Return evidence of a good variant under `quick`: promoted as it stands."""
    policy = yaml.safe_load((FOLDER / "quick.yaml").read_text())
    records: list[Text] = []
    for at, record in enumerate(evidence().records):
        payload, variant = record.payload, VARIANT
        if isinstance(payload, SuiteResult):
            payload = payload.model_copy(update={"path": "artifact"})
            variant = BASELINE if payload.arm == "baseline" else VARIANT
        if payload.kind == "binding" or record.variant == BASELINE:
            variant = BASELINE
        step = payload.kind if variant == BASELINE and payload.kind != "suite" else f"step-{at}"
        records.append(_record(variant, step, payload.model_dump(mode="json")))
    return Stored(policy, records)


def _record(variant: str, step: str, payload: Text) -> Text:
    return {
        "study": STUDY.name,
        "run": RUN,
        "variant": variant,
        "step": step,
        "recorded_at": "2026-11-30T00:00:00+00:00",
        "payload": payload,
    }


def judge(stored: Stored, folder: Path) -> Found:
    """Write everything, judge it, and read the decision back from the ledger."""
    try:
        return _judge(stored, folder)
    except QualificationError as error:
        return Found("refused", str(error).split("\n")[0])


def _judge(stored: Stored, folder: Path) -> Found:
    file = folder / "policy.yaml"
    file.write_text(yaml.safe_dump(stored.policy))
    if stored.is_bound:
        for payload in stored.payloads("binding"):
            payload["policy_sha256"] = policy_sha256(load_policy(file))
    _write(stored, folder)
    if stored.policy_after:
        stored.policy_after(stored.policy)
        file.write_text(yaml.safe_dump(stored.policy))
    changed = {"policy": str(file), "variants": ("int4_w4a16_channel",), "base": BASE}
    study = Study.model_validate(STUDY.model_dump() | changed)
    recorder = Recorder(Store(folder / "store"), study, RUN)
    spec = variant_specs(study)[VARIANT]
    decision = decide(study, load_policy(file), recorder.evidence(spec, "up to 3B"))
    with Ledger(folder / "ledger.duckdb") as ledger:
        ledger.append(recorder.records())
        ledger.append_decision(decision)
        (row,) = ledger.query("SELECT outcome, reason FROM decisions")
    return Found(str(row["outcome"]), str(row["reason"]))


BASE = "smollm2-135m-instruct"


def _write(stored: Stored, folder: Path) -> None:
    store = Store(folder / "store")
    for record in stored.records:
        text = json.dumps(record)
        for found, put in stored.raw:
            text = text.replace(found, put)
        store.put_evidence(RUN, record["variant"], record["step"], text)
    if stored.after:
        stored.after(folder / "store" / "evidence" / RUN)
