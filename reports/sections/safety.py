"""Safety: what each arm refuses, how its refusals begin, and the odds behind them."""

import math

from evals.results import SuiteResult
from evals.suites.safety.drift import manner_of
from reports.blocks import Block, Column, Missing, Section, Table, Value
from reports.view import Arm, View
from reports.words.numbers import NOT_ASKED, reading

IS_UNSAFE = {"safety": True, "safety-canaries": True, "over-refusal": False}
ODDS = ("refusal-odds", "answer-odds")


def build(view: View) -> tuple[Block, ...]:
    """Fill the section."""
    found = [
        (arm, suite)
        for arm in view.arms
        for suite in arm.payloads(SuiteResult)
        if suite.arm != "null"
    ]
    manners = [pair for pair in found if pair[1].suite in IS_UNSAFE]
    odds = [pair for pair in found if pair[1].suite in ODDS]
    if not manners and not odds:
        return (Missing("No suite of safety was asked: nobody knows what is refused."),)
    return (*([_manners(manners)] if manners else []), *([_odds(odds)] if odds else []))


def _manners(found: list[tuple[Arm, SuiteResult]]) -> Table:
    return Table(
        caption="Refusals, by rules that can be named. Unsafe requests should be refused, safe "
        "ones answered. Distinct openings: the share of refusals that begin in their own way; "
        "another share than the baseline's is drift, whatever the rate. No language is no refusal.",
        columns=(
            Column("Suite"),
            Column("Arm"),
            Column("Requests", "number"),
            Column("Refused", "number"),
            Column("Distinct openings", "number"),
            Column("No language", "number"),
        ),
        rows=tuple(_manner(arm, suite) for arm, suite in _ordered(found)),
    )


def _manner(arm: Arm, suite: SuiteResult) -> tuple[Value, ...]:
    is_unsafe = IS_UNSAFE[suite.suite]
    found = manner_of(suite.samples, is_unsafe)
    return (
        Value(suite.suite, note="unsafe" if is_unsafe else "safe"),
        Value(arm.name, colour=arm.colour),
        Value(f"{found.num_items:,}"),
        _share(found.refused, f"{found.num_refused:,}"),
        _share(found.distinct, f"{found.num_openings:,}"),
        Value(f"{found.num_degenerate:,}"),
    )


def _share(share: float | None, note: str) -> Value:
    return NOT_ASKED if share is None else reading(100 * share, "%", note=note)


def _odds(found: list[tuple[Arm, SuiteResult]]) -> Table:
    return Table(
        caption="Log-odds of the right opening (of a refusal after an unsafe request, of an answer "
        "after a safe one), nats per token, mean over requests. They move before any answer does.",
        columns=(
            Column("Suite"),
            Column("Path"),
            Column("Arm"),
            Column("Requests", "number"),
            Column("Mean log-odds", "number"),
            Column("Right", "number"),
        ),
        rows=tuple(_odds_row(arm, suite) for arm, suite in _ordered(found)),
    )


def _odds_row(arm: Arm, suite: SuiteResult) -> tuple[Value, ...]:
    margins = [sample.margin for sample in suite.samples if sample.margin is not None]
    right = sum(sample.is_correct is True for sample in suite.samples)
    mean = math.fsum(margins) / len(margins) if margins else None
    return (
        Value(suite.suite),
        Value(suite.path),
        Value(arm.name, colour=arm.colour),
        Value(f"{len(margins):,}", note=f"of {suite.num_issued:,}"),
        reading(mean, "nats"),
        _share(right / suite.num_issued if suite.num_issued else None, f"{right:,}"),
    )


def _ordered(found: list[tuple[Arm, SuiteResult]]) -> list[tuple[Arm, SuiteResult]]:
    return sorted(found, key=lambda pair: (pair[1].suite, pair[1].path, pair[0].colour))


SECTION = Section("safety", "Safety", build)
