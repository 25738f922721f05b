"""Actions that find items of an app or of the input by conditions, or read their properties."""

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
from benchloom.device.call import Call, Function, action, property_of_each
from benchloom.device.conditions import holds
from benchloom.device.errors import UnsupportedError
from benchloom.device.items import AppItem, Content, Item, MadeAnswer, spread
from benchloom.device.items.coercion import text_of
from benchloom.device.items.properties import property_of

_INPUT = "WFContentItemInputParameter"
_BACKWARDS = frozenset({"Z to A", "Descending", "Latest First", "Largest First", "Biggest First"})
_ANY = 0


@action("filter.files")
@action("filter.articles")
@action("filter.health.quantity")
def find(call: Call) -> Content:
    """Return the items of the input, or of the user's library, that match the conditions.

    The items of the user's library are in the supplied answers.
    """
    if _searches_library(call):
        return _limited(call, call.run.ask("Items found")[0])
    return _filtered(call, call.content(_INPUT))


def _find_in_app(name: str, kind: str) -> Function:
    def find_rows(call: Call) -> Content:
        everyday = call.device.everyday
        searched = everyday.items(kind) if _searches_library(call) else call.content(_INPUT)
        return _filtered(call, searched)

    find_rows.__doc__ = f"Return the {kind}s that meet the conditions."
    return action(name)(find_rows)


find_notes = _find_in_app("filter.notes", "note")
find_reminders = _find_in_app("filter.reminders", "reminder")
find_events = _find_in_app("filter.calendarevents", "event")
find_contacts = _find_in_app("filter.contacts", "contact")
find_alarms = _find_in_app(
    "com.apple.mobiletimer-framework.MobileTimerIntents.MTGetAlarmsIntent", "alarm"
)


def _searches_library(call: Call) -> bool:
    return not call.has(_INPUT) or call.content(_INPUT) == ("Library",)


def _filtered(call: Call, content: Content) -> Content:
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
    if not isinstance(row, dict):
        raise UnsupportedError("a condition of Find has an unsupported form")
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
    # Random keeps the order, so that equal runs have equal results.
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


_WITH_PROPERTIES = ("calendarevents", "reminders", "health.quantity", "weather.conditions")
thing_property = property_of_each(
    [f"properties.{name}" for name in (*_WITH_PROPERTIES, "parkedcar")]
)
app_item_property = property_of_each(
    [f"properties.{name}" for name in ("music", "podcast", "podcastshow")],
    lambda item: [item] if isinstance(item, AppItem | MadeAnswer) else [],
)
