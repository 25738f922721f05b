"""Draws of plain values, each with the way it is said."""

import datetime

from benchloom.records.values import Plain
from benchloom.worlds.suites.everyday.asking.dice import Dice
from benchloom.worlds.suites.everyday.asking.wants import After, Draw, Drawn

_TODAY = datetime.date(2027, 3, 15)
_CENTS, _HALF, _WEEK = 100, 12, 7


def words(*choices: str) -> Draw:
    """One of some texts, said as it stands."""

    def draw(dice: Dice) -> Drawn:
        found = dice.one_of(choices)
        return Drawn(found, found)

    return draw


def quoted(*choices: str) -> Draw:
    """One of some texts, said in quotation marks."""

    def draw(dice: Dice) -> Drawn:
        found = dice.one_of(choices)
        return Drawn(found, f'"{found}"')

    return draw


def a_kind(*choices: str) -> Draw:
    """One of some words, said with its article."""

    def draw(dice: Dice) -> Drawn:
        found = dice.one_of(choices)
        return Drawn(found, f"{'an' if found[0] in 'aeiou' else 'a'} {found}")

    return draw


def a_language(*choices: str) -> Draw:
    """One of some languages, said with a capital."""

    def draw(dice: Dice) -> Drawn:
        found = dice.one_of(choices)
        return Drawn(found, found.capitalize())

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
        found = low + dice.below(high - low + 1)
        return Drawn(found, str(found))

    return draw


def cents(low: int, high: int, step: int = 50) -> Draw:
    """A sum in cents, said in crowns."""

    def draw(dice: Dice) -> Drawn:
        found = low + step * dice.below((high - low) // step + 1)
        whole, rest = divmod(found, _CENTS)
        return Drawn(found, f"{whole} crowns" if not rest else f"{whole}.{rest:02d} crowns")

    return draw


def clock(low: int = 5, high: int = 22) -> Draw:
    """A time of the day between two hours."""

    def draw(dice: Dice) -> Drawn:
        hour, minute = low + dice.below(high - low + 1), 5 * dice.below(12)
        found = f"{hour:02d}:{minute:02d}"
        half = "am" if hour < _HALF else "pm"
        short = hour % _HALF or _HALF
        spoken = f"{short} {half}" if not minute else f"{short}:{minute:02d} {half}"
        return Drawn(found, dice.one_of((found, spoken)))

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
        found = datetime.datetime.fromisoformat(str(start)) + datetime.timedelta(minutes=late)
        return Drawn(found.isoformat(timespec="minutes"), f"{found:%H:%M}")

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
    found = _TODAY + datetime.timedelta(days=ahead)
    ways = [f"{found.day} {found:%B}", f"{found:%B} {found.day}"]
    if ahead == 1:
        ways.append("tomorrow")
    elif 1 < ahead < _WEEK:
        ways.append(f"{found:%A}")
    return Drawn(found.isoformat(), dice.one_of(ways))
