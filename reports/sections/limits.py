"""What this result does not show: to be read before anybody relies on it."""

from collections.abc import Iterator

from evals.suites.naming import named
from reports.blocks import Block, Prose, Section
from reports.figures.drift import drift_words
from reports.view import View

# What a reader may take for tested -> suites of which one would do.
TOPICS = {
    "multiple choice and knowledge": ("continuation-choice", "mmlu"),
    "tool calls in writing": ("written-calls", "api-calls", "multi-turn-calls", "irrelevance"),
    "JSON": ("json-free", "json-constrained"),
    "instructions": ("instructions",),
    "safety": ("safety", "refusal-odds", "safety-canaries"),
    "over-refusal": ("over-refusal", "answer-odds"),
    "long contexts": ("long-context-needle", "long-context-pairs", "long-context-variables"),
}
TAIL = 0.99


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    return tuple(Prose(line) for line in _lines(view))


def _lines(view: View) -> Iterator[str]:
    if note := view.told.base.note:
        yield note
    if view.told.study.trusts_remote_code:
        yield "The engine was allowed to run Python code that came with the model."
    if drift := drift_words(view):
        yield drift
    yield _load(view)
    yield from _tails(view)
    yield from _untested(view)
    yield from _paths(view)


def _load(view: View) -> str:
    load = view.told.study.workload
    return (
        f"Speed is that of prompts of about {load.input_tokens:,} tokens and answers of "
        f"{load.output_tokens:,}, in {load.repeats} repeats of {load.window_s:g} s a cell; other "
        "lengths and hours of load were not measured, unless a cell's name says so."
    )


def _tails(view: View) -> Iterator[str]:
    told = view.told.distributions
    if told and not any(
        tail.value_ms is not None for one in told for tail in one.tails if tail.probability == TAIL
    ):
        yield "No cell has enough requests for a 99th percentile: rare slow answers are not known."


def _untested(view: View) -> Iterator[str]:
    asked = {suite.id for _, suite in named(view.told.study.suites)}
    topics = [topic for topic, suites in TOPICS.items() if asked.isdisjoint(suites)]
    if topics:
        yield f"Nothing was asked about {_listed(topics)}; the sections below name suites that do."


def _paths(view: View) -> Iterator[str]:
    """Say where two variants' answers were got in different ways."""
    scored: dict[str, list[str]] = {}
    for variant in view.variants:
        verdicts = variant.decision.verdicts if variant.decision else ()
        details = (row for one in verdicts if one.kind == "paired_accuracy" for row in one.details)
        for path in sorted({row.label for row in details if row.n is not None}):
            scored.setdefault(path, []).append(variant.name)
    if {"artifact", "engine"} <= scored.keys():
        yield (
            f"Answers of {_listed(scored['artifact'])} were scored in process, those of "
            f"{_listed(scored['engine'])} through the server: compare each with its baseline, not "
            "with one another."
        )


def _listed(names: list[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


SECTION = Section("limits", "Limits of this result", build)
