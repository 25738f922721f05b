"""Find: items of the apps or of the input that meet conditions, sorted; and their properties."""

from datetime import datetime

from benchloom.core.records.conditions import (
    NUMBER,
    OF_SPANS,
    condition_code,
    filter_operands,
    filter_operands_in_force,
    filter_unit,
)
from benchloom.device.arguments import template_of
from benchloom.device.call import ANSWER, GUIDE, Call, Example, action
from benchloom.device.conditions import holds
from benchloom.device.errors import UnsupportedError
from benchloom.device.items import AppItem, Content, Item, spread
from benchloom.device.items.coercion import text_of
from benchloom.device.items.properties import property_of

_GUIDE_PAGE = f"{GUIDE}/apd3c845e881/ios"
_INPUT = "WFContentItemInputParameter"
_SORTED = {"WFContentItemSortProperty": "Name"}
_BACKWARDS = frozenset({"Z to A", "Descending", "Latest First", "Largest First", "Biggest First"})
_ANY = 0


def _titled(name: str) -> dict[str, object]:
    """Return the parameters of a search for a name."""
    row = {"Operator": 4, "Property": "Name", "Values": {"String": name}}
    return {"WFContentItemFilter": {"Value": {"WFActionParameterFilterTemplates": [row]}}}


_PART = (
    Example({_INPUT: ("a", "b"), **_titled("b")}, ("b",)),
    Example({_INPUT: ("b", "a"), **_SORTED}, ("a", "b")),
    Example({_INPUT: ("a", "b"), **_SORTED, "WFContentItemSortOrder": "Z to A"}, ("b", "a")),
    Example({_INPUT: (), **_SORTED}, ()),
)
_ASKED = (Example({}, ANSWER), Example({_INPUT: "Library"}, ANSWER, ("x",)), *_PART)


@action("filter.files", *_ASKED, source=_GUIDE_PAGE)
@action("filter.articles", *_ASKED, source=_GUIDE_PAGE)
@action("filter.health.quantity", *_ASKED, source=_GUIDE_PAGE)
def find(call: Call) -> Content:
    """Return what the person's library holds, which is an answer, or a part of the input."""
    if _searches_library(call):
        return _limited(call, call.run.ask("Items found")[0])
    return _found(call, call.content(_INPUT))


@action("filter.notes", *_PART, Example(_titled("Nowhere"), ()), source=_GUIDE_PAGE)
def find_notes(call: Call) -> Content:
    """Return the notes that meet the conditions."""
    return _in_app(call, "note")


@action("filter.reminders", *_PART, Example(_titled("Nowhere"), ()), source=_GUIDE_PAGE)
def find_reminders(call: Call) -> Content:
    """Return the reminders that meet the conditions."""
    return _in_app(call, "reminder")


@action("filter.calendarevents", *_PART, Example(_titled("Nowhere"), ()), source=_GUIDE_PAGE)
def find_events(call: Call) -> Content:
    """Return the events that meet the conditions."""
    return _in_app(call, "event")


@action("filter.contacts", *_PART, Example(_titled("Nowhere"), ()), source=_GUIDE_PAGE)
def find_contacts(call: Call) -> Content:
    """Return the contacts that meet the conditions."""
    return _in_app(call, "contact")


@action(
    "com.apple.mobiletimer-framework.MobileTimerIntents.MTGetAlarmsIntent",
    *_PART,
    Example(_titled("Nowhere"), ()),
)
def find_alarms(call: Call) -> Content:
    """Return the alarms that meet the conditions."""
    return _in_app(call, "alarm")


def _in_app(call: Call, kind: str) -> Content:
    everyday = call.device.everyday
    return _found(call, everyday.items(kind) if _searches_library(call) else call.content(_INPUT))


def _searches_library(call: Call) -> bool:
    return not call.has(_INPUT) or call.content(_INPUT) == ("Library",)


def _found(call: Call, content: Content) -> Content:
    filters = call.content("WFContentItemFilter")
    table = filters[0] if filters else None
    rows = table.get("WFActionParameterFilterTemplates") if isinstance(table, dict) else None
    if isinstance(table, dict) and isinstance(rows, list) and rows:
        meets = any if table.get("WFActionParameterFilterPrefix") == _ANY else all
        content = tuple(item for item in content if meets(_holds(call, row, item) for row in rows))
    return _limited(call, _sorted(call, content))


def _limited(call: Call, content: Content) -> Content:
    if call.flag("WFContentItemLimitEnabled"):
        return content[: max(int(call.number("WFContentItemLimitNumber", 1)), 0)]
    return content


def _holds(call: Call, row: Item, item: Item) -> bool:
    """Whether an item meets one condition; the app compares names without heeding case."""
    if not isinstance(row, dict):
        raise UnsupportedError("unsupported condition of Find")
    fields: dict[str, object] = {**row}
    operands = filter_operands(fields)
    name = text_of(row.get("Property"))
    code = condition_code(operands)
    names = filter_operands_in_force(code, operands, name)
    values = [template_of(operands.get(operand))(call.run) for operand in names]
    if code in OF_SPANS:
        values = [(*template_of(operands.get(NUMBER, 1))(call.run), filter_unit(fields) or "days")]
    return holds(call, code, spread(property_of(item, name)), values)


def _sorted(call: Call, content: Content) -> Content:
    # Random leaves the order: equal runs have equal results.
    name = call.text("WFContentItemSortProperty", "Random")
    if name in ("Random", "None", ""):
        return content
    backwards = call.text("WFContentItemSortOrder") in _BACKWARDS
    return tuple(
        sorted(content, key=lambda item: _rank(property_of(item, name)), reverse=backwards)
    )


def _rank(item: Item) -> tuple[int, float, str]:
    if isinstance(item, datetime):
        return 0, item.timestamp(), ""
    return (0, item, "") if isinstance(item, int | float) else (1, 0, text_of(item).casefold())


_TEA = AppItem("reminder", "Tea", {"Title": "Tea", "Notes": ""})
_LOGGED = AppItem("sample", "Water", {"Type": "Water", "Value": 8, "Unit": "oz"})


@action(
    "properties.calendarevents",
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
@action(
    "properties.reminders",
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Notes"}, ("",), (_TEA,)),
)
@action(
    "properties.health.quantity",
    Example({"WFInput": (_LOGGED,)}, ("Water",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Value"}, (8,), (_LOGGED,)),
)
@action(
    "properties.weather.conditions",
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
@action(
    "properties.parkedcar",
    Example({"WFInput": (_TEA,)}, ("Tea",)),
    Example({}, ()),
    Example({"WFContentItemPropertyName": "Title"}, ("Tea",), (_TEA,)),
)
def thing_property(call: Call) -> Content:
    """Return a property of each item of an app: its name if none is chosen."""
    return tuple(part for value in call.properties(call.input()) for part in spread(value))
