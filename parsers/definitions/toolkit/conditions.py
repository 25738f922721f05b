"""Read conditions between the parameters of ToolKit tools, and requirements for running a tool."""

from collections.abc import Mapping

from benchloom.core.records import Availability, Dependency
from parsers.definitions.toolkit.values import read_value
from parsers.definitions.toolkit.wire import Field, Opaque, read_fields
from parsers.definitions.values import json_text

_RELATIONS = {
    1: "has_value",
    2: "has_no_value",
    3: "==",
    4: "!=",
    5: ">",
    6: "<",
    7: "contains",
    8: "does_not_contain",
}
_PLATFORMS = {1: "iPhone", 2: "iPad", 3: "Mac", 4: "Apple Watch", 5: "Apple TV", 6: "Vision"}
_VERSIONS = {2: "introduced", 3: "deprecated", 4: "obsoleted"}


def read_relationships(
    data: bytes, types: Mapping[str, str], path: str, opaque: Opaque
) -> tuple[Dependency, ...]:
    """Read the conditions of one parameter.

    `types` maps the key of each parameter of the tool to the name of its type.
    """
    dependencies: list[Dependency] = []
    for field in opaque.messages(data, path, {1}):
        key = ""
        relations: list[Field] = []
        for inner in opaque.messages(field.payload, path, {1, 2}):
            if inner.number == 1:
                key = inner.text
            else:
                relations.extend(read_fields(inner.payload))
        for relation in relations:
            name = _RELATIONS.get(relation.number)
            if name is None:
                opaque.add(f"{path}.relation", relation)
                continue
            values = _operands(relation, types.get(key), f"{path}.{name}", opaque)
            dependencies.append(Dependency(key, name, values))
    return tuple(dependencies)


def _operands(relation: Field, type_name: str | None, path: str, opaque: Opaque) -> tuple[str, ...]:
    if not relation.is_message:
        return ()
    values: list[str] = []
    for field in opaque.messages(relation.payload, path, {1}):
        value = read_value(field.payload, path, opaque).value
        # The blob stores a boolean as the number 0 or 1.
        if type_name == "Boolean" and value in (0, 1):
            value = bool(value)
        values.append(json_text(value))
    return tuple(values)


def read_requirements(data: bytes, opaque: Opaque) -> tuple[Availability, ...]:
    """Read what a tool requires: platform versions, capabilities, feature flags, device states."""
    availabilities: list[Availability] = []
    for field in opaque.messages(data, "requirements", {1}):
        for inner in read_fields(field.payload):
            if inner.number == 1 and inner.is_message:
                availabilities.append(_platform(inner.payload, opaque))
            elif inner.number == 2 and inner.is_message:
                availabilities.append(Availability("capability", _fields_text(inner.payload)))
            elif inner.number == 3 and inner.is_message:
                texts = [part.text for part in read_fields(inner.payload) if part.is_message]
                availabilities.append(Availability("feature_flag", "/".join(texts)))
            elif inner.number == 4:
                availabilities.append(Availability("device_state", str(inner.integer)))
            else:
                opaque.add("requirements", inner)
    return tuple(availabilities)


def _platform(data: bytes, opaque: Opaque) -> Availability:
    name = "any"
    versions: dict[str, str] = {}
    for field in read_fields(data):
        if field.number == 1 and not field.is_message:
            name = _PLATFORMS.get(field.integer, f"platform {field.integer}")
        elif field.number in _VERSIONS and field.is_message:
            versions[_VERSIONS[field.number]] = _version(field.payload, opaque)
        elif field.number == 2:
            versions["introduced"] = str(field.integer)
        else:
            opaque.add("requirements.platform", field)
    return Availability("platform", name, **versions)


def _version(data: bytes, opaque: Opaque) -> str:
    # Field 4 marks a version without a number; its meaning is unknown.
    parts = {1: 0, 2: 0, 3: 0}
    unbounded = False
    for field in read_fields(data):
        if field.number in parts and not field.is_message:
            parts[field.number] = field.integer
        elif field.number == 4 and not field.is_message:
            unbounded = True
        else:
            opaque.add("requirements.version", field)
    if unbounded:
        return "unbounded"
    return f"{parts[1]}.{parts[2]}" + (f".{parts[3]}" if parts[3] else "")


def _fields_text(data: bytes) -> str:
    parts: list[str] = []
    for field in read_fields(data):
        if field.is_message:
            parts.extend(
                part.text if part.is_message else str(part.integer)
                for part in read_fields(field.payload)
            )
        else:
            parts.append(str(field.integer))
    return "=".join(parts)
