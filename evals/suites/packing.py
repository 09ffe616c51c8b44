"""Lay an item's options behind its context in one row, and rows of about one length in a batch.

An option sees its context and itself, never another option: a tree of one trunk, as in the tree
attention of SpecInfer (Miao et al., 2023). So a context is computed once, a batch is one forward
pass of large matrices, and the head is asked only where a token of an option is foretold. Rows end
together (padding stands before them), so those places are the last of every row.

Worked example: context 5 6, options 7 8 and 9 10 11. The last token of an option foretells nothing
and is left out: tokens 5 6 7 9 10, positions 0 1 2 2 3, parts 0 0 1 2 2. Logits are read from the
context's last token on: at 0 and 1 for 7 and 8, at 0, 2 and 3 for 9, 10 and 11.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

TokenItem = tuple[list[int], list[list[int]]]  # context, options
PADDING = -1  # a part of its own: no token sees it


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows for one forward pass. Shapes: B items, T tokens of the longest."""

    tokens_BT: NDArray[np.int64]
    positions_BT: NDArray[np.int64]
    sees_BTT: NDArray[np.bool_]  # whether a token (row) attends to another (column)
    num_read: int  # logits are needed of so many of the last tokens


def num_tokens(item: TokenItem) -> int:
    """Return the length of an item's row."""
    context, options = item
    return len(context) + sum(len(option) - 1 for option in options)


def places(options: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return where each token of each option is foretold, counted from the context's last token."""
    starts = accumulate((len(option) - 1 for option in options), initial=1)
    return [
        [0, *range(start, start + len(option) - 1)]
        for start, option in zip(starts, options, strict=False)
    ]


def num_read(item: TokenItem) -> int:
    """Return how many of an item's last tokens foretell one: the context's, and its options'."""
    return 1 + num_tokens(item) - len(item[0])


def pack(items: Sequence[TokenItem]) -> Batch:
    """Lay items side by side."""
    longest = max(map(num_tokens, items))
    shape = (len(items), longest)
    tokens_BT, positions_BT = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    parts_BT = np.full(shape, PADDING)
    for row, (context, options) in enumerate(items):
        start = longest - num_tokens((context, options))
        tokens_BT[row, start:] = [*context, *(one for option in options for one in option[:-1])]
        positions_BT[row, start:] = _positions(context, options)
        parts_BT[row, start:] = _parts(context, options)
    is_before_TT = np.tri(longest, dtype=np.bool_)
    is_near_BTT = parts_BT[:, :, None] == parts_BT[:, None, :]
    is_shared_B1T = parts_BT[:, None, :] == 0
    sees_BTT = is_before_TT & (is_near_BTT | is_shared_B1T)
    return Batch(tokens_BT, positions_BT, sees_BTT, max(map(num_read, items)))


def _positions(context: list[int], options: list[list[int]]) -> list[int]:
    start = len(context)
    tails = (range(start, start + len(option) - 1) for option in options)
    return [*range(start), *(position for tail in tails for position in tail)]


def _parts(context: list[int], options: list[list[int]]) -> list[int]:
    tails = ([number] * (len(option) - 1) for number, option in enumerate(options, start=1))
    return [0] * len(context) + [number for tail in tails for number in tail]


def batches(lengths: Sequence[int], max_tokens: int) -> Iterator[list[int]]:
    """Group items, the longest first, so that no batch has more tokens, padding included.

    One that is longer than that by itself is alone.
    """
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lambda number: -lengths[number]):
        if batch and lengths[batch[0]] * (len(batch) + 1) > max_tokens:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch
