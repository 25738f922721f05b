"""Dates: read, format, move and compare."""

from datetime import datetime

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import Content
from benchloom.device.items.coercion import small
from benchloom.device.items.item_types import dates_of
from benchloom.device.items.moments import moved, write_date


@action("date")
def date(call: Call) -> Content:
    """Return the current date, or the date in a text."""
    if call.text("WFDateActionMode", "Current Date") == "Current Date":
        return (call.now,)
    return tuple(
        moment for item in call.content("WFDateActionDate") for moment in dates_of(item, call.now)
    )


@action("detect.date")
def detect_dates(call: Call) -> Content:
    """Return the dates in the input."""
    return tuple(moment for item in call.input() for moment in dates_of(item, call.now))


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
        for item in call.input("WFDate")
        for moment in dates_of(item, call.now)
    )


@action("adjustdate")
def adjust_date(call: Call) -> Content:
    """Move each date by a duration, or to the start of a unit of time."""
    dates = [moment for item in call.input("WFDate") for moment in dates_of(item, call.now)]
    return tuple(_adjusted(call, moment) for moment in dates)


def _adjusted(call: Call, moment: datetime) -> datetime:
    operation = call.text("WFAdjustOperation", "Add").lower()
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    match operation:
        case "get start of day":
            return day
        case "get start of week":
            return moved(day, -(day.isoweekday() % 7), "days")
        case "get start of month":
            return day.replace(day=1)
        case "get start of year":
            return day.replace(month=1, day=1)
        case "get start of hour":
            return moment.replace(minute=0, second=0, microsecond=0)
        case "get start of minute":
            return moment.replace(second=0, microsecond=0)
        case "add" | "subtract" if not call.has("WFDuration"):
            return moment  # a guess: the app shows an empty duration
        case "add" | "subtract":
            amount, unit = call.quantity("WFDuration")
            return moved(moment, -amount if operation == "subtract" else amount, unit)
    raise ActionError(f"unknown operation on dates '{operation}'")


_SECONDS = {"Seconds": 1, "Minutes": 60, "Hours": 3600, "Days": 86400, "Weeks": 604800}


@action("gettimebetweendates")
def time_between(call: Call) -> Content:
    """Return the whole units of time between two dates, by default minutes.

    The default was not checked on a device.
    """
    starts = call.content("WFTimeUntilFromDate") or (call.now,)
    start = [moment for item in starts for moment in dates_of(item, call.now)]
    end = [moment for item in call.input() for moment in dates_of(item, call.now)]
    if not start or not end:
        return ()
    unit = call.text("WFTimeUntilUnit", "Minutes")
    if unit in ("Months", "Years"):
        months = (end[0].year - start[0].year) * 12 + end[0].month - start[0].month
        return (months if unit == "Months" else int(months / 12),)
    if unit not in _SECONDS:
        raise ActionError(f"unknown unit of time '{unit}'")
    return (small(int((end[0] - start[0]).total_seconds() / _SECONDS[unit])),)
