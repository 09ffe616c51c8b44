"""A home in which the made-up study promoted a variant whose artifact really lies in the store."""

from pathlib import Path

from evals.gates import load_policy, policy_sha256
from tests.reports import judged, past
from variants.engines.environment import REQUIREMENTS
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


def make(root: Path) -> Home:
    """Leave what a run leaves that promoted `compiled` on this machine."""
    home = Home(root)
    past.file_measurements(home, RUN)
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
