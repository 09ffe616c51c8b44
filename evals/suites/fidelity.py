"""How far an artifact lies from the baseline: full-vocabulary KL, in process (child, torch).

Source: llama.cpp's `perplexity --kl-divergence` (KL, same-top share, perplexity ratio, per
position, teacher-forced), with a null arm: the baseline's weights computed in fp32, since bf16
arithmetic alone moves log-probabilities (another batch size did not on the CPU this was tried).
The baseline's log-probabilities are computed once and stored, so two models are never held
together.

Worked example: p = (.5, .5), q = (.25, .75): KL(p || q) = .5 ln 2 + .5 ln(2/3) = .144 nats.
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch

from evals.results import Fidelity
from evals.suites.artifact_model import load
from evals.suites.fidelity_table import figures_of
from evals.suites.token_rows import TokenRows
from evals.suites.tokenizer import tokenizer_of
from variants.durable import beside, require_space, write_bytes
from variants.errors import MeasurementError
from variants.prose import passages

DOCUMENTS = 16
TOKENS = 128  # 16 x 128 positions x 49,152 entries x 4 B = 403 MB for the default base
MOST_NATS = 20.0  # a ratio of 5e8 fails every gate; beyond some hundred it is no number
FACTS = "facts.json"
REFERENCE = "logprobs.npy"


def documents(folder: Path) -> list[list[int]]:
    """Take the first tokens of the longest passages of the evaluation half, one per topic."""
    tokenizer = tokenizer_of(folder)
    longest = sorted(passages("evaluation").items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return [tokenizer.encode(text)[: TOKENS + 1] for _, text in longest[:DOCUMENTS]]


def write_reference(baseline: str, output: str) -> dict[str, Any]:
    """Store the baseline's log-probabilities and the null arm's distance.

    Shapes: logprobs_PV, positions x vocabulary, fp32.
    """
    folder = Path(baseline)
    texts = documents(folder)
    reference_PV = _logprobs(load(folder), texts)
    null = _distance(_rows(reference_PV, _logprobs(load(folder, torch.float32), texts), texts))
    require_space(Path(output), reference_PV.nbytes, MeasurementError)
    with beside(Path(output) / REFERENCE) as stream:
        np.save(stream, reference_PV.numpy())
    facts = {"null_mean_kl": null["mean_kl"], "null_top1_agreement": null["top1_agreement"]}
    write_bytes(
        Path(output) / FACTS, json.dumps(facts).encode()
    )  # last: it marks a whole reference
    return facts


def measure(artifact: str, reference: str) -> dict[str, Any]:
    """Compare an artifact with the stored reference."""
    folder = Path(artifact)
    texts = documents(folder)
    reference_PV = torch.from_numpy(np.load(Path(reference) / REFERENCE, mmap_mode="r+"))
    variant_PV = _logprobs(load(folder), texts)
    facts = json.loads((Path(reference) / FACTS).read_text())
    finite = torch.isfinite(variant_PV).all(dim=1)
    if not bool(finite.any()):
        return _broken(len(finite), facts).model_dump(mode="json")
    rows = _rows(reference_PV[finite], variant_PV[finite], texts, finite)
    return Fidelity(
        num_positions=len(finite),
        num_documents=len(texts),
        num_nonfinite=int((~finite).sum()),
        figures=figures_of(rows),
        **_distance(rows),
        **facts,
    ).model_dump(mode="json")


def _broken(num_positions: int, facts: dict[str, float]) -> Fidelity:
    """Return the worst finite values: every position was non-finite."""
    return Fidelity(
        num_positions=num_positions, num_documents=DOCUMENTS, num_nonfinite=num_positions,
        mean_kl=1e9, p99_kl=1e9, max_kl=1e9, top1_agreement=0.0, perplexity_ratio=1e9, **facts,
    )  # fmt: skip


@torch.inference_mode()
def _logprobs(model: torch.nn.Module, texts: list[list[int]]) -> torch.Tensor:
    rows = (torch.tensor([text]) for text in texts)
    parts = [torch.log_softmax(model(row_1T).logits[:, :-1].float(), dim=-1) for row_1T in rows]
    return torch.cat(parts).flatten(0, 1)


def _rows(
    reference_PV: torch.Tensor,
    variant_PV: torch.Tensor,
    texts: list[list[int]],
    kept: torch.Tensor | None = None,
) -> TokenRows:
    """Look up every true token in both arms; all of it is prose, so every label is `prompt`."""
    is_kept = slice(None) if kept is None else kept
    targets_P = torch.tensor([token for text in texts for token in text[1:]])[is_kept, None]
    passages = [str(number) for number, text in enumerate(texts) for _ in text[1:]]
    passages_P = np.array(passages)[is_kept if kept is None else kept.numpy()]
    return TokenRows(
        baseline_logp_N=reference_PV.gather(1, targets_P)[:, 0].double().numpy(),
        variant_logp_N=variant_PV.gather(1, targets_P)[:, 0].double().numpy(),
        kl_N=_kl(reference_PV, variant_PV).double().numpy(),
        is_same_top_N=(reference_PV.argmax(-1) == variant_PV.argmax(-1)).numpy(),
        passages_N=passages_P,
        labels_N=np.full(len(passages_P), "prompt"),
    )


def _kl(reference_PV: torch.Tensor, variant_PV: torch.Tensor) -> torch.Tensor:
    return (reference_PV.exp() * (reference_PV - variant_PV)).sum(-1).clamp_min(0)


def _distance(rows: TokenRows) -> dict[str, float]:
    log_ratio_N = rows.baseline_logp_N - rows.variant_logp_N
    return {
        "mean_kl": float(rows.kl_N.mean()),
        "p99_kl": float(np.quantile(rows.kl_N, 0.99)),
        "max_kl": float(rows.kl_N.max()),
        "top1_agreement": float(rows.is_same_top_N.mean()),
        "perplexity_ratio": math.exp(min(float(log_ratio_N.mean()), MOST_NATS)),
    }
