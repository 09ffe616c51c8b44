"""Cliffs for a model that cannot write a call yet: the likeliest of six calls, level by level.

Origin: BFCL version 4 (Apache-2.0); the wrong calls are those of `evals.suites.tool_calling`, made
of four functions that stand in the prompt. The six options are the same at every level, and have
one token length: only what stands before them changes. With tools as the axis, the first two levels
do not show all four yet, so a wrong call there may name a function that is not offered.

Example: gold `area(base=10, height=5)` against `weather(base=10, height=5)` and four more, with 4,
8, 16 and 32 tools offered, `area` and `weather` among them each time.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from evals.suites.bfcl import Row, addresses, rows
from evals.suites.cliffs.axes import BY_TOKENS, BY_TOOLS, BY_TURNS, NUM_OFFERED
from evals.suites.cliffs.axis import Axis, Backdrop, Function, Setting, item_id, num_bases
from evals.suites.cliffs.offered import is_brief, is_short, pool_of
from evals.suites.item import Item, Request, Suite, Tokenizer
from evals.suites.long_context.haystack import haystack_of
from evals.suites.tool_calling import NUM_WRONG, SYSTEM, corruptions, signature

ASIDE = "Here is a page of a manual.\n\n{}\n\nNow to something else. {}"


def items(axis: Axis, request: Request) -> tuple[Item, ...]:
    """Draw base items, and ask each at every level; a base item's levels come in a row."""
    found = rows(request.files)
    backdrop = Backdrop(pool_of(found), haystack_of(request.tokenizer))
    built = _bases(axis, backdrop, found, request)
    num = num_bases(request.num_items, axis.levels)
    return tuple(chain.from_iterable(islice(built, num)))


def asked(setting: Setting, question: str) -> str:
    """Put the prose of a setting before a question."""
    return ASIDE.format(setting.filler, question) if setting.filler else question


def _bases(
    axis: Axis, backdrop: Backdrop, found: list[Row], request: Request
) -> Iterator[list[Item]]:
    for row in random.Random(request.seed).sample(found, len(found)):
        called = next(one for one in row.functions if one["name"] == row.gold.function)
        if is_brief(row.question) and is_short(called):
            generator = random.Random(f"{request.seed} {row.id}")
            settings = axis.settings(called, backdrop, generator)
            options = _options(row, settings, request.tokenizer)
            if options:
                yield [_item(row, *one, options, request.tokenizer) for one in settings.items()]


def _options(row: Row, settings: dict[int, Setting], tokenizer: Tokenizer) -> tuple[str, ...]:
    """Give the gold call and five wrong ones; none where there are fewer."""
    shown: tuple[Function, ...] = next(
        one.tools for one in settings.values() if len(one.tools) >= NUM_OFFERED
    )
    wrong = corruptions(replace(row, functions=shown), tokenizer)
    if len(wrong) < NUM_WRONG:
        return ()
    return (row.gold.render(), *(call.render() for call in wrong))


def _item(
    row: Row, level: int, setting: Setting, options: tuple[str, ...], tokenizer: Tokenizer
) -> Item:
    system = SYSTEM + "\n".join(map(signature, setting.tools))
    context = tokenizer.render_chat(setting.messages(system, asked(setting, row.question)))
    return Item(item_id(row.id, level), row.gold.function, context, options, float(level))


def _suite(name: str, axis: Axis) -> Suite:
    return Suite(
        id=name,
        origin="BFCL v4, single-call Python categories, inside bfcl-eval 2026.3.23, among other "
        "tools, turns of our own and the standard library's prose",
        licence="Apache-2.0 and PSF-2.0",
        chance=1 / (1 + NUM_WRONG),
        cluster_key="function",
        rule="highest summed log-likelihood among options of equal token length; a tie is wrong",
        exercises="prefill",
        data=addresses(),
        items=partial(items, axis),
        axis=axis.title,
    )


TOOLS = _suite("cliff-tools", BY_TOOLS)
TURNS = _suite("cliff-turns", BY_TURNS)
CONTEXT = _suite("cliff-context", BY_TOKENS)
