"""Lay an item's options behind its context as a tree, and trees of about one length in a batch.

A token sees its context and what comes before it in its own option, never another option; options
that begin alike share what they share, as in the token trees of SpecInfer (Miao et al., 2023). So
nothing is computed twice, a batch is one forward pass of large matrices, and the head is asked only
where a token of an option is foretold. Rows end together (padding stands before them), so those
places are the last of every row.

Worked example: context 5 6, options 7 8 9, 7 8 10 and 11 12. The last token of an option foretells
nothing and is left out: tokens 5 6 7 8 11, positions 0 1 2 3 2. Counted from the context's last
token, logits are read at 0 1 2 for 7 8 9, at 0 1 2 for 7 8 10, and at 0 3 for 11 12.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

TokenItem = tuple[list[int], list[list[int]]]  # context, options


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """One item. A token's parent is the index of the token before it (-1: none)."""

    context: list[int]
    options: list[list[int]]
    tokens: list[int]
    parents: list[int]
    places: list[list[int]]  # of each option's tokens: where it is foretold
    num_read: int  # the last so many tokens foretell one


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Rows for one forward pass. Shapes: B items, T tokens of the longest."""

    tokens_BT: NDArray[np.int64]
    positions_BT: NDArray[np.int64]
    sees_BTT: NDArray[np.bool_]  # whether a token (row) attends to another (column)
    num_read: int


def plant(item: TokenItem) -> Tree:
    """Make a tree of an item: the context is its trunk."""
    context, options = item
    last = len(context) - 1
    tokens, parents = list(context), list(range(-1, last))
    found: dict[tuple[int, int], int] = {}  # (parent, token) -> index
    places = []
    for option in options:
        path = [last]
        for token in option[:-1]:
            branch = (path[-1], token)
            if branch not in found:
                found[branch] = len(tokens)
                tokens.append(token)
                parents.append(path[-1])
            path.append(found[branch])
        places.append([index - last for index in path])
    return Tree(context, options, tokens, parents, places, len(tokens) - last)


def places_apart(options: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the places of options of which each stands by itself behind the context."""
    starts = accumulate((len(option) - 1 for option in options), initial=1)
    return [
        [0, *range(start, start + len(option) - 1)]
        for start, option in zip(starts, options, strict=False)
    ]


def pack(trees: Sequence[Tree]) -> Batch:
    """Lay trees side by side; padding sees itself alone, as a row of nothing has no softmax."""
    longest = max(len(tree.tokens) for tree in trees)
    shape = (len(trees), longest)
    tokens_BT, positions_BT = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    sees_BTT = np.tile(np.eye(longest, dtype=np.bool_), (len(trees), 1, 1))
    for row, tree in enumerate(trees):
        start = longest - len(tree.tokens)
        tokens_BT[row, start:] = tree.tokens
        _branch(tree, positions_BT[row, start:], sees_BTT[row, start:, start:])
    return Batch(tokens_BT, positions_BT, sees_BTT, max(tree.num_read for tree in trees))


def _branch(tree: Tree, positions_T: NDArray[np.int64], sees_TT: NDArray[np.bool_]) -> None:
    """Let every token see what its parent sees, and stand one position behind it."""
    for index, parent in enumerate(tree.parents):
        if parent >= 0:
            positions_T[index] = positions_T[parent] + 1
            sees_TT[index] |= sees_TT[parent]


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
