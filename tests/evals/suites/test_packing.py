"""Rows worked by hand: context 5 6 with options 7 8 and 9 10 11."""

from evals.suites.packing import batches, num_read, num_tokens, pack, places

RAGGED = ([5, 6], [[7, 8], [9, 10, 11]])
SINGLE = ([1], [[2], [3]])


def test_a_row_leaves_out_what_foretells_nothing() -> None:
    batch = pack([RAGGED])
    assert batch.tokens_BT.tolist() == [[5, 6, 7, 9, 10]]
    assert batch.positions_BT.tolist() == [[0, 1, 2, 2, 3]]
    assert (num_tokens(RAGGED), num_read(RAGGED), batch.num_read) == (5, 4, 4)
    assert places(RAGGED[1]) == [[0, 1], [0, 2, 3]]


def test_an_option_sees_its_context_and_itself() -> None:
    (sees_TT,) = pack([RAGGED]).sees_BTT.astype(int).tolist()
    assert sees_TT == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],  # 7
        [1, 1, 0, 1, 0],  # 9, not 7
        [1, 1, 0, 1, 1],  # 10
    ]


def test_options_of_one_token_are_foretold_by_the_context_alone() -> None:
    assert (num_tokens(SINGLE), num_read(SINGLE)) == (1, 1)
    assert places(SINGLE[1]) == [[0], [0]]


def test_shorter_rows_end_with_the_longest_and_no_token_sees_padding() -> None:
    batch = pack([RAGGED, SINGLE])
    assert batch.tokens_BT[1].tolist() == [0, 0, 0, 0, 1]
    assert batch.sees_BTT[1, 4].tolist() == [False] * 4 + [True]
    assert batch.sees_BTT[1].any(axis=1).all()  # a row of nothing would be no number
    assert batch.num_read == 4


def test_batches_hold_so_many_tokens_with_padding() -> None:
    """Lengths 6 5 4 | 3 2: 3 x 6 = 18 fit into 18, a fourth would make 24."""
    assert list(batches([4, 2, 6, 3, 5], 18)) == [[2, 4, 0], [3, 1]]


def test_one_longer_than_a_batch_is_alone() -> None:
    assert list(batches([30, 9, 9], 18)) == [[0], [1, 2]]
    assert list(batches([3, 1], 0)) == [[0], [1]]
    assert list(batches([], 18)) == []
