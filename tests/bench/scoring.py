"""`make bench-scoring`: log-likelihoods of options, ours beside lm-eval's own model (HFLM).

The same items, weights, dtype and cores. HFLM scores each option with its context anew, at the
fastest of a few batch sizes; ours computes once what the options of an item share, several items a
pass, and as the pipeline runs it in one single-threaded child per core. Loading is not counted.
Differences of log-likelihoods are taken in fp32: in bf16 another layout alone moves a sum by up to
1.2 nats.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path

import torch
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.models.huggingface import HFLM
from transformers import AutoTokenizer

from evals.suites import CHOICES, Item, Request
from evals.suites.artifact_model import ArtifactModel, load
from evals.suites.assignment import Assignment
from evals.suites.tokenizer import tokenizer_of
from variants.builders.artifact import build_artifact
from variants.catalogue import BASES
from variants.errors import MeasurementError
from variants.home import Home
from variants.kept.store import Store
from variants.running import isolation
from variants.sources import fetch
from variants.specs.spec import Base, Recipe

SUITES = ("continuation-choice", "tool-calling")
BATCH_SIZES = (8, 16, 32)  # 1 was never its fastest
SEED = 7
Scores = list[float]


def baseline(home: Home) -> Path:
    """Return the default base's artifact, built if it is not there."""
    source = fetch(next(iter(BASES.values())), home.sources)
    store = Store(home.store)
    return store.folder(build_artifact(store, source, Recipe(), home.sources).fingerprint)


def suite_files(home: Home) -> dict[str, str]:
    """Return the local copy of every file of the suites."""
    data = {address: pin for name in SUITES for address, pin in CHOICES[name].data.items()}
    return {
        address: str(fetch(Base(source=address, sha256=pin), home.sources).path)
        for address, pin in data.items()
    }


def score(model: LM, items: Sequence[Item]) -> tuple[float, Scores]:
    """Return the seconds it took, and the sum of every option, in nats."""
    pairs = [(item.context, option) for item in items for option in item.options]
    asked = [
        Instance(request_type="loglikelihood", doc={}, arguments=pair, idx=number)
        for number, pair in enumerate(pairs)
    ]
    began = time.monotonic()
    answers = model.loglikelihood(asked, disable_tqdm=True)
    return time.monotonic() - began, [total for total, _ in answers]


def hflm(folder: Path, dtype: torch.dtype, batch_size: int) -> LM:
    """Wrap the same weights in lm-eval's own model."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    return HFLM(
        pretrained=load(folder, dtype), tokenizer=tokenizer, batch_size=batch_size, device="cpu"
    )


def as_the_pipeline_does(folder: Path, files: dict[str, str], suite: str, num: int) -> float:
    """Score in one child per core, and return the seconds of the slowest, loading left out."""
    shards = isolation.threads()
    assignments = [
        Assignment(suite, "baseline", "artifact", num, SEED, files, shard=at, num_shards=shards)
        for at in range(shards)
    ]
    with ThreadPoolExecutor(shards) as pool:
        return max(pool.map(partial(_in_child, folder), assignments))


def _in_child(folder: Path, assignment: Assignment) -> float:
    arguments: dict[str, object] = {"folder": str(folder), "assignments": [asdict(assignment)]}
    (scored,) = isolation.run("evals.suites.scoring:score_artifact", arguments, MeasurementError, 1)
    return float(scored["seconds"])


def fastest(models: Iterator[tuple[int, LM]], items: Sequence[Item]) -> tuple[float, int]:
    """Return the seconds of the fastest batch size, and which it is."""
    return min((score(model, items)[0], size) for size, model in models)


def compare(folder: Path, files: dict[str, str], suite: str, num: int) -> None:
    """Print one suite's line."""
    items = CHOICES[suite].items(Request(num, SEED, tokenizer_of(folder), files))
    theirs_s, size = fastest(
        ((size, hflm(folder, torch.bfloat16, size)) for size in BATCH_SIZES), items
    )
    one_s, _ = score(ArtifactModel(folder), items)
    ours_s = as_the_pipeline_does(folder, files, suite, num)
    few = items[: max(1, num // 5)]
    _, theirs = score(hflm(folder, torch.float32, 8), few)
    _, ours = score(ArtifactModel(folder, in_fp32=True), few)
    furthest = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    print(
        f"{suite:<20} {len(items):>5} {len(items) / theirs_s:>9.2f} {size:>5} "
        f"{len(items) / one_s:>9.2f} {len(items) / ours_s:>9.2f} {theirs_s / one_s:>6.1f} "
        f"{theirs_s / ours_s:>6.1f} {furthest:>12.2e}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scoring", description=__doc__)
    parser.add_argument("--items", type=int, default=200, help="of each suite")
    asked = parser.parse_args()
    home = Home.from_environment()
    folder, files = baseline(home), suite_files(home)
    print(
        f"{'suite':<20} {'items':>5} {'HFLM /s':>9} {'batch':>5} {'ours /s':>9} {'all cores':>9} "
        f"{'ratio':>6} {'ratio':>6} {'nats in fp32':>12}"
    )
    for suite in SUITES:
        compare(folder, files, suite, asked.items)


if __name__ == "__main__":
    main()
