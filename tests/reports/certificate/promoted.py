"""A home in which the made-up study promoted a variant whose artifact really lies in the store."""

from pathlib import Path

from evals.gates import load_policy, policy_sha256
from evals.results import EffectiveConfig, Record
from evals.study_file import variant_specs
from tests.reports import fixture, judged, past
from variants.engines.adapter import Launch
from variants.engines.environment import REQUIREMENTS
from variants.engines.vllm import Vllm
from variants.fingerprint import sha256_text
from variants.hardware import describe
from variants.home import Home
from variants.kept.store import Store

RUN, ARTIFACT = past.FIRST, "0123456789abcdef"
WEIGHTS = "model.safetensors"


def write_artifact(folder: Path) -> dict[str, object]:
    (folder / WEIGHTS).write_bytes(b"weights")
    (folder / "config.json").write_text("{}")
    return {}


def write_command(home: Home, *further: str) -> None:
    """Record the command that served it, in place of the made-up study's."""
    evidence = home.store / "evidence" / RUN / "compiled"
    serving = variant_specs(fixture.study())["compiled"].serving
    launch = Launch(Store(home.store).folder(ARTIFACT), serving, 8123, home.caches / "x")
    for path in evidence.glob("config*.json"):
        record = Record.model_validate_json(path.read_text())
        assert isinstance(record.payload, EffectiveConfig)
        command = (*Vllm().command(Path("/engines/bin/python"), launch), *further)
        payload = record.payload.model_copy(update={"command": command})
        path.unlink()
        text = record.model_copy(update={"payload": payload}).model_dump_json()
        Store(home.store).put_evidence(RUN, "compiled", record.step, text)


def make(root: Path) -> Home:
    """Leave what a run leaves that promoted `compiled` on this machine."""
    home = Home(root)
    past.file_measurements(home, RUN)
    write_command(home)
    Store(home.store).build(ARTIFACT, write_artifact)
    decision = next(one for one in past.decisions(RUN) if one.variant == "compiled")
    bound = decision.model_copy(
        update={"policy": "quick", "policy_sha256": policy_sha256(load_policy("quick"))}
    )
    past.file_entry(home, RUN, "compiled", "entry.decision", bound)
    lists = {path.stem: sha256_text(path.read_text()) for path in REQUIREMENTS.glob("*.txt")}
    setting = past.setting(RUN).model_copy(update={"engines": lists, "hardware": describe("cpu")})
    past.file_entry(home, RUN, "study", "entry.setting", setting)
    moved = judged.PROMOTION.model_copy(
        update={"run": RUN, "channel": str(past.CHANNEL), "fingerprint": ARTIFACT}
    )
    past.file_entry(home, RUN, "compiled", "entry.promotion", moved)
    return home
