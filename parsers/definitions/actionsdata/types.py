"""Read value types of App Intents metadata: unions of one key, with a number for the type."""

from collections.abc import Callable

import msgspec

from benchloom.core.records import EnumValue
from parsers.definitions import TextTables
from parsers.definitions.documents import Mapping
from parsers.definitions.values import list_of, mapping_of, text_of

_PRIMITIVE = {
    0: "String",
    1: "Boolean",
    2: "Integer",
    7: "Number",
    8: "Date",
    9: "DateComponents",
    10: "Placemark",
    11: "URL",
    12: "AttributedString",
}
_INTENTS = {3: ("Person", "object"), 12: ("File", "file"), 14: ("CurrencyAmount", "object")}
_MEASUREMENT = {1: "Length", 7: "Duration"}
_MAX_NESTING = 16


class ValueType(msgspec.Struct, frozen=True):
    """A value type; `unknown` is true if this parser does not know the union or a number in it."""

    type: str
    kind: str
    multiple: bool = False
    unknown: bool = False


def read_type(union: object, nesting: int = 0) -> ValueType:
    """Return the type that a union with one key declares.

    A number that is not known becomes part of the name, as in `primitive.99`.
    """
    if not isinstance(union, dict) or len(union) != 1 or nesting > _MAX_NESTING:
        return ValueType("Any", "object", unknown=True)
    namespace, raw = next(iter(union.items()))
    inner = mapping_of(mapping_of(raw).get("wrapper", raw))
    if namespace == "array":
        return _list_of(read_type(inner.get("memberValueType"), nesting + 1))
    if namespace in ("entity", "linkEntity"):
        return ValueType(text_of(inner.get("typeName")) or "Entity", "entity")
    if namespace == "linkEnumeration":
        name = text_of(inner.get("identifier"))
        return ValueType(name or "Enumeration", "enum", unknown=name is None)
    if namespace == "searchCriteria":
        return ValueType("SearchCriteria", "object")
    return _type_by_number(str(namespace), inner)


def _list_of(member: ValueType) -> ValueType:
    if member.multiple or member.kind == "array":
        return ValueType(f"Array<{member.type}>", "array", multiple=True, unknown=member.unknown)
    return ValueType(member.type, member.kind, multiple=True, unknown=member.unknown)


def _type_by_number(namespace: str, inner: Mapping) -> ValueType:
    number = inner.get("unitType" if namespace == "measurement" else "typeIdentifier")
    if isinstance(number, int):
        if namespace == "primitive" and number in _PRIMITIVE:
            return ValueType(_PRIMITIVE[number], "primitive")
        if namespace == "intents" and number in _INTENTS:
            return ValueType(*_INTENTS[number])
        if namespace == "measurement":
            name = _MEASUREMENT.get(number)
            return ValueType(name or f"measurement.{number}", "measurement", unknown=name is None)
    type_name = namespace if number is None else f"{namespace}.{number}"
    return ValueType(type_name, "primitive" if namespace == "primitive" else "object", unknown=True)


def read_enumerations(
    root: Mapping, texts: TextTables, localised: Callable[[object, TextTables], str | None]
) -> dict[str, tuple[EnumValue, ...]]:
    """Return a mapping from identifier to values for all enumerations in a file.

    Enumerations that are declared inside actions are included.
    """
    declared = list(list_of(root.get("enums")))
    for action in mapping_of(root.get("actions")).values():
        for entry in list_of(mapping_of(action).get("typeSpecificMetadata")):
            nested = mapping_of(mapping_of(entry).get("enumMetadata")).get("wrapper")
            if nested:
                declared.append(nested)
    enumerations: dict[str, tuple[EnumValue, ...]] = {}
    for raw in declared:
        enumeration = mapping_of(raw)
        name = text_of(enumeration.get("identifier"))
        if name is None or name in enumerations:
            continue
        enumerations[name] = tuple(
            EnumValue(
                str(case["identifier"]),
                localised(mapping_of(case.get("displayRepresentation")).get("title"), texts),
            )
            for case in list_of(enumeration.get("cases"))
            if isinstance(case, dict) and text_of(case.get("identifier"))
        )
    return enumerations
