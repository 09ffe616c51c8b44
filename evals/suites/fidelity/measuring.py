"""How far an artifact lies from the baseline: full-vocabulary KL, in process (child, torch).

Source: llama.cpp's `perplexity --kl-divergence` (KL, same-top share, perplexity ratio, per
position, teacher-forced), with a null arm: the baseline's weights computed in fp32, since bf16
arithmetic alone moves log-probabilities (another batch size did not on the CPU this was tried).
The baseline's log-probabilities are computed once and stored, so two models are never held
together. The gate judges the screen's prose alone; roles and positions are told beside it, and a
token without a number counts wherever it stands.

Worked example: p = (.5, .5), q = (.25, .75): KL(p || q) = .5 ln 2 + .5 ln(2/3) = .144 nats.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from evals.results import Fidelity
from evals.suites.artifact_model import load
from evals.suites.fidelity.reference import FACTS
from evals.suites.fidelity.scores import (
    Places,
    Scores,
    joined,
    places_of,
    rows_where,
)
from evals.suites.fidelity.slices import buckets_of, capped_ratio, null_kls, slices_of
from evals.suites.fidelity.table import figures_of
from evals.suites.fidelity.texts import LONG_TOKENS, Text, digest_of, texts
from evals.suites.fidelity.token_rows import TokenRows
from evals.suites.tokenizer import tokenizer_of
from variants.errors import MeasurementError
from variants.kept.durable import beside, require_space, write_bytes

Facts = dict[str, Any]  # as stored: what the null arm gave, and which texts were read


def write_reference(baseline: str, output: str) -> Facts:
    """Store the baseline's log-probabilities, text by text, and the null arm's distance.

    Shapes: logprobs_PV, scored positions x vocabulary, fp32.
    """
    folder, stored = Path(baseline), Path(output)
    given = _store(folder, stored)
    places = places_of(given)
    null = _compare(load(folder, torch.float32), given, stored)
    by_name = null_kls(null, places)
    distance = _distance(rows_where(null, places, places.of("screen")))
    facts = {
        "null_mean_kl": distance["mean_kl"],
        "null_top1_agreement": distance["top1_agreement"],
        "null_kls": by_name,
        "texts_sha256": digest_of(given),
    }
    write_bytes(stored / FACTS, json.dumps(facts).encode())  # last: it marks a whole reference
    return facts


def measure(artifact: str, reference: str) -> dict[str, Any]:
    """Compare an artifact with the stored reference.

    Raises:
        MeasurementError: the artifact's tokenizer reads the texts in another way.
    """
    folder, stored = Path(artifact), Path(reference)
    facts = json.loads((stored / FACTS).read_text())
    model = load(folder)
    given = _texts(folder, model)
    if digest_of(given) != facts["texts_sha256"]:
        raise MeasurementError(
            f"{folder.name} reads the texts as other tokens than the baseline did; its tokenizer, "
            "chat template or context length differs: compare variants of one base"
        )
    scores = _compare(model, given, stored)
    return _fidelity(scores, places_of(given), facts).model_dump(mode="json")


def _texts(folder: Path, model: torch.nn.Module) -> tuple[Text, ...]:
    config: Any = model.config
    longest = getattr(config.get_text_config(), "max_position_embeddings", None)
    return texts(tokenizer_of(folder), longest or LONG_TOKENS)


def _store(folder: Path, stored: Path) -> tuple[Text, ...]:
    model = load(folder)
    given = _texts(folder, model)
    num_left = sum(len(text.positions) for text in given)
    for text in given:
        logprobs_PV = _logprobs(model, text).numpy()
        require_space(stored, num_left * logprobs_PV[0].nbytes, MeasurementError)
        with beside(_file(stored, text)) as stream:
            np.save(stream, logprobs_PV)
        num_left -= len(text.positions)
    return given


def _file(stored: Path, text: Text) -> Path:
    return stored / f"{text.passage}.npy"


def _compare(model: torch.nn.Module, given: tuple[Text, ...], stored: Path) -> Scores:
    """Compare text by text, so that one text's rows of the vocabulary are held at a time."""
    return joined(
        _scores(
            torch.from_numpy(np.load(_file(stored, text))),
            _logprobs(model, text),
            [text.tokens[position] for position in text.positions],
        )
        for text in given
    )


@torch.inference_mode()
def _logprobs(model: torch.nn.Module, text: Text) -> torch.Tensor:
    row_1T = torch.tensor([text.tokens])
    if len(text.positions) == len(text.tokens) - 1:
        logits_PV = model(row_1T).logits[0, :-1]
    else:
        before_P = torch.tensor(text.positions) - 1  # a token is foretold by the one before it
        logits_PV = model(row_1T, logits_to_keep=before_P).logits[0]
    return torch.log_softmax(logits_PV.float(), dim=-1)


def _scores(reference_PV: torch.Tensor, variant_PV: torch.Tensor, targets: Sequence[int]) -> Scores:
    """Look up every true token in both arms."""
    targets_P1 = torch.tensor(targets)[:, None]
    return Scores(
        baseline_logp_N=reference_PV.gather(1, targets_P1)[:, 0].double().numpy(),
        variant_logp_N=variant_PV.gather(1, targets_P1)[:, 0].double().numpy(),
        kl_N=_kl(reference_PV, variant_PV).double().numpy(),
        is_same_top_N=(reference_PV.argmax(-1) == variant_PV.argmax(-1)).numpy(),
        is_finite_N=torch.isfinite(variant_PV).all(dim=1).numpy(),
    )


def _kl(reference_PV: torch.Tensor, variant_PV: torch.Tensor) -> torch.Tensor:
    return (reference_PV.exp() * (reference_PV - variant_PV)).sum(-1).clamp_min(0)


def _fidelity(scores: Scores, places: Places, facts: Facts) -> Fidelity:
    is_screen_N = places.of("screen")
    rows = rows_where(scores, places, is_screen_N)
    return Fidelity(
        num_positions=int(is_screen_N.sum()),
        num_documents=len(set(places.passages_N[is_screen_N].tolist())),
        num_nonfinite=int((~scores.is_finite_N).sum()),
        figures=() if rows is None else figures_of(rows),
        slices=slices_of(scores, places, facts["null_kls"]),
        positions=buckets_of(scores, places, facts["null_kls"]),
        null_mean_kl=facts["null_mean_kl"],
        null_top1_agreement=facts["null_top1_agreement"],
        **_distance(rows),
    )


def _distance(rows: TokenRows | None) -> dict[str, float]:
    """Return what the gate judges; the worst finite values where no position has a number."""
    if rows is None:
        return {
            "mean_kl": 1e9, "p99_kl": 1e9, "max_kl": 1e9, "top1_agreement": 0.0,
            "perplexity_ratio": 1e9,
        }  # fmt: skip
    log_ratio_N = rows.baseline_logp_N - rows.variant_logp_N
    return {
        "mean_kl": float(rows.kl_N.mean()),
        "p99_kl": float(np.quantile(rows.kl_N, 0.99)),
        "max_kl": float(rows.kl_N.max()),
        "top1_agreement": float(rows.is_same_top_N.mean()),
        "perplexity_ratio": capped_ratio(float(log_ratio_N.mean())),
    }
