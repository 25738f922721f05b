"""The app for weekdays, and for calculations with days and times; the app has no data."""

from datetime import date as Day  # noqa: N812 - tools have arguments called date
from datetime import timedelta
from typing import Annotated, TypeAlias

import msgspec

from benchloom.worlds.everyday.rules import (
    WEEKDAYS,
    Date,
    Moment,
    Weekday,
    day,
    iso_minute,
    moment,
    now,
)
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Days: TypeAlias = Annotated[int, msgspec.Meta(ge=-20_000, le=20_000)]
Months: TypeAlias = Annotated[int, msgspec.Meta(ge=-1_000, le=1_000)]
_MONTHS = 12
_FIRST, _LAST = Day(2000, 1, 1), Day(2099, 12, 31)


class DayOfWeek(msgspec.Struct, frozen=True):
    """A day and its weekday."""

    date: str
    weekday: Weekday


class Clock(msgspec.Struct, frozen=True):
    """The current time."""

    now: str
    date: str
    time: str
    weekday: Weekday


class Span(msgspec.Struct, frozen=True):
    """The time between two days; negative if the second is earlier."""

    days: int
    working_days: int


class Minutes(msgspec.Struct, frozen=True):
    """The time between two times; negative if the second is earlier."""

    minutes: int


class Minute(msgspec.Struct, frozen=True):
    """A minute of a day."""

    start: str


@read_tool()
def tell_time(state: State) -> Clock:
    """Return the current day and time."""
    current_time = now(state)
    return Clock(
        current_time,
        current_time[:10],
        current_time[11:],
        WEEKDAYS[day(current_time[:10]).weekday()],
    )


@read_tool(date="the day.")
def get_weekday(_state: State, *, date: Date) -> DayOfWeek:
    """Return the weekday of a day."""
    return _day_of_week(day(date))


@read_tool(
    date="the day to count from.",
    days="the number of days, added after the months; may be negative.",
    months="the number of months; a day that the month lacks becomes its last day.",
)
def shift_date(_state: State, *, date: Date, days: Days = 0, months: Months = 0) -> DayOfWeek:
    """Add months and days to a date; negative numbers subtract."""
    start_day = day(date)
    years, month = divmod(start_day.year * _MONTHS + start_day.month - 1 + months, _MONTHS)
    if not _FIRST.year <= years <= _LAST.year:
        raise RefusedError("invalid_argument", "the result is not in this century")
    longest = (Day(years + month // 11, (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return _day_of_week(Day(years, month + 1, min(start_day.day, longest)) + timedelta(days=days))


@read_tool(weekday="the weekday.", date="the day; the default is today.")
def next_weekday(state: State, *, weekday: Weekday, date: Date | None = None) -> DayOfWeek:
    """Return the first date after a day that has the given weekday."""
    start_day = day(date or state.now[:10])
    ahead = (WEEKDAYS.index(weekday) - start_day.weekday() - 1) % 7 + 1
    return _day_of_week(start_day + timedelta(days=ahead))


@read_tool(since="the first day, included.", until="the last day, not included.")
def days_between(_state: State, *, since: Date, until: Date) -> Span:
    """Count the days and the working days (Monday to Friday) between two dates."""
    first, last = day(since), day(until)
    working = _workdays(last) - _workdays(first)
    return Span((last - first).days, working)


@read_tool(start="the first time, like 2027-03-20T18:30.", end="the last.")
def minutes_between(_state: State, *, start: Moment, end: Moment) -> Minutes:
    """Count the minutes between two times."""
    return Minutes(int((moment(end) - moment(start)).total_seconds()) // 60)


@read_tool(
    start="the time to count from, like 2027-03-20T18:30.",
    minutes_later="the number of minutes; may be negative.",
)
def shift_time(_state: State, *, start: Moment, minutes_later: Days) -> Minute:
    """Add minutes to a time; negative numbers subtract."""
    end_time = moment(start) + timedelta(minutes=minutes_later)
    _day_of_week(end_time.date())
    return Minute(iso_minute(end_time))


def _day_of_week(calendar_day: Day) -> DayOfWeek:
    if not _FIRST <= calendar_day <= _LAST:
        raise RefusedError("invalid_argument", "the result is not in this century")
    return DayOfWeek(calendar_day.isoformat(), WEEKDAYS[calendar_day.weekday()])


def _workdays(calendar_day: Day) -> int:
    weeks, days = divmod(calendar_day.toordinal() - 1, 7)
    return weeks * 5 + min(days, 5)


APP = App(
    tools=tools_of("dates", globals()),
    goals={
        "get_weekday": "find out on which weekday a day falls",
        "days_between": "find out {} between two dates",
        "next_weekday": "find out when a certain weekday comes next",
        "shift_date": "find out which day is some days after another",
        "shift_time": "find out which time is some minutes after another",
    },
)
