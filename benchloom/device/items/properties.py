"""Read the values of dictionaries by their keys, and the properties of items by their names."""

from datetime import datetime

import msgspec

from benchloom.device.errors import UnsupportedError
from benchloom.device.items import (
    AppItem,
    Contact,
    File,
    Item,
    Location,
    MadeAnswer,
    ending_of_kind,
)
from benchloom.device.items.coercion import dictionary_of, from_json, text_of

TYPE_NAMES: tuple[tuple[type, str], ...] = (
    (bool, "Boolean"),
    (str, "Text"),
    (int, "Number"),
    (float, "Number"),
    (datetime, "Date"),
    (dict, "Dictionary"),
    (list, "List"),
)


def type_name(item: Item) -> str:
    """Return the app's name of an item's type."""
    if isinstance(item, File):
        return "Image" if item.is_image else "File"
    if isinstance(item, AppItem):
        return item.kind.capitalize()
    if isinstance(item, MadeAnswer):
        return "Text"
    for kind, name in TYPE_NAMES:
        if isinstance(item, kind):
            return name
    return {"Url": "URL", "RichText": "Rich Text"}.get(type(item).__name__, type(item).__name__)


def value_for_key(item: Item, key: str) -> Item:
    """Return the value of a dictionary's key, or None if the key is missing.

    If the dictionary lacks the whole key, dots in the key separate the keys of nested dictionaries.
    A number between dots is a position in a list, from 0 (not checked on a device).
    """
    if isinstance(item, MadeAnswer):
        return item.part(*key.split("."))
    dictionary = dictionary_of(item)
    if dictionary is not None and key in dictionary:
        return dictionary[key]
    node: Item = dictionary if dictionary is not None else item
    if isinstance(node, str):
        node = from_json(node)
    for part in key.split("."):
        if isinstance(node, dict):
            node = node.get(part)
        elif isinstance(node, list) and part.isascii() and part.isdigit() and len(part) < 10:
            node = node[int(part)] if int(part) < len(node) else None
        else:
            return None
    return node


def property_of(item: Item, name: str) -> Item:
    """Return a property of an item by its name in the app.

    Raises:
        UnsupportedError: the device does not support this property.
    """
    if isinstance(item, MadeAnswer):
        return item.part(name)
    if name == "Name":
        if isinstance(item, File):
            stem, dot, _ = item.name.rpartition(".")
            return stem if dot else item.name
        return item.name if isinstance(item, AppItem | Contact | Location) else text_of(item)
    if isinstance(item, dict):
        if name == "Keys":
            return list(item)
        if name == "Values":
            return list(item.values())
    if isinstance(item, AppItem) and name in item.properties:
        return item.properties[name]
    if isinstance(item, File):
        properties: dict[str, Item] = {
            "File Extension": item.name.rpartition(".")[2]
            if "." in item.name
            else ending_of_kind(item.kind),
            "File Size": len((item.text or "").encode()),
            "Width": item.width,
            "Height": item.height,
        }
        if name in properties:
            return properties[name]
    if isinstance(item, Contact):
        first, _, last = item.name.partition(" ")
        fields: dict[str, Item] = {
            "First Name": first,
            "Last Name": last,
            "Company": item.company,
            "Notes": item.note,
            "Birthday": item.birthday,
            "Phone Numbers": list(item.phones),
            "Phone Number": list(item.phones),
            "Email Addresses": list(item.emails),
            "Email Address": list(item.emails),
            "Street Addresses": [],
        }
        if name in fields:
            return fields[name]
    if isinstance(item, Location):
        key = {"ZIP Code": "postal_code", "Region": "country"}.get(
            name, name.lower().replace(" ", "_")
        )
        if key in Location.__struct_fields__:
            field: Item = msgspec.structs.asdict(item)[key]
            return field
    raise UnsupportedError(f"unsupported property {name} of {type_name(item)}")
