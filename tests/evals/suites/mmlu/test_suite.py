from evals.suites.item import Item, Request
from evals.suites.mmlu.suite import ASKED, MAX_CONTEXT_TOKENS, SUITE
from tests.evals.suites.toy import CharacterTokenizer, WordTokenizer

WORDS = WordTokenizer()


def drawn(num_items: int, seed: int = 3) -> tuple[Item, ...]:
    return SUITE.items(Request(num_items, seed, WORDS))


def named(item_id: str) -> Item:
    (item,) = [item for item in drawn(10**6) if item.id == item_id]
    return item


def test_the_letters_stand_beside_their_texts_and_gold_is_first() -> None:
    """As the file has it: options 4, 5, 6, 20; the telescope magnifies 80 / 20 = 4 times."""
    item = named("es/college_physics/0")
    assert item.options == ("A", "B", "C", "D")
    assert "\n\nA. 4\nB. 5\nC. 6\nD. 20\n\n" + ASKED in item.context
    assert item.context.endswith("<assistant>")
    mower = named("en/formal_logic/1")
    assert mower.options == ("C", "A", "B", "D")


def test_every_item_offers_each_letter_once() -> None:
    for item in drawn(10**6):
        assert sorted(item.options) == ["A", "B", "C", "D"]
        assert len(WORDS.encode(item.context)) <= MAX_CONTEXT_TOKENS


def test_translations_share_a_cluster() -> None:
    items = drawn(10**6)
    of_one = {item.id for item in items if item.cluster == "astronomy/4"}
    assert of_one == {
        f"{language}/astronomy/4" for language in ("de", "en", "es", "fr", "hi", "it", "pt", "th")
    }
    assert len({item.id for item in items}) == len(items)


def test_what_is_too_long_for_the_tokenizer_is_left_out() -> None:
    """A character a token: a question of more than 512 characters goes."""
    short = SUITE.items(Request(10**6, 3, CharacterTokenizer()))
    assert 1000 < len(short) < len(drawn(10**6))
    assert all(len(item.context) <= MAX_CONTEXT_TOKENS for item in short)


def test_the_seed_decides_the_items() -> None:
    assert drawn(50) == drawn(50)
    assert drawn(50, seed=4) != drawn(50)
    assert len(drawn(1000)) == 1000
    assert SUITE.chance == 0.25
