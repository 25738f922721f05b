"""Actions that read, format, move and compare dates."""

from datetime import datetime

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import Content
from benchloom.device.items.coercion import small
from benchloom.device.items.moments import moved, write_date


@action("date")
def date(call: Call) -> Content:
    """Return the current date, or the date in a text."""
    if call.text("WFDateActionMode", "Current Date") == "Current Date":
        return (call.now,)
    return tuple(call.dates(call.content("WFDateActionDate")))


@action("detect.date")
def detect_dates(call: Call) -> Content:
    """Return the dates in the input."""
    return tuple(call.dates(call.input()))


@action("format.date")
def format_date(call: Call) -> Content:
    """Write each date in a style, or by a pattern of Unicode's date fields."""
    return tuple(
        write_date(
            moment,
            call.text("WFDateFormatStyle", "Medium"),
            call.text("WFTimeFormatStyle", "Short"),
            call.text("WFDateFormat"),
            iso_time=call.flag("WFISO8601IncludeTime"),
            now=call.now,
        )
        for moment in call.dates(call.input("WFDate"))
    )


@action("adjustdate")
def adjust_date(call: Call) -> Content:
    """Move each date by a duration, or to the start of a unit of time."""
    return tuple(_adjusted(call, moment) for moment in call.dates(call.input("WFDate")))


_MINUTE = {"second": 0}
_HOUR = {**_MINUTE, "minute": 0}
_DAY = {**_HOUR, "hour": 0}
_MONTH = {**_DAY, "day": 1}
_STARTS: dict[str, dict[str, int]] = {
    "minute": _MINUTE,
    "hour": _HOUR,
    "day": _DAY,
    "week": _DAY,
    "month": _MONTH,
    "year": {**_MONTH, "month": 1},
}
"""A mapping from a unit of time to the fields of a date that its start sets."""


def _adjusted(call: Call, moment: datetime) -> datetime:
    operation = call.text("WFAdjustOperation", "Add").lower()
    unit = operation.removeprefix("get start of ")
    if unit in _STARTS and unit != operation:
        start = moment.replace(microsecond=0, tzinfo=moment.tzinfo, **_STARTS[unit])
        return moved(start, -(start.isoweekday() % 7), "days") if unit == "week" else start
    if operation not in ("add", "subtract"):
        raise ActionError(f"unknown operation on dates '{operation}'")
    if not call.has("WFDuration"):
        return moment  # a guess: a missing duration counts as empty
    amount, unit = call.quantity("WFDuration")
    return moved(moment, -amount if operation == "subtract" else amount, unit)


_SECONDS = {"Seconds": 1, "Minutes": 60, "Hours": 3600, "Days": 86400, "Weeks": 604800}


@action("gettimebetweendates")
def time_between(call: Call) -> Content:
    """Return the whole units of time between two dates, by default minutes.

    The default was not checked on a device.
    """
    start = call.dates(call.content("WFTimeUntilFromDate") or (call.now,))
    end = call.dates(call.input())
    if not start or not end:
        return ()
    unit = call.text("WFTimeUntilUnit", "Minutes")
    if unit in ("Months", "Years"):
        months = (end[0].year - start[0].year) * 12 + end[0].month - start[0].month
        return (months if unit == "Months" else int(months / 12),)
    if unit not in _SECONDS:
        raise ActionError(f"unknown unit of time '{unit}'")
    return (small(int((end[0] - start[0]).total_seconds() / _SECONDS[unit])),)
