import pytest

from evals.suites.continuation_choice import CONTEXT_TOKENS, OPTION_TOKENS, SUITE, _cuts
from evals.suites.item import Item, Request, Tokenizer, items_sha256
from tests.evals.suites.toy import CharacterTokenizer, WordTokenizer
from variants.prose import passages

WORDS = WordTokenizer()


def drawn(num_items: int, seed: int = 3, tokenizer: Tokenizer = WORDS) -> tuple[Item, ...]:
    return SUITE.items(Request(num_items, seed, tokenizer))


@pytest.mark.parametrize("tokenizer", [WORDS, CharacterTokenizer()])
def test_all_options_of_every_item_have_one_length_and_none_is_twice(tokenizer: Tokenizer) -> None:
    items = drawn(10**6, tokenizer=tokenizer)
    for item in items:
        lengths = [len(tokenizer.encode(option)) for option in item.options]
        assert lengths == [OPTION_TOKENS] * 4, item
        assert len(set(item.options)) == 4
        assert len(tokenizer.encode(item.context)) >= CONTEXT_TOKENS
    assert len({item.id for item in items}) == len(items)


def test_a_passage_that_ends_inside_an_option_gives_no_item() -> None:
    text = "a" * 65 + " bcdefg"  # the word runs over the cut; 7 tokens are left for an option
    assert _cuts(text, CharacterTokenizer()) == []


def test_gold_is_first_and_follows_the_context_in_its_topic() -> None:
    texts = passages("evaluation")
    for item in drawn(200):
        assert item.context + item.options[0] in " " + texts[item.cluster]
        assert all(item.context + wrong not in texts[item.cluster] for wrong in item.options[1:])


def test_a_draw_covers_fifty_topics() -> None:
    items = drawn(400)
    assert len(items) == 400
    assert len({item.cluster for item in items}) >= 50


def test_the_seed_decides_the_items() -> None:
    assert drawn(50) == drawn(50)
    assert items_sha256(drawn(50)) == items_sha256(drawn(50))
    assert items_sha256(drawn(50, seed=4)) != items_sha256(drawn(50))
    assert drawn(50)[:20] == drawn(20)


def test_chance_is_one_of_four() -> None:
    assert SUITE.chance == 0.25
    assert SUITE.data == {}
