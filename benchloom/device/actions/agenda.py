"""Reminders, events, notes, alarms and health: what a shortcut adds, and what it reads."""

from benchloom.device.call import GUESS, Call, Example, action
from benchloom.device.coercion import content_text, text_of
from benchloom.device.content import Content, Dictionary, Item, Made, Thing, spread
from benchloom.device.properties import property_of

_ANSWER: Content = (Made(("answer 0",)),)
_TEA = Thing("reminder", "Tea", {"Title": "Tea", "Notes": ""})
_NOTE = Thing("note", "a", {"Body": "a\nb"})
_LOGGED = Thing("sample", "Water", {"Type": "Water", "Value": 8, "Unit": "oz"})


def _effect(call: Call, kind: str, thing: Thing) -> Content:
    details: dict[str, object] = {key: text_of(value) for key, value in thing.properties.items()}
    call.run.effect(kind, details)
    return (thing,)


@action(
    "addnewreminder",
    GUESS,
    Example({"WFCalendarItemTitle": "Tea"}, (_TEA,)),
    Example({"WFCalendarItemTitle": ("Tea",)}, (_TEA,), ("x",)),
    Example({}, (_TEA,), ("Tea",)),
    Example(
        {"WFCalendarItemTitle": "Tea", "WFCalendarItemNotes": "now"},
        (Thing("reminder", "Tea", {"Title": "Tea", "Notes": "now"}),),
    ),
)
def add_reminder(call: Call) -> Content:
    """Add a reminder, whose title is the input if none is written."""
    title = content_text(call.input("WFCalendarItemTitle"))
    properties: Dictionary = {"Title": title, "Notes": call.text("WFCalendarItemNotes")}
    for name, argument in (("List", "WFCalendarItemCalendar"), ("Alert", "WFAlertCustomTime")):
        if call.has(argument):
            properties[name] = call.text(argument)
    return _effect(call, "added reminder", Thing("reminder", title, properties))


@action(
    "removereminders",
    GUESS,
    Example({"WFInputReminders": (_TEA,)}, ()),
    Example({}, (), (_TEA,)),
    Example({}, ()),
)
@action(
    "removeevents",
    GUESS,
    Example({"WFInputEvents": (_TEA,)}, ()),
    Example({}, (), (_TEA,)),
    Example({}, ()),
)
@action(
    "com.apple.mobiletimer.DeleteAlarmIntent",
    GUESS,
    Example({"entities": (_TEA,)}, ()),
    Example({}, (), (_TEA,)),
    Example({}, ()),
)
def remove(call: Call) -> Content:
    """Remove reminders, events or alarms, which is an effect."""
    names = ("WFInputReminders", "WFInputEvents", "entities")
    name = next((name for name in names if call.has(name)), "WFInput")
    call.run.effect("removed", {"names": [text_of(item) for item in call.input(name)]})
    return ()


@action(
    "getupcomingevents",
    GUESS,
    Example({}, _ANSWER),
    Example({}, _ANSWER, ("x",)),
    Example({"WFGetUpcomingItemCount": 2}, _ANSWER),
)
def upcoming_events(call: Call) -> Content:
    """Return the next events, which are an answer."""
    return _first(call, "Upcoming events")


@action(
    "getupcomingreminders",
    GUESS,
    Example({}, _ANSWER),
    Example({}, _ANSWER, ("x",)),
    Example({"WFGetUpcomingItemCount": 2}, _ANSWER),
)
def upcoming_reminders(call: Call) -> Content:
    """Return the next reminders, which are an answer."""
    return _first(call, "Upcoming reminders")


def _first(call: Call, prompt: str) -> Content:
    return call.run.ask(prompt)[0][: max(int(call.number("WFGetUpcomingItemCount", 1)), 0)]


