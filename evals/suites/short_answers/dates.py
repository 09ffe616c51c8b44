"""To calculate with days, months and the clock.

Origin: own templates; dates are calculated by `datetime` (the Gregorian calendar). Example: "Today
is Friday. Which day is it in 10 days?", answer Monday, for 10 days are one week and three days.
"""

from datetime import date, timedelta
from random import Random

from evals.suites.short_answers.template import Asked, Template, asked
from evals.suites.short_answers.vocabulary import MONTHS, NAMES, WEEKDAYS

FIRST = date(1990, 1, 1)
NUM_DAYS = 14_600  # to the end of 2029


def _day_in(draw: Random) -> Asked:
    today, days, name = draw.randrange(7), draw.randint(2, 20), draw.choice(NAMES)
    return asked(
        f"Today is {WEEKDAYS[today]}. {name} has a birthday in {days} days. Which day of the week "
        "is that?",
        WEEKDAYS[(today + days) % 7],
        WEEKDAYS,
    )


def _tomorrow(draw: Random) -> Asked:
    today, name = draw.randrange(7), draw.choice(NAMES)
    return asked(
        f"Today is {WEEKDAYS[today]}. {name} comes tomorrow. On which day of the week does {name} "
        "come?",
        WEEKDAYS[(today + 1) % 7],
        WEEKDAYS,
    )


def _month_in(draw: Random) -> Asked:
    now, months, name = draw.randrange(12), draw.randint(1, 11), draw.choice(NAMES)
    return asked(
        f"It is {MONTHS[now]}. {name} moves house in {months} months. Which month is that?",
        MONTHS[(now + months) % 12],
        MONTHS,
    )


def _month_number(draw: Random) -> Asked:
    day = FIRST + timedelta(days=draw.randrange(NUM_DAYS))
    return asked(
        f"Which month is it on the date {day.isoformat()} (year, month, day)? Name the month.",
        MONTHS[day.month - 1],
        MONTHS,
    )


def _year(draw: Random) -> Asked:
    day = FIRST + timedelta(days=draw.randrange(NUM_DAYS))
    words = f"A letter is dated {day.day} {MONTHS[day.month - 1]} {day.year}. In which year was it?"
    return asked(words, day.year)


def _days_between(draw: Random) -> Asked:
    first, last = sorted(draw.sample(range(1, 29), 2))
    month = draw.choice(MONTHS)
    return asked(f"How many days after {first} {month} is {last} {month}?", last - first)


def _date_in(draw: Random) -> Asked:
    day = FIRST + timedelta(days=draw.randrange(NUM_DAYS))
    days = draw.randint(2, 25)
    return asked(
        f"Which date is {days} days after {day.isoformat()}? Write it as YYYY-MM-DD.",
        (day + timedelta(days=days)).isoformat(),
    )


def _clock(draw: Random) -> Asked:
    start, minutes = draw.randrange(6 * 60, 18 * 60, 5), draw.randrange(15, 125, 5)
    end = start + minutes
    return asked(
        f"A film begins at {start // 60:02}:{start % 60:02} and lasts {minutes} minutes. When does "
        "it end? Write the time as HH:MM.",
        f"{end // 60:02}:{end % 60:02}",
    )


def _minutes_between(draw: Random) -> Asked:
    start, minutes = draw.randrange(6 * 60, 18 * 60, 5), draw.randrange(10, 55, 5)
    end = start + minutes
    return asked(
        f"How many minutes are there from {start // 60:02}:{start % 60:02} to "
        f"{end // 60:02}:{end % 60:02}?",
        minutes,
    )


def _born(draw: Random) -> Asked:
    name, born, age = draw.choice(NAMES), draw.randint(1930, 2000), draw.randint(5, 25)
    return asked(
        f"{name} was born in {born}. In which year did {name} become {age} years old?", born + age
    )


DATES = (
    Template("date-weekday-in", "one-of", _day_in),
    Template("date-tomorrow", "one-of", _tomorrow),
    Template("date-month-in", "one-of", _month_in),
    Template("date-month-name", "one-of", _month_number),
    Template("date-year", "number", _year),
    Template("date-days-between", "number", _days_between),
    Template("date-in", "exact", _date_in),
    Template("date-clock", "exact", _clock),
    Template("date-minutes-between", "number", _minutes_between),
    Template("date-born", "number", _born),
)
