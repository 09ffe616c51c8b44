"""Run one suite through lm-eval and keep a paired record of every item.

lm-eval 0.4.13 builds the requests and holds the samples; its own means and errors are not used
(they are unpaired). No request cache (its key lacks the model), explicit seeds, offline.
"""

import contextvars
import io
import logging
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.results import Sample, SuiteResult
from evals.suites import Item, Tokenizer
from evals.suites.assignment import Assignment
from evals.suites.drawing import choice_suite_of, drawn_items
from evals.suites.item import Suite, items_sha256
from evals.suites.own_code import code_sha256
from evals.suites.packing import TokenItem
from evals.suites.tokenizer import tokenizer_of
from variants.audit.companions import companion_digests
from variants.errors import MeasurementError
from variants.fingerprint import fingerprint
from variants.kept.contents import digest_weights
from variants.running import isolation
from variants.running.progress import Progress, Tell, silent

if TYPE_CHECKING:
    from evals.suites.language_model import TokenScorer

SEED = 1234
logging.getLogger("lm_eval").setLevel(logging.ERROR)  # it warns of each default that is overridden


def score(
    assignment: Assignment, folder: Path, model: "TokenScorer", tell: Tell = silent
) -> SuiteResult:
    """Issue the suite's items, or a block or shard of them; every one is in the result."""
    suite, tokenizer = choice_suite_of(assignment), tokenizer_of(folder)
    drawn = drawn_items(assignment, folder)
    planned = drawn[: assignment.num_asked]
    if not planned:
        raise MeasurementError(f"{suite.id} draws no item here; ask for more, or shorter ones")
    block = planned[assignment.begin : assignment.end]
    items = block[assignment.shard :: assignment.num_shards]
    started = time.monotonic()
    model.on_answer = Progress(tell, f"{suite.id}, {assignment.words}: {{}} of {{}} items").at
    encoded = {item.id: encode(item, tokenizer) for item in items}
    sums = _loglikelihoods(suite, items, model)
    samples = tuple(_sample(item, sums[item.id], encoded[item.id], suite) for item in items)
    return SuiteResult(
        suite=suite.id,
        arm=assignment.arm,
        path=assignment.path,
        chance=suite.chance,
        num_issued=len(items),
        num_planned=len(planned),
        samples=samples,
        items_sha256=items_sha256(drawn),
        rule=suite.rule,
        cluster_key=suite.cluster_key,
        axis=suite.axis,
        weights_sha256=digest_weights(folder),
        conditions=companion_digests(folder) | {"scoring": code_sha256()},
        seconds=time.monotonic() - started,
        prompt_tokens=_num_scored(samples, encoded),
    )


def _loglikelihoods(
    suite: Suite, items: tuple[Item, ...], model: "TokenScorer"
) -> dict[str, list[float]]:
    """Return item id -> summed log-likelihood of each option, in nats (NaN: not answered)."""
    if not items:  # a shard of a suite with fewer items than cores
        return {}
    import lm_eval  # noqa: PLC0415  (seconds to load)
    from lm_eval.tasks import TaskManager  # noqa: PLC0415

    rows = [
        {"id": item.id, "context": item.context, "options": list(item.options), "gold": 0}
        for item in items
    ]
    evaluate = partial(
        lm_eval.simple_evaluate,
        model=model, tasks=[_task(suite, rows)],
        task_manager=TaskManager(include_defaults=False), num_fewshot=0,
        apply_chat_template=False, fewshot_as_multiturn=False, log_samples=True,
        bootstrap_iters=0, use_cache=None, cache_requests=False, random_seed=SEED,
        numpy_random_seed=SEED, torch_random_seed=SEED, fewshot_random_seed=SEED,
    )  # fmt: skip
    with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):  # its own chatter
        # In a context of its own: dill reads what `dis` prints, and a Prefect task catches prints.
        results = contextvars.Context().run(evaluate)
    samples: list[dict[str, Any]] = results["samples"][suite.id]
    return {row["doc"]["id"]: [float(answer[0][0]) for answer in row["resps"]] for row in samples}


def _task(suite: Suite, rows: list[dict[str, Any]]) -> dict[str, Any]:
    from datasets import Dataset  # noqa: PLC0415  (seconds to load)

    return {
        "task": suite.id,
        "custom_dataset": lambda **_: {"test": Dataset.from_list(rows)},
        "test_split": "test",
        "output_type": "multiple_choice",
        "doc_to_text": "context",
        "doc_to_choice": "options",
        "doc_to_target": "gold",
        "target_delimiter": "",
        "metric_list": [{"metric": "acc"}],
    }


def encode(item: Item, tokenizer: Tokenizer) -> TokenItem:
    """Return the token ids of an item's context and of its options."""
    return tokenizer.encode(item.context), [tokenizer.encode(option) for option in item.options]


def _sample(item: Item, sums: list[float], encoded: TokenItem, suite: Suite) -> Sample:
    """Choose by the suite's rule.

    Raises:
        MeasurementError: the rule compares sums, and the options have not the same length.
    """
    prompt, lengths = fingerprint(list(encoded)), [len(option) for option in encoded[1]]
    if not suite.per_token and len(set(lengths)) > 1:
        raise MeasurementError(
            f"item {item.id} of {suite.id} has options of {lengths} tokens, and the shortest would "
            "win by its length; draw them of one length, or let the suite compare per_token"
        )
    if not all(map(math.isfinite, sums)):
        return _unanswered(item, prompt)
    means = [total / length for total, length in zip(sums, lengths, strict=True)]
    best_wrong = max(means[1:])
    return Sample(
        item=item.id,
        cluster=item.cluster,
        level=item.level,
        prompt_sha256=prompt,
        is_correct=means[0] > best_wrong,
        margin=means[0] - best_wrong,
        choice=means.index(max(means)),
    )


def _unanswered(item: Item, prompt: str) -> Sample:
    return Sample(
        item=item.id,
        cluster=item.cluster,
        level=item.level,
        prompt_sha256=prompt,
        is_correct=None,
    )


def _num_scored(samples: Sequence[Sample], encoded: Mapping[str, TokenItem]) -> int:
    """Count what the answered items asked: a context once for each of its options."""
    answered = (encoded[sample.item] for sample in samples if sample.is_correct is not None)
    return sum(len(context) + len(option) for context, options in answered for option in options)


def score_artifact(folder: str, assignments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Score an artifact in this process (called through `variants.running.isolation`)."""
    from evals.suites.artifact_model import ArtifactModel  # noqa: PLC0415  (torch, child only)

    asked = [Assignment(**fields) for fields in assignments]
    (is_null,) = {assignment.arm == "null" for assignment in asked}
    model = ArtifactModel(Path(folder), in_fp32=is_null)  # harmless: other rounding, same weights
    results = (score(assignment, Path(folder), model, isolation.say) for assignment in asked)
    return [result.model_dump(mode="json") for result in results]