@action(
    "properties.calendarevents",
    GUESS,
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
@action(
    "properties.reminders",
    GUESS,
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Notes"}, ("",), (_TEA,)),
)
@action(
    "properties.health.quantity",
    GUESS,
    Example({"WFInput": (_LOGGED,)}, ("Water",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Value"}, (8,), (_LOGGED,)),
)
@action(
    "properties.weather.conditions",
    GUESS,
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
@action(
    "properties.parkedcar",
    GUESS,
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
def thing_property(call: Call) -> Content:
    """Return a property of each item of an app: its name if none is chosen."""
    name = call.text("WFContentItemPropertyName", "Name")
    return tuple(part for item in call.input() for part in spread(property_of(item, name)))


@action(
    "reminders.showlist",
    GUESS,
    Example({"WFList": "a"}, ()),
    Example({}, ("x",), ("x",)),
    Example({}, ()),
)
def show_list(call: Call) -> Content:
    """Show a list of reminders; the input is passed on."""
    call.run.effect("showed list", {"list": content_text(call.input("WFList"))})
    return call.previous


@action(
    "createnote",
    GUESS,
    Example({"WFCreateNoteInput": "a\nb"}, (_NOTE,)),
    Example({}, (_NOTE,), ("a", "b")),
    Example({}, (Thing("note", "", {"Body": ""}),)),
)
@action(
    "com.apple.mobilenotes.SharingExtension",
    GUESS,
    Example({"WFCreateNoteInput": "a\nb"}, (_NOTE,)),
    Example({}, (_NOTE,), ("a", "b")),
    Example({}, (Thing("note", "", {"Body": ""}),)),
)
def create_note(call: Call) -> Content:
    """Create a note, whose name is its first line."""
    body = content_text(call.input("WFCreateNoteInput"))
    return _effect(call, "created note", Thing("note", body.partition("\n")[0], {"Body": body}))


@action(
    "appendnote",
    GUESS,
    Example({"WFInput": "b", "WFNote": (Thing("note", "a", {"Body": "a"}),)}, (_NOTE,)),
    Example({"WFInput": "b", "WFNote": _ANSWER}, _ANSWER),
    Example({}, ()),
)
def append_to_note(call: Call) -> Content:
    """Add text to notes on a new line, which is an effect; the notes are returned."""
    added = content_text(call.input())
    results: list[Item] = []
    for item in call.content("WFNote"):
        call.run.effect("appended to note", {"note": text_of(item), "text": added})
        if isinstance(item, Thing):
            body = f"{text_of(item.properties.get('Body', ''))}\n{added}"
            results.append(Thing(item.kind, item.name, {**item.properties, "Body": body}))
        else:
            results.append(item)
    return tuple(results)


_ALARM = "com.apple.mobiletimer-framework.MobileTimerIntents."


@action(
    f"{_ALARM}MTCreateAlarmIntent",
    GUESS,
    Example(
        {"label": "Tea", "dateComponents": "7:00"},
        (Thing("alarm", "Tea", {"Label": "Tea", "Time": "7:00"}),),
    ),
    Example({"name": "Tea"}, (Thing("alarm", "Tea", {"Label": "Tea", "Time": ""}),)),
    Example({}, (Thing("alarm", "", {"Label": "", "Time": ""}),), ("x",)),
)
def create_alarm(call: Call) -> Content:
    """Create an alarm."""
    label = call.text("label", call.text("name"))
    alarm = Thing("alarm", label, {"Label": label, "Time": call.text("dateComponents")})
    return _effect(call, "created alarm", alarm)


@action(
    f"{_ALARM}MTToggleAlarmIntent",
    GUESS,
    Example({"alarm": (_TEA,)}, ()),
    Example({}, ()),
    Example({}, ("x",), ("x",)),
)
def toggle_alarm(call: Call) -> Content:
    """Switch an alarm over, which is an effect; the input is passed on."""
    call.run.effect("switched alarm", {"alarm": content_text(call.input("alarm"))})
    return call.previous


@action(
    "health.quantity.log",
    GUESS,
    Example({"WFQuantitySampleType": "Water", "WFQuantitySampleQuantity": (8, "oz")}, (_LOGGED,)),
    Example({"WFQuantitySampleType": "Water", "WFQuantitySampleQuantity": ("8", "oz")}, (_LOGGED,)),
    Example(
        {"WFQuantitySampleQuantity": (8, "oz")},
        (Thing("sample", "", {"Type": "", "Value": 8, "Unit": "oz"}),),
    ),
)
def log_health(call: Call) -> Content:
    """Log a sample of health, which is an effect."""
    value, unit = call.quantity("WFQuantitySampleQuantity")
    kind = call.text("WFQuantitySampleType")
    sample = Thing("sample", kind, {"Type": kind, "Value": value, "Unit": unit})
    return _effect(call, "logged health", sample)
