"""To find a value in a list or a table.

Origin: own templates. Example: lines `lamp: 14`, `chair: 31`, `plate: 6` and "What is the price of
the chair?", answer 31.
"""

import json
from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import CITIES, COLOURS, NAMES, THINGS, WORDS

NUM_ROWS = 4


def _prices(draw: Random) -> dict[str, int]:
    things = draw.sample(sorted(THINGS), NUM_ROWS)
    return dict(zip(things, draw.sample(range(3, 99), NUM_ROWS), strict=True))


def _lines(rows: dict[str, int]) -> str:
    return "\n".join(f"{name}: {value}" for name, value in rows.items())


def _one(draw: Random) -> Asked:
    thing, price = draw.choice(sorted(THINGS)), draw.randint(3, 99)
    return asked(f"{thing}: {price} euros\n\nHow many euros does the {thing} cost?", price)


def _price(draw: Random) -> Asked:
    prices = _prices(draw)
    thing = draw.choice(list(prices))
    return asked(f"Prices in euros:\n{_lines(prices)}\n\nHow much is the {thing}?", prices[thing])


def _whose(draw: Random) -> Asked:
    points = _points(draw)
    name = draw.choice(list(points))
    return asked(f"Points:\n{_lines(points)}\n\nWho has {points[name]} points?", name, points)


def _points(draw: Random) -> dict[str, int]:
    names = draw.sample(NAMES, NUM_ROWS)
    return dict(zip(names, draw.sample(range(10, 99), NUM_ROWS), strict=True))


def _most(draw: Random) -> Asked:
    points = _points(draw)
    best = max(points, key=lambda name: points[name])
    return asked(f"Points:\n{_lines(points)}\n\nWho has the most points?", best, points)


def _cheapest(draw: Random) -> Asked:
    prices = _prices(draw)
    least = min(prices, key=lambda thing: prices[thing])
    return asked(
        f"Prices in euros:\n{_lines(prices)}\n\nWhich thing is the cheapest?", least, prices
    )


def _both(draw: Random) -> Asked:
    prices = _prices(draw)
    one, other = draw.sample(list(prices), 2)
    words = (
        f"Prices in euros:\n{_lines(prices)}\n\nHow much are one {one} and one {other} together?"
    )
    return asked(words, prices[one] + prices[other])


def _people(draw: Random) -> list[tuple[str, int, str]]:
    names, cities = draw.sample(NAMES, NUM_ROWS), draw.sample(CITIES, NUM_ROWS)
    return list(zip(names, draw.sample(range(18, 80), NUM_ROWS), cities, strict=True))


def _table(people: list[tuple[str, int, str]]) -> str:
    rows = "\n".join(f"| {name} | {age} | {city} |" for name, age, city in people)
    return f"| name | age | city |\n|---|---|---|\n{rows}"


def _city(draw: Random) -> Asked:
    people = _people(draw)
    name, _, city = draw.choice(people)
    return asked(
        f"{_table(people)}\n\nIn which city does {name} live?", city, (one[2] for one in people)
    )


def _age(draw: Random) -> Asked:
    people = _people(draw)
    name, age, _ = draw.choice(people)
    return asked(f"{_table(people)}\n\nHow old is {name}?", age)


def _who_in(draw: Random) -> Asked:
    people = _people(draw)
    name, _, city = draw.choice(people)
    return asked(f"{_table(people)}\n\nWho lives in {city}?", name, (one[0] for one in people))


def _count(draw: Random) -> Asked:
    colours = draw.choices(draw.sample(COLOURS, 2), k=6)
    rows = "\n".join(
        f"{name}: {colour}" for name, colour in zip(draw.sample(NAMES, 6), colours, strict=True)
    )
    wanted = colours[0]
    return asked(
        f"Favourite colours:\n{rows}\n\nHow many people like {wanted} most?", colours.count(wanted)
    )


def _json(draw: Random) -> Asked:
    keys = draw.sample(WORDS, NUM_ROWS)
    values = dict(zip(keys, draw.sample(range(100, 999), NUM_ROWS), strict=True))
    key = draw.choice(keys)
    return asked(f'{json.dumps(values)}\n\nWhat is the value of "{key}"?', values[key])


TABLES = (
    Template("table-one-line", "number", _one),
    Template("table-price", "number", _price),
    Template("table-whose-points", "one-of", _whose),
    Template("table-most-points", "one-of", _most),
    Template("table-cheapest", "one-of", _cheapest),
    Template("table-both-prices", "number", _both),
    Template("table-city", "one-of", _city),
    Template("table-age", "number", _age),
    Template("table-who-in", "one-of", _who_in),
    Template("table-count", "number", _count),
    Template("table-json", "number", _json),
)
