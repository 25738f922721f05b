"""Actions that make, read and change lists and dictionaries."""

from benchloom.device.call import Call, action
from benchloom.device.errors import ActionError
from benchloom.device.items import Content, Item, MadeAnswer, Url, spread
from benchloom.device.items.coercion import dictionary_of, from_json, text_of
from benchloom.device.items.item_types import coerced
from benchloom.device.items.properties import value_for_key


@action("list")
def make_list(call: Call) -> Content:
    """Return the items of a list."""
    return call.content("WFItems")


@action("getitemfromlist")
def item_from_list(call: Call) -> Content:
    """Return an item or a range of the input by position, counted from 1.

    Positions outside the input return nothing (not checked on a device). A random item is always
    the first item, so that equal runs have equal results.
    """
    content = call.input()
    if len(content) == 1:
        content = spread(content[0])
    specifier = call.text("WFItemSpecifier", "First Item")
    match specifier:
        case "First Item" | "Random Item":
            return content[:1]
        case "Last Item":
            return content[-1:]
        case "Item At Index":
            position = int(call.number("WFItemIndex", 1))
            if content and isinstance(content[0], MadeAnswer):
                return (content[0].part(str(position)),)
            return content[position - 1 : position] if position > 0 else ()
        case "Items in Range":
            start = max(int(call.number("WFItemRangeStart", 1)), 1)
            end = int(call.number("WFItemRangeEnd", len(content)))
            return content[start - 1 : max(end, 0)]
    raise ActionError(f"unknown kind of position '{specifier}'")


@action("dictionary")
def dictionary(call: Call) -> Content:
    """Return the dictionary in the arguments."""
    return call.content("WFItems") or ({},)


@action("detect.dictionary")
def detect_dictionary(call: Call) -> Content:
    """Return the input as dictionaries, one for each entry of a JSON list.

    The response to the request of a URL is read as JSON, because many early shortcuts rely on this.
    Neither conversion was checked on a device.
    """
    content: list[Item] = []
    for item in call.input():
        content += call.request(item.address) if isinstance(item, Url) else (item,)
    return coerced(tuple(content), "WFDictionaryContentItem", call.now) or ()


@action("getvalueforkey")
def value_of_key(call: Call) -> Content:
    """Return the value of a key, all keys, or all values; nothing if the key is missing."""
    kind = call.text("WFGetDictionaryValueType", "Value")
    results: list[Item] = []
    for item in call.input():
        if kind == "Value":
            key = call.text("WFDictionaryKey")
            results += spread(value_for_key(item, key)) if key else (item,)
            continue
        if isinstance(item, MadeAnswer):
            results += (item.part(part) for part in ("first", "second"))
            continue
        dictionary = dictionary_of(item) or {}
        results += dictionary if kind == "All Keys" else dictionary.values()
    return tuple(results)


@action("setvalueforkey")
def set_value(call: Call) -> Content:
    """Return the dictionary with a new value for a key.

    If the new value has several items, it is stored as a list (not checked on a device).
    """
    content = call.input("WFDictionary")
    before = dictionary_of(content[0]) if content else {}
    value = call.content("WFDictionaryValue")
    inside: Item = value[0] if len(value) == 1 else list(value)
    if isinstance(inside, str):
        parsed = from_json(inside)
        inside = inside if parsed is None else parsed
    return ({**(before or {}), call.text("WFDictionaryKey"): inside},)


@action("getitemname")
def item_name(call: Call) -> Content:
    """Return the name of each item.

    The name of a text is the text itself (not checked on a device).
    """
    return tuple(text_of(item) for item in call.input())
