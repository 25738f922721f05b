"""Read the bytes of a file into the root mapping of a shortcut, whatever its container."""

from typing import Literal

import msgspec

from benchloom.core.built_in_actions import ACTIONS, IDENTIFIER
from parsers.errors import ParseError
from parsers.file_kinds import is_signed, refuse_icloud_record, refuse_other_kind
from parsers.property_lists import is_binary, read_binary, read_xml, xml_start
from parsers.walk import check_json

Container = Literal["binary", "xml", "json", "signed"]
MAX_BYTES = 64 * 1024 * 1024


class Root(msgspec.Struct, frozen=True):
    """The outermost mapping of a shortcut file, the file's container, and tolerated faults."""

    mapping: dict[str, object]
    actions: list[object]
    container: Container
    flags: tuple[str, ...]


def read_root(data: bytes) -> Root:
    """Return the root of a shortcut file; raise ParseError if it is empty, damaged or too large."""
    if not data:
        raise ParseError("empty_file", "the file is empty")
    if len(data) > MAX_BYTES:
        raise ParseError("too_large", f"the file has {len(data)} bytes; the limit is {MAX_BYTES}")
    flags: list[str] = []
    container: Container
    if is_signed(data):
        from parsers.apple_archive import read_signed

        container = "signed"
        value = _read_property_list(read_signed(data), flags)
    elif is_binary(data):
        container = "binary"
        value = read_binary(data)
    elif xml_start(data) is not None:
        container = "xml"
        value = _read_property_list(data, flags)
    else:
        container = "json"
        value = _read_json(data, flags)
    mapping, actions = _find_shortcut(value, flags)
    return Root(mapping, actions, container, tuple(flags))


def _read_property_list(data: bytes, flags: list[str]) -> object:
    if is_binary(data):
        return read_binary(data)
    value, stripped = read_xml(data)
    if stripped:
        flags.append("control_characters_stripped")
    return value


def _read_json(data: bytes, flags: list[str]) -> object:
    trimmed = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    refuse_other_kind(trimmed)
    if not trimmed.startswith((b"{", b"[")):
        raise ParseError(
            "unknown_format", "the file is neither a property list, nor JSON, nor a signed shortcut"
        )
    check_json(trimmed)
    try:
        return msgspec.json.decode(trimmed)
    except UnicodeDecodeError as error:
        raise ParseError("bad_text", f"JSON: {error.reason}") from error
    except msgspec.DecodeError as error:
        if "surrogate" in str(error):
            return _read_json_with_surrogates(trimmed, flags)
        raise ParseError("bad_json", f"JSON: {error}") from error


def _read_json_with_surrogates(data: bytes, flags: list[str]) -> object:
    # Each escaped lone surrogate becomes U+FFFD.
    import json

    try:
        value = json.loads(data)
        flags.append("lone_surrogates_replaced")
        text = json.dumps(value, ensure_ascii=False)
        return msgspec.json.decode(
            text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    except ValueError as error:
        raise ParseError("bad_json", f"JSON: {error}") from error


def _find_shortcut(value: object, flags: list[str]) -> tuple[dict[str, object], list[object]]:
    # Real dumps have shortcuts in these wrappers.
    if isinstance(value, list) and len(value) == 1 and _has_actions(value[0]):
        flags.append("wrapped_in_list")
        value = value[0]
    if isinstance(value, dict) and ACTIONS not in value and isinstance(value.get("shortcut"), dict):
        flags.append("nested_under_shortcut")
        value = value["shortcut"]
    if isinstance(value, list) and value and all(_is_action(entry) for entry in value):
        flags.append("bare_action_list")
        return {}, value
    if not isinstance(value, dict) or ACTIONS not in value:
        refuse_icloud_record(value)
        raise ParseError("not_a_shortcut", f"the root ({type(value).__name__}) has no {ACTIONS}")
    actions = value[ACTIONS]
    if not isinstance(actions, list):
        raise ParseError(
            "not_a_shortcut", f"{ACTIONS} must be a list, but is a {type(actions).__name__}"
        )
    return value, actions


def _has_actions(value: object) -> bool:
    return isinstance(value, dict) and (ACTIONS in value or "shortcut" in value)


def _is_action(value: object) -> bool:
    return isinstance(value, dict) and IDENTIFIER in value
