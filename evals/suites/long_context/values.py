"""Numbers and names to ask for, drawn so that all options of an item have equal token length.

Token lengths are counted after a space, as the values stand in a sentence.

Example: 48213 with one digit changed, at places 2, 0 and 4: 48713, 58213, 48219.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from evals.suites.item import Tokenizer
from variants.errors import MeasurementError

DIGITS = "0123456789"
CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ"  # 20^3 = 8,000 names, hardly a word among them
TRIES_EACH = 100


def numbers(num_digits: int, generator: random.Random) -> Iterator[str]:
    """Draw numbers without a leading zero, endlessly."""
    while True:
        yield str(generator.randrange(10 ** (num_digits - 1), 10**num_digits))


def near_numbers(number: str, places: Sequence[int], generator: random.Random) -> Iterator[str]:
    """Change one digit of a number, at each of the places in turn, in every way."""
    shuffled = generator.sample(places, len(places))
    others = [generator.sample(DIGITS.replace(number[place], ""), 9) for place in shuffled]
    for turn in zip(*others, strict=True):
        for place, digit in zip(shuffled, turn, strict=True):
            if place > 0 or digit != "0":
                yield number[:place] + digit + number[place + 1 :]


def names(taken: frozenset[str], generator: random.Random) -> Iterator[str]:
    """Draw names of three consonants that are no word of the text, endlessly."""
    while True:
        name = "".join(generator.choices(CONSONANTS, k=3))
        if name not in taken:
            yield name


def alike(candidates: Iterable[str], num: int, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Take the first `num` distinct candidates that have one token length.

    Raises:
        MeasurementError: the tokenizer cuts them too differently.
    """
    groups: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for candidate in islice(candidates, TRIES_EACH * num):
        group = groups[_length(candidate, tokenizer)]
        group[candidate] = None
        if len(group) == num:
            return tuple(group)
    raise MeasurementError(
        f"the tokenizer gives no {num} of {TRIES_EACH * num} drawn values one token length; "
        "leave this suite out for it"
    )


def like(gold: str, candidates: Iterable[str], num: int, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Take the first `num` candidates that have the gold value's token length.

    Raises:
        MeasurementError: there are fewer.
    """
    length = _length(gold, tokenizer)
    fitting = (one for one in candidates if _length(one, tokenizer) == length)
    found = tuple(islice(fitting, num))
    if len(found) < num:
        raise MeasurementError(
            f"{len(found)} values near {gold} have its {length} tokens and {num} are needed; "
            "leave this suite out for this tokenizer"
        )
    return found


def _length(value: str, tokenizer: Tokenizer) -> int:
    return len(tokenizer.encode(" " + value))
