"""Find: items of the person's libraries, which are answers, or a sorted part of the input."""

from datetime import datetime

from benchloom.device.call import GUESS, Call, Example, action
from benchloom.device.coercion import text_of
from benchloom.device.content import Content, Item, Made
from benchloom.device.errors import UnsupportedError
from benchloom.device.properties import property_of

_ANSWER: Content = (Made(("answer 0",)),)
_INPUT = "WFContentItemInputParameter"
_SORTED = {"WFContentItemSortProperty": "Name"}
_BACKWARDS = frozenset({"Z to A", "Descending", "Latest First", "Largest First", "Biggest First"})
_FOUND = (
    Example({}, _ANSWER),
    Example({_INPUT: "Library"}, _ANSWER, ("x",)),
    Example({_INPUT: ("b", "a"), **_SORTED}, ("a", "b")),
    Example({_INPUT: ("a", "b"), **_SORTED, "WFContentItemSortOrder": "Z to A"}, ("b", "a")),
    Example({_INPUT: (), **_SORTED}, ()),
)


@action("filter.files", GUESS, *_FOUND)
@action("filter.articles", GUESS, *_FOUND)
@action("filter.notes", GUESS, *_FOUND)
@action("filter.reminders", GUESS, *_FOUND)
@action("filter.calendarevents", GUESS, *_FOUND)
@action("filter.contacts", GUESS, *_FOUND)
@action("filter.health.quantity", GUESS, *_FOUND)
@action("com.apple.mobiletimer-framework.MobileTimerIntents.MTGetAlarmsIntent", GUESS, *_FOUND)
def find(call: Call) -> Content:
    """Return what the person's library holds, or the input sorted; conditions are not read yet.

    Raises:
        UnsupportedError: the input has to be compared with conditions.
    """
    content = call.content(_INPUT)
    if not call.has(_INPUT) or content == ("Library",):
        content = call.run.ask("Items found")[0]
    elif content and _has_conditions(call.content("WFContentItemFilter")):
        raise UnsupportedError("unsupported conditions of Find on an input")
    else:
        content = _sorted(call, content)
    if call.flag("WFContentItemLimitEnabled"):
        content = content[: max(int(call.number("WFContentItemLimitNumber", 1)), 0)]
    return content


def _has_conditions(content: Content) -> bool:
    return any(
        isinstance(item, dict) and bool(item.get("WFActionParameterFilterTemplates"))
        for item in content
    )


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
