"""Can a way of serving be measured here at all? Looked at before anything is built.

What would cost device hours and then say nothing is refused with the remedy: graphs on a processor
that captures none, prediction layers that the base does not have, and speculation that no suite
could find out, for it only shows in what is written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.results import Check
from variants.hardware import Target
from variants.specs.spec import Serving

LAYER_NAMES = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a way of serving meets: the target, the base's config.json, the suites in writing."""

    target: Target
    config: Mapping[str, object]
    written_suites: tuple[str, ...]
    draft_config: Mapping[str, object] | None = None  # of the draft, where one was made


def check_serving(serving: Serving, here: Circumstances) -> list[Check]:
    """Refuse what cannot run or cannot be judged; one look per thing that was asked."""
    checks: list[Check] = []
    if serving.compilation is not None and serving.compilation.graph_sizes:
        checks.append(_graphs(here))
    if serving.speculation is not None:
        checks += [_suites(here), *_drafts(serving, here)]
    return checks


def _graphs(here: Circumstances) -> Check:
    reason = "graphs of the sizes asked are captured on the GPU"
    if here.target == "cpu":
        reason = (
            "graphs are captured on GPUs alone, the target is cpu; leave out graph_sizes, or "
            "set target: cuda"
        )
    return _check("graph-sizes", here.target != "cpu", reason)


def _suites(here: Circumstances) -> Check:
    if here.written_suites:
        reason = f"what speculation writes is judged by {', '.join(here.written_suites)}"
        return _check("speculation-suites", True, reason)
    return _check(
        "speculation-suites",
        False,
        "speculation shows in nothing but written answers, and no suite of the study is answered "
        "in writing; add one, for instance short-answers",
    )


def _drafts(serving: Serving, here: Circumstances) -> Iterable[Check]:
    assert serving.speculation is not None, "asked of speculation alone"
    method = serving.speculation.method
    if method == "mtp":
        num = max((_number(here.config.get(name)) for name in LAYER_NAMES), default=0)
        told = f"the base brings {num} prediction layers"
        wrong = (
            "config.json names no prediction layers, so there is nothing to draft with; use "
            "ngram_speculation, or a base that was trained with them"
        )
        yield _check("speculation-draft", num > 0, told if num else wrong)
    if method == "draft_model" and here.draft_config is not None:
        ours, theirs = (_number(one.get("vocab_size")) for one in (here.config, here.draft_config))
        told = f"the draft has a vocabulary of {theirs:,}, the base one of {ours:,}"
        wrong = f"{told}: its tokens mean something else; use a draft of the same tokenizer"
        yield _check("speculation-draft", ours == theirs, told if ours == theirs else wrong)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _check(name: str, passed: bool, reason: str) -> Check:
    return Check(stage="plan", name=name, passed=passed, reason=reason)
