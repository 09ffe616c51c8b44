"""Rows worked by hand: context 5 6 with options 7 8 9, 7 8 10 and 11 12."""

from evals.suites.packing import batches, pack, places_apart, plant

ALIKE = ([5, 6], [[7, 8, 9], [7, 8, 10], [11, 12]])
SINGLE = ([1], [[2], [3]])


def test_what_options_begin_with_alike_stands_once() -> None:
    tree, batch = plant(ALIKE), pack([plant(ALIKE)])
    assert batch.tokens_BT.tolist() == [[5, 6, 7, 8, 11]]
    assert batch.positions_BT.tolist() == [[0, 1, 2, 3, 2]]
    assert tree.places == [[0, 1, 2], [0, 1, 2], [0, 3]]
    assert tree.num_read == batch.num_read == 4  # from 6 on


def test_a_token_sees_its_context_and_what_is_before_it_in_its_option() -> None:
    (sees_TT,) = pack([plant(ALIKE)]).sees_BTT.astype(int).tolist()
    assert sees_TT == [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],  # 7
        [1, 1, 1, 1, 0],  # 8
        [1, 1, 0, 0, 1],  # 11, neither 7 nor 8
    ]


def test_the_same_token_after_another_is_another() -> None:
    """Options 7 8 1 and 8 8 1: the 8 behind 7 is not the 8 behind 8."""
    tree = plant(([5], [[7, 8, 1], [8, 8, 1]]))
    assert tree.tokens == [5, 7, 8, 8, 8]
    assert tree.parents == [-1, 0, 1, 0, 3]
    assert tree.places == [[0, 1, 2], [0, 3, 4]]


def test_options_of_one_token_are_foretold_by_the_context_alone() -> None:
    tree = plant(SINGLE)
    assert (tree.tokens, tree.places, tree.num_read) == ([1], [[0], [0]], 1)


def test_options_apart_follow_one_another() -> None:
    assert places_apart([[7, 8], [9, 10, 11], [7]]) == [[0, 1], [0, 2, 3], [0]]


def test_shorter_rows_end_with_the_longest_and_padding_is_not_seen() -> None:
    batch = pack([plant(ALIKE), plant(SINGLE)])
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
