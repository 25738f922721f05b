"""Build functions that draw values for requests, with the words that a user says for a value.

For example, `cents(100, 900)` returns a function that draws 450 with the words "4.50 crowns".
"""

import datetime
from collections.abc import Callable

from benchloom.core.records.values import Plain
from benchloom.worlds.requests.dice import Dice
from benchloom.worlds.requests.wants import After, Draw, Drawn

_TODAY = datetime.date(2027, 3, 15)
_CENTS, _HALF, _WEEK = 100, 12, 7


def _choice(choices: tuple[str, ...], wording: Callable[[str], str]) -> Draw:
    def draw(dice: Dice) -> Drawn:
        choice = dice.one_of(choices)
        return Drawn(choice, wording(choice))

    return draw


def words(*choices: str) -> Draw:
    """Draw one of several texts, which the request contains literally."""
    return _choice(choices, str)


def quoted(*choices: str) -> Draw:
    """Draw one of several texts, which the request puts in quotation marks."""
    return _choice(choices, '"{}"'.format)


def a_kind(*choices: str) -> Draw:
    """Draw one of several nouns, which the request puts after "a" or "an"."""
    return _choice(choices, lambda word: f"{'an' if word[0] in 'aeiou' else 'a'} {word}")


def capitalised(*choices: str) -> Draw:
    """Draw one of several names, such as languages, which the request capitalises."""
    return _choice(choices, str.capitalize)


def called(**names: str) -> Draw:
    """Draw one of several values, each with other words than the value.

    An argument `min="minutes"` means that the request says "minutes" for the value "min".
    """

    def draw(dice: Dice) -> Drawn:
        value = dice.one_of(list(names))
        return Drawn(value, names[value], apart=True)

    return draw


def fixed_value(value: Plain, *ways: str) -> Draw:
    """Draw one of several wordings of a fixed value; the wordings do not contain the value."""

    def draw(dice: Dice) -> Drawn:
        return Drawn(value, dice.one_of(ways), apart=True)

    return draw


def yes(*ways: str) -> Draw:
    """Draw one of several wordings of the value true."""
    return fixed_value(True, *ways)  # noqa: FBT003  the argument is the value to state


def no(*ways: str) -> Draw:
    """Draw one of several wordings of the value false."""
    return fixed_value(False, *ways)  # noqa: FBT003  the argument is the value to state


def number(low: int, high: int) -> Draw:
    """Draw a whole number from a range that includes both ends."""

    def draw(dice: Dice) -> Drawn:
        value = low + dice.below(high - low + 1)
        return Drawn(value, str(value))

    return draw


def cents(low: int, high: int, step: int = 50) -> Draw:
    """Draw an amount in cents, which the request states in crowns (100 cents)."""

    def draw(dice: Dice) -> Drawn:
        amount = low + step * dice.below((high - low) // step + 1)
        whole, rest = divmod(amount, _CENTS)
        return Drawn(amount, f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns")

    return draw


def clock(low: int = 5, high: int = 22) -> Draw:
    """Draw a time of day in the hours from `low` to `high`, in steps of 5 minutes."""

    def draw(dice: Dice) -> Drawn:
        hour, minute = low + dice.below(high - low + 1), 5 * dice.below(12)
        time_text = f"{hour:02d}:{minute:02d}"
        half = "am" if hour < _HALF else "pm"
        short = hour % _HALF or _HALF
        words = f"{short} {half}" if not minute else f"{short}:{minute:02d} {half}"
        return Drawn(time_text, dice.one_of((time_text, words)))

    return draw


def day(low: int = 1, high: int = 40) -> Draw:
    """Draw a day from `low` to `high` days after today."""

    def draw(dice: Dice) -> Drawn:
        return _day(dice, low + dice.below(high - low + 1))

    return draw


def moment(low: int = 1, high: int = 30) -> Draw:
    """Draw a day from `low` to `high` days after today, and a time between 8 am and 9 pm."""

    def draw(dice: Dice) -> Drawn:
        date, time = _day(dice, low + dice.below(high - low + 1)), clock(8, 20)(dice)
        return Drawn(f"{date.value}T{time.value}", f"{date.text} at {time.text}")

    return draw


def from_then(name: str, low: int, high: int) -> After:
    """Draw a time `low` to `high` minutes after the time in another argument, in steps of 15."""

    def draw(dice: Dice, start: Plain) -> Drawn:
        late = low + 15 * dice.below((high - low) // 15 + 1)
        end_time = datetime.datetime.fromisoformat(str(start)) + datetime.timedelta(minutes=late)
        return Drawn(end_time.isoformat(timespec="minutes"), f"{end_time:%H:%M}")

    return After(name, draw)


def days_on(name: str, low: int, high: int) -> After:
    """Draw a day `low` to `high` days after the day in another argument."""

    def draw(dice: Dice, start: Plain) -> Drawn:
        ahead = (datetime.date.fromisoformat(str(start)) - _TODAY).days
        return _day(dice, ahead + low + dice.below(high - low + 1))

    return After(name, draw)


def today() -> Draw:
    """Draw always the current day of the world, which the request calls "today"."""

    def draw(dice: Dice) -> Drawn:
        del dice
        return Drawn(_TODAY.isoformat(), "today")

    return draw


def _day(dice: Dice, ahead: int) -> Drawn:
    target_day = _TODAY + datetime.timedelta(days=ahead)
    ways = [f"{target_day.day} {target_day:%B}", f"{target_day:%B} {target_day.day}"]
    if ahead == 1:
        ways.append("tomorrow")
    elif 1 < ahead < _WEEK:
        ways.append(f"{target_day:%A}")
    return Drawn(target_day.isoformat(), dice.one_of(ways))
