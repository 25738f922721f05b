"""Almanac: an app without state that counts the days of a year."""

import msgspec

from benchloom.worlds.everyday.rules import Date, day
from benchloom.worlds.state import State
from benchloom.worlds.tool import App, read_tool, tools_of


class DayOfYear(msgspec.Struct, frozen=True):
    """A date and its number in the year."""

    date: str
    number: int


@read_tool(date="the day.")
def day_of_year(state: State, *, date: Date) -> DayOfYear:
    """Count the days of the year up to a day."""
    del state
    return DayOfYear(date, day(date).timetuple().tm_yday)


def _fill(state: State) -> None:
    del state


APP = App(schema="", fill=_fill, tools=tools_of("almanac", globals()))
