"""Issue a run's certificate from what it has left: evidence, decision, promotion and artifact."""

from datetime import datetime, timedelta
from typing import TypeVar

from evals.gates.decision import Decision
from evals.results import Artifact, Binding, Result
from evals.study import Study, study_sha256
from evals.study_file import baseline_spec, variant_specs
from reports.certificate.bill import bill_text
from reports.certificate.keys import signing_key
from reports.certificate.signed import sign
from reports.certificate.statement import Digest, Qualification, Statement, Subject
from reports.kept.entries import Promotion, Setting
from reports.kept.recorder import BASELINE, Recorder
from reports.kept.run_files import decisions_of, last_of, study_of
from variants.engines.adapter import EngineAdapter
from variants.engines.adapters import ADAPTERS
from variants.errors import CertificateError
from variants.fingerprint import sha256_text
from variants.home import Home
from variants.kept.durable import write_bytes
from variants.kept.manifest import Manifest
from variants.kept.store import Store

PayloadT = TypeVar("PayloadT", bound=Result)
VALID = timedelta(days=90)  # an engine has a release a month, and its CVEs: three may pass


def issue(home: Home, run: str, at: datetime, valid: timedelta = VALID) -> Statement:
    """Certify what a run promoted, and keep it with its bill of materials: `certificates/RUN.json`.

    Raises:
        CertificateError: the run promoted nothing, or what it promoted is not whole any more.
        LedgerError: no such run.
    """
    study, promotion = study_of(home, run), last_of(home, run, Promotion)
    if promotion is None or promotion.action not in ("move", "confirm"):
        raise CertificateError(f"run {run!r} promoted nothing: there is nothing to certify")
    manifest = Store(home.store).find(promotion.fingerprint)
    if manifest is None:
        raise CertificateError(
            f"artifact {promotion.fingerprint} of {promotion.variant} is not whole; run the study "
            "again to rebuild and qualify it"
        )
    statement = Statement(
        subject=tuple(
            Subject(name=name, digest=Digest(sha256=entry.sha256))
            for name, entry in sorted(manifest.files.items())
        ),
        predicate=_qualification(home, study, promotion, manifest, (at, at + valid)),
    )
    write_bytes(home.bill(run), bill_text(statement).encode())
    write_bytes(home.certificate(run), sign(statement, signing_key(home.keys)).encode())
    return statement


def _qualification(
    home: Home,
    study: Study,
    promotion: Promotion,
    manifest: Manifest,
    span: tuple[datetime, datetime],
) -> Qualification:
    decision, setting, binding = _bound(home, study, promotion)
    made = _last(Recorder(Store(home.store), study, promotion.run), promotion.variant, Artifact)
    spec = variant_specs(study)[promotion.variant]
    return Qualification.model_validate(
        {
            "channel": promotion.channel,
            "study": study.name,
            "study_digest": study_sha256(study),
            "run": promotion.run,
            "variant": promotion.variant,
            "base": baseline_spec(study).base.source,
            "base_digest": binding.base,
            "policy_source": study.policy,
            "artifact": manifest.fingerprint,
            "manifest_sha256": manifest.sha256,
            "recipe": spec.recipe,
            "calibration_sha256": made.calibration_sha256 if made else None,
            "serving": spec.serving,
            "issued_at": span[0],
            "expires_at": span[1],
        }
        | _ground(ADAPTERS[spec.serving.engine], setting)
        | _judgement(decision)
    )


def _ground(adapter: EngineAdapter, setting: Setting) -> dict[str, object]:
    """Say on which engine and machine it was measured."""
    listed = adapter.packages(setting.hardware.target)
    return {
        "engine": adapter.name,
        "engine_version": adapter.version,
        "engine_list": listed,
        "engine_list_sha256": setting.engines[listed],
        "tools": setting.tools,
        "hardware": setting.hardware,
    }


def _judgement(decision: Decision) -> dict[str, object]:
    """Say by what it was judged, and how it came out."""
    return {
        "policy": decision.policy,
        "policy_sha256": decision.policy_sha256,
        "decision_sha256": sha256_text(decision.model_dump_json()),
        "evidence_sha256": decision.evidence_sha256,
        "margin": decision.margin,
        "gain": decision.gains[0] if decision.gains else None,
        "cells": decision.cells,
        "waived": tuple(f"{one.gate} by {one.who}" for one in decision.waivers),
    }


def _bound(home: Home, study: Study, promotion: Promotion) -> tuple[Decision, Setting, Binding]:
    """Return what the promotion rests on.

    Raises:
        CertificateError: the run left no decision, setting or binding to bind.
    """
    run = promotion.run
    decision = decisions_of(home, run).get(promotion.variant)
    setting = last_of(home, run, Setting)
    recorder = Recorder(Store(home.store), study, run)
    binding = _last(recorder, BASELINE, Binding)
    if decision is None or setting is None or binding is None:
        raise CertificateError(
            f"run {run!r} was begun by an earlier version, which did not write down where it ran; "
            "run the study again to certify it"
        )
    return decision, setting, binding


def _last(recorder: Recorder, variant: str, kind: type[PayloadT]) -> PayloadT | None:
    """Return the payload of one kind that a variant recorded last."""
    found = [
        record.payload
        for _, record in recorder.records()
        if record.variant == variant and isinstance(record.payload, kind)
    ]
    return found[-1] if found else None
