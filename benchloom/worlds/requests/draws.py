"""Functions that draw values for requests, each with the words that a user says for the value."""

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
    """Draw a text that the request quotes literally."""
    return _choice(choices, str)


def quoted(*choices: str) -> Draw:
    """Draw a text; the request puts it in quotation marks."""
    return _choice(choices, '"{}"'.format)


def a_kind(*choices: str) -> Draw:
    """Draw a word; the wording adds its article."""
    return _choice(choices, lambda word: f"{'an' if word[0] in 'aeiou' else 'a'} {word}")


def capitalised(*choices: str) -> Draw:
    """Draw a name, such as a language, that the request capitalises."""
    return _choice(choices, str.capitalize)


def called(**names: str) -> Draw:
    """Draw a value.

    An argument `value=word` gives a value its wording: `min=minutes`.
    """

    def draw(dice: Dice) -> Drawn:
        value = dice.one_of(list(names))
        return Drawn(value, names[value], apart=True)

    return draw


def fixed_value(value: Plain, *ways: str) -> Draw:
    """Return a fixed value, with one of several wordings that do not contain the value."""

    def draw(dice: Dice) -> Drawn:
        return Drawn(value, dice.one_of(ways), apart=True)

    return draw


def yes(*ways: str) -> Draw:
    """Return true, in one of several wordings."""
    return fixed_value(True, *ways)  # noqa: FBT003  the argument is the value to state


def no(*ways: str) -> Draw:
    """Return false, in one of several wordings."""
    return fixed_value(False, *ways)  # noqa: FBT003  the argument is the value to state


def number(low: int, high: int) -> Draw:
    """Draw a whole number from a range that includes both ends."""

    def draw(dice: Dice) -> Drawn:
        value = low + dice.below(high - low + 1)
        return Drawn(value, str(value))

    return draw


def cents(low: int, high: int, step: int = 50) -> Draw:
    """Draw an amount in cents; the wording is in crowns."""

    def draw(dice: Dice) -> Drawn:
        amount = low + step * dice.below((high - low) // step + 1)
        whole, rest = divmod(amount, _CENTS)
        return Drawn(amount, f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns")

    return draw


def clock(low: int = 5, high: int = 22) -> Draw:
    """Draw a time of day between two hours."""

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
    """Draw a day and a time."""

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
    """Return the current day."""

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
