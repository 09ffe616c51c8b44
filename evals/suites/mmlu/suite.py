"""MMLU by letter: four lettered options are shown, and the model says which one is right.

Origin: `evals.suites.mmlu.rows`. A question and its translations are one cluster: who loses it in
one language tends to lose it in the others. Questions of more than 512 tokens are left out; that is
mostly Thai and Hindi where a tokenizer spends a token on each byte.

Example: with gold C the options of the item are `C`, `A`, `B`, `D`, and the prompt shows the texts
of A to D in their own order.
"""

from functools import cache

from evals.suites.item import Item, Request, Suite, Tokenizer, draw_items
from evals.suites.mmlu.rows import LETTERS, Row, package_folder, read_rows

MAX_CONTEXT_TOKENS = 512
ASKED = "Answer with the letter of the right option: A, B, C or D."


def items(request: Request) -> tuple[Item, ...]:
    """Render every question that fits, and draw.

    Raises:
        MeasurementError: the installed lm-eval is missing, or another one.
    """
    built = (_item(row, request.tokenizer) for row in _all_rows())
    return draw_items([item for item in built if item is not None], request)


@cache
def _all_rows() -> tuple[Row, ...]:
    return read_rows(package_folder())


def _item(row: Row, tokenizer: Tokenizer) -> Item | None:
    shown = "\n".join(
        f"{letter}. {text}" for letter, text in zip(LETTERS, row.options, strict=True)
    )
    words = f"{row.question}\n\n{shown}\n\n{ASKED}"
    context = tokenizer.render_chat([{"role": "user", "content": words}])
    if len(tokenizer.encode(context)) > MAX_CONTEXT_TOKENS:
        return None
    options = (row.gold, *LETTERS.replace(row.gold, ""))
    return Item(f"{row.language}/{row.cluster}", row.cluster, context, options)


SUITE = Suite(
    id="mmlu",
    origin="MMLU development questions in eight languages, inside lm-eval 0.4.13",
    licence="MIT",
    chance=1 / len(LETTERS),
    cluster_key="question, whatever its language",
    rule="highest log-likelihood among the four letters; a tie is wrong",
    exercises="prefill",
    data={},
    items=items,
)
