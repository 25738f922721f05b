"""Actions on reminders, events and alarms, which are rows of the simulated everyday apps."""

from datetime import datetime

from benchloom.device.call import Call, Function, action, passed_on
from benchloom.device.everyday import LIBRARIES
from benchloom.device.items import AppItem, Content
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.moments import moved


def _minute(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M}"


@action("addnewreminder")
def add_reminder(call: Call) -> Content:
    """Add a reminder; its title is the input if the argument is missing.

    If its list does not exist, the reminder is added to the list Home (not checked on a device).
    """
    title = content_text(call.input("WFCalendarItemTitle"))
    group = call.device.everyday.group_id("reminder_lists", call.text("WFCalendarItemCalendar"))
    added = call.change(
        "added reminder",
        "reminders.create_reminder",
        {
            "title": title,
            "list_id": group,
            "due": _minute(next(iter(call.dates(call.content("WFAlertCustomTime"))), None)),
        },
        "reminder",
        notes=call.text("WFCalendarItemNotes") or None,
    )
    return (added or AppItem("reminder", title, {"Title": title}),)


@action("addnewevent")
def add_event(call: Call) -> Content:
    """Add an event; its title is the input if the argument is missing.

    A missing start is the current time (not checked on a device), and a missing end is an hour
    after the start.
    """
    title = content_text(call.input("WFCalendarItemTitle"))
    start = next(iter(call.dates(call.content("WFCalendarItemStartDate"))), call.now)
    end = next(iter(call.dates(call.content("WFCalendarItemEndDate"))), moved(start, 1, "hours"))
    added = call.change(
        "added event",
        "calendar.create_event",
        {
            "title": title,
            "start": _minute(start),
            "end": _minute(end),
            "calendar_id": call.device.everyday.group_id(
                "calendars", call.text("WFCalendarItemCalendar")
            ),
            "location": call.text("WFCalendarItemLocation"),
        },
        "event",
        notes=call.text("WFCalendarItemNotes") or None,
    )
    return (added or AppItem("event", title, {"Title": title}),)


@action("removereminders")
@action("removeevents")
@action("com.apple.mobiletimer.DeleteAlarmIntent")
def remove(call: Call) -> Content:
    """Remove reminders, events or alarms; an item without a row is only logged as an effect."""
    names = ("WFInputReminders", "WFInputEvents", "entities")
    name = next((name for name in names if call.has(name)), "WFInput")
    for item in call.input(name):
        library = LIBRARIES.get(item.kind) if isinstance(item, AppItem) else None
        if isinstance(item, AppItem) and item.row_id and library is not None and library.remove:
            call.change("removed", library.remove, {library.key: item.row_id}, name=item.name)
        else:
            call.run.effect("removed", {"name": text_of(item)})
    return ()


def _upcoming(name: str, kind: str, date: str, group: str) -> Function:
    def upcoming(call: Call) -> Content:
        group_name = call.text("WFGetUpcomingItemCalendar")
        items = [
            item
            for item in call.device.everyday.items(kind)
            if isinstance(item, AppItem)
            and not item.properties.get("Is Completed")
            and isinstance(start := item.properties[date], datetime)
            and start >= call.now
            and group_name in ("", "All Calendars", item.properties[group])
        ]
        return tuple(items[: max(int(call.number("WFGetUpcomingItemCount", 1)), 0)])

    upcoming.__doc__ = f"Return the next {kind}s; an argument sets their number, by default 1."
    return action(name)(upcoming)


upcoming_events = _upcoming("getupcomingevents", "event", "Start Date", "Calendar")
upcoming_reminders = _upcoming("getupcomingreminders", "reminder", "Due Date", "List")
show_list = passed_on("reminders.showlist", "showed list", inputs={"list": "WFList"})


_ALARM = "com.apple.mobiletimer-framework.MobileTimerIntents."


@action(f"{_ALARM}MTCreateAlarmIntent")
def create_alarm(call: Call) -> Content:
    """Create an alarm; if its time cannot be read, only log an effect."""
    label = call.text("label", call.text("name"))
    time = next(iter(call.dates(call.content("dateComponents"))), None)
    created = call.change(
        "created alarm",
        "alarms.create_alarm",
        {"time": None if time is None else f"{time:%H:%M}", "label": label},
        "alarm",
    )
    return (created or AppItem("alarm", label, {"Label": label}),)


@action(f"{_ALARM}MTToggleAlarmIntent")
def toggle_alarm(call: Call) -> Content:
    """Switch each alarm on if it is off, else off; return the input."""
    for item in call.input("alarm"):
        row_id = item.row_id if isinstance(item, AppItem) and item.kind == "alarm" else ""
        alarm = call.device.everyday.item("alarm", row_id) if row_id else None
        if isinstance(alarm, AppItem):
            call.change(
                "switched alarm",
                "alarms.update_alarm",
                {"alarm_id": row_id, "enabled": alarm.properties["Is Enabled"] is False},
                label=alarm.name,
            )
        else:
            call.run.effect("switched alarm", {"alarm": text_of(item)})
    return call.previous
