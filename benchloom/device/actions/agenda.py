"""Reminders, events and alarms: rows of the everyday world, which shortcuts add and remove."""

from datetime import datetime

from benchloom.device.call import GUIDE, Call, Example, action, passed_on, taking
from benchloom.device.everyday import LIBRARIES
from benchloom.device.items import AppItem, Content, Dictionary
from benchloom.device.items.coercion import content_text, text_of
from benchloom.device.items.moments import moved

_AT = datetime.fromisoformat


def _reminder(title: str, group: str, due: datetime | None, priority: str, row_id: str) -> AppItem:
    properties: Dictionary = {
        "Title": title,
        "List": group,
        "Due Date": due,
        "Priority": priority,
        "Is Completed": False,
        "Notes": "",
    }
    return AppItem("reminder", title, properties, row_id)


def _event(title: str, group: str, hours: tuple[str, str], location: str, row_id: str) -> AppItem:
    start, end = (_AT(f"2027-03-{hour}+00:00") for hour in hours)
    properties: Dictionary = {
        "Title": title,
        "Start Date": start,
        "End Date": end,
        "Calendar": group,
        "Location": location,
        "Is All Day": False,
        "Notes": "",
    }
    return AppItem("event", title, properties, row_id)


def _alarm(time: str, row_id: str) -> AppItem:
    return AppItem("alarm", "Tea", {"Label": "Tea", "Time": time, "Is Enabled": True}, row_id)


_TEA = _reminder("Tea", "Home", None, "Normal", "ae9af3167d20")
_SEED = _reminder("Return bird seed", "Errands", _AT("2027-03-15T14:00Z"), "Low", "2aa3d0cd2405")
_PARTY = _event("Tea", "Home", ("20T18:30", "20T19:00"), "", "6555c78bd422")
_INTERVIEW = _event("Interview", "Work", ("15T14:00", "15T15:00"), "Station Cafe", "5b7555bacbb6")


def _minute(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M}"


@action(
    "addnewreminder",
    Example({"WFCalendarItemTitle": "Tea"}, (_TEA,)),
    Example({"WFCalendarItemTitle": ("Tea",)}, (_TEA,), ("x",)),
    Example({}, (_TEA,), ("Tea",)),
    Example({}, (AppItem("reminder", "", {"Title": ""}),)),
)
def add_reminder(call: Call) -> Content:
    """Add a reminder, whose title is the input if none is written.

    In a list that does not exist, it is in the default one, Home (a guess).
    """
    title = content_text(call.input("WFCalendarItemTitle"))
    group = call.device.everyday.group_id("reminder_lists", call.text("WFCalendarItemCalendar"))
    added = call.change(
        "added reminder",
        "reminders.create_reminder",
        {
            "title": title,
            "list_id": group,
            "due": _minute(next(iter(call.dates("WFAlertCustomTime")), None)),
        },
        "reminder",
        notes=call.text("WFCalendarItemNotes") or None,
    )
    return (added or AppItem("reminder", title, {"Title": title}),)


@action(
    "addnewevent",
    Example(
        {
            "WFCalendarItemTitle": "Tea",
            "WFCalendarItemStartDate": "2027-03-20 18:30",
            "WFCalendarItemEndDate": "2027-03-20 19:00",
        },
        (_PARTY,),
    ),
    Example(
        {"WFCalendarItemStartDate": "2027-03-20 18:30"},
        (AppItem("event", "Tea", {"Title": "Tea"}),),
        ("Tea",),
    ),
    Example({"WFCalendarItemTitle": "Tea"}, (AppItem("event", "Tea", {"Title": "Tea"}),)),
    source=f"{GUIDE}/apdaf74d75a5/ios",
)
def add_event(call: Call) -> Content:
    """Add an event, whose title is the input if none is written; it lasts an hour without an end.

    The start is now if none is written (a guess).
    """
    title = content_text(call.input("WFCalendarItemTitle"))
    start = next(iter(call.dates("WFCalendarItemStartDate")), call.now)
    end = next(iter(call.dates("WFCalendarItemEndDate")), moved(start, 1, "hours"))
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


@action("removereminders", *taking("WFInputReminders", (_TEA,), ()))
@action("removeevents", *taking("WFInputEvents", (_TEA,), ()))
@action("com.apple.mobiletimer.DeleteAlarmIntent", *taking("entities", (_TEA,), ()))
def remove(call: Call) -> Content:
    """Remove reminders, events or alarms; what is in no app is only an effect."""
    names = ("WFInputReminders", "WFInputEvents", "entities")
    name = next((name for name in names if call.has(name)), "WFInput")
    for item in call.input(name):
        library = LIBRARIES.get(item.kind) if isinstance(item, AppItem) else None
        if isinstance(item, AppItem) and item.row_id and library is not None and library.remove:
            call.change("removed", library.remove, {library.key: item.row_id}, name=item.name)
        else:
            call.run.effect("removed", {"name": text_of(item)})
    return ()


@action(
    "getupcomingevents",
    Example({}, (_INTERVIEW,)),
    Example({}, (_INTERVIEW,), ("x",)),
    Example({"WFGetUpcomingItemCount": 0}, ()),
    source=f"{GUIDE}/apdd882cf653/ios",
)
def upcoming_events(call: Call) -> Content:
    """Return the next events, one unless another count is written."""
    return _upcoming(call, "event", "Start Date", "Calendar")


@action(
    "getupcomingreminders",
    Example({}, (_SEED,)),
    Example({}, (_SEED,), ("x",)),
    Example({"WFGetUpcomingItemCount": 0}, ()),
)
def upcoming_reminders(call: Call) -> Content:
    """Return the next open reminders, one unless another count is written."""
    return _upcoming(call, "reminder", "Due Date", "List")


def _upcoming(call: Call, kind: str, date: str, group: str) -> Content:
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


show_list = passed_on("reminders.showlist", "showed list", inputs={"list": "WFList"})


_ALARM = "com.apple.mobiletimer-framework.MobileTimerIntents."


@action(
    f"{_ALARM}MTCreateAlarmIntent",
    Example({"label": "Tea", "dateComponents": "7:00"}, (_alarm("07:00", "02113dfa5b06"),)),
    Example({"name": "Tea", "dateComponents": "7 pm"}, (_alarm("19:00", "dd04933c2ed3"),)),
    Example({}, (AppItem("alarm", "", {"Label": ""}),), ("x",)),
)
def create_alarm(call: Call) -> Content:
    """Create an alarm; without a time that can be read it is only an effect."""
    label = call.text("label", call.text("name"))
    time = next(iter(call.dates("dateComponents")), None)
    created = call.change(
        "created alarm",
        "alarms.create_alarm",
        {"time": None if time is None else f"{time:%H:%M}", "label": label},
        "alarm",
    )
    return (created or AppItem("alarm", label, {"Label": label}),)


@action(
    f"{_ALARM}MTToggleAlarmIntent",
    Example({"alarm": (_TEA,)}, ()),
    Example({}, ()),
    Example({}, ("x",), ("x",)),
)
def toggle_alarm(call: Call) -> Content:
    """Switch alarms over; the input is passed on."""
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
