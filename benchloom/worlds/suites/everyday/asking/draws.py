"""Draws of plain values, each with the way it is said."""

import datetime

from benchloom.core.records.values import Plain
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.suites.everyday.asking.wants import After, Draw, Drawn

_TODAY = datetime.date(2027, 3, 15)
_CENTS, _HALF, _WEEK = 100, 12, 7


def words(*choices: str) -> Draw:
    """One of some texts, said as it stands."""

    def draw(dice: Dice) -> Drawn:
        choice = dice.one_of(choices)
        return Drawn(choice, choice)

    return draw


def quoted(*choices: str) -> Draw:
    """One of some texts, said in quotation marks."""

    def draw(dice: Dice) -> Drawn:
        choice = dice.one_of(choices)
        return Drawn(choice, f'"{choice}"')

    return draw


def a_kind(*choices: str) -> Draw:
    """One of some words, said with its article."""

    def draw(dice: Dice) -> Drawn:
        choice = dice.one_of(choices)
        return Drawn(choice, f"{'an' if choice[0] in 'aeiou' else 'a'} {choice}")

    return draw


def a_language(*choices: str) -> Draw:
    """One of some languages, said with a capital."""

    def draw(dice: Dice) -> Drawn:
        language = dice.one_of(choices)
        return Drawn(language, language.capitalize())

    return draw


def said(value: Plain, *ways: str) -> Draw:
    """One value, said in words of its own."""

    def draw(dice: Dice) -> Drawn:
        return Drawn(value, dice.one_of(ways), apart=True)

    return draw


def yes(*ways: str) -> Draw:
    """True, said in words of its own."""
    return said(True, *ways)  # noqa: FBT003  the value that is said


def no(*ways: str) -> Draw:
    """False, said in words of its own."""
    return said(False, *ways)  # noqa: FBT003  the value that is said


def either(*draws: Draw) -> Draw:
    """What one of some draws gives."""

    def draw(dice: Dice) -> Drawn:
        return dice.one_of(draws)(dice)

    return draw


def number(low: int, high: int) -> Draw:
    """A whole number, both ends included."""

    def draw(dice: Dice) -> Drawn:
        value = low + dice.below(high - low + 1)
        return Drawn(value, str(value))

    return draw


def cents(low: int, high: int, step: int = 50) -> Draw:
    """A sum in cents, said in crowns."""

    def draw(dice: Dice) -> Drawn:
        amount = low + step * dice.below((high - low) // step + 1)
        whole, rest = divmod(amount, _CENTS)
        return Drawn(amount, f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns")

    return draw


def clock(low: int = 5, high: int = 22) -> Draw:
    """A time of the day between two hours."""

    def draw(dice: Dice) -> Drawn:
        hour, minute = low + dice.below(high - low + 1), 5 * dice.below(12)
        time_text = f"{hour:02d}:{minute:02d}"
        half = "am" if hour < _HALF else "pm"
        short = hour % _HALF or _HALF
        spoken = f"{short} {half}" if not minute else f"{short}:{minute:02d} {half}"
        return Drawn(time_text, dice.one_of((time_text, spoken)))

    return draw


def day(low: int = 1, high: int = 40) -> Draw:
    """A day so many days from today."""

    def draw(dice: Dice) -> Drawn:
        return _day(dice, low + dice.below(high - low + 1))

    return draw


def moment(low: int = 1, high: int = 30) -> Draw:
    """A time of a day, to the minute."""

    def draw(dice: Dice) -> Drawn:
        date, time = _day(dice, low + dice.below(high - low + 1)), clock(8, 20)(dice)
        return Drawn(f"{date.value}T{time.value}", f"{date.text} at {time.text}")

    return draw


def from_then(name: str, low: int, high: int) -> After:
    """So many minutes after the time of another argument, on the same day; steps of 15."""

    def draw(dice: Dice, start: Plain) -> Drawn:
        late = low + 15 * dice.below((high - low) // 15 + 1)
        end_time = datetime.datetime.fromisoformat(str(start)) + datetime.timedelta(minutes=late)
        return Drawn(end_time.isoformat(timespec="minutes"), f"{end_time:%H:%M}")

    return After(name, draw)


def days_on(name: str, low: int, high: int) -> After:
    """So many days after the day of another argument."""

    def draw(dice: Dice, start: Plain) -> Drawn:
        ahead = (datetime.date.fromisoformat(str(start)) - _TODAY).days
        return _day(dice, ahead + low + dice.below(high - low + 1))

    return After(name, draw)


def today() -> Draw:
    """The day it is."""

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
