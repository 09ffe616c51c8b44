"""An adapter merged into the base's weights: W + scaling * B @ A, in fp32, stored as the base is.

Storing in bf16 rounds: an entry of size w keeps changes above w / 512 (8 bits of mantissa, halved
by rounding to nearest) and may lose smaller ones. How much of the change was lost is told, and the
identity stage asks whether the effect survived.

Example: w = .04 keeps 7.8e-5 and more; a change of 1e-5 per entry is lost in most of them.
"""

import shutil
from pathlib import Path
from typing import Any

from variants.adapters.audit import Ground, audit_adapter
from variants.adapters.files import SETTINGS, WEIGHTS
from variants.adapters.pairs import Pair, matrix, read_pairs
from variants.adapters.settings import Settings, read_settings
from variants.errors import RecipeError
from variants.kept.manifest import NAME as MANIFEST


def build(origin: str, output: str, adapter: str) -> dict[str, Any]:
    """Write the bf16 artifact in `origin` with a packaged adapter merged.

    Raises:
        RecipeError: the adapter does not fit this base, or leaves no trace in its weights.
    """
    folder, base = Path(adapter), Path(origin)
    # the licence was judged when it was packaged, with what the study says of it
    findings = [one for one in audit_adapter(folder, Ground(base)) if one.name != "licence"]
    if failed := [f"{one.name}: {one.reason}" for one in findings if not one.passed]:
        raise RecipeError(f"the adapter cannot be merged: {'; '.join(failed)}")
    settings, pairs = read_settings(folder / SETTINGS), read_pairs(folder / WEIGHTS)
    kept = _merge(base, Path(output), settings, pairs)
    for path in base.iterdir():
        if path.is_file() and path.suffix != ".safetensors" and path.name != MANIFEST:
            shutil.copyfile(path, Path(output) / path.name)
    if not kept:
        raise RecipeError(
            "the base's number format rounds the whole change away: merged, this adapter does "
            "nothing; serve it unmerged"
        )
    return {"note": f"adapter merged in {len(pairs)} layers; {kept:.1%} of its change is kept"}


def _merge(base: Path, output: Path, settings: Settings, pairs: tuple[Pair, ...]) -> float:
    """Return how much of the change the stored weights hold: its projection on the change asked."""
    import torch  # noqa: PLC0415  (adapter: heavy, child process only)
    from transformers import AutoModelForCausalLM  # noqa: PLC0415

    model = AutoModelForCausalLM.from_pretrained(base, dtype="auto")
    along = asked = 0.0
    with torch.no_grad():
        for pair in pairs:
            weight = model.get_submodule(pair.module).weight
            product = matrix(pair.up) @ matrix(pair.down) * settings.scaling(pair.module)
            change = torch.from_numpy(product).float()
            before = weight.to(torch.float32, copy=True)
            weight.copy_(before + change)
            along += float(((weight.float() - before) * change).sum())
            asked += float((change * change).sum())
    model.save_pretrained(output)
    return along / asked
