"""Name the built-in actions and keys of shortcut files, and read the tokens inside arguments.

A token marks where the output of an action is used in a text. Offsets and lengths of tokens are
UTF-16 units, as in the files; they come from keys like "{4, 1}".
"""

import re
from functools import lru_cache

import msgspec

SYSTEM_APP = "is.workflow.actions"
"""The app id of all built-in actions, even of those that other apps of the device provide."""
SYSTEM_PREFIX = f"{SYSTEM_APP}."
ACTIONS = "WFWorkflowActions"
"""The key under which the file of a shortcut contains the list of actions."""


def built_in(*names: str) -> frozenset[str]:
    """Return the full identifiers of built-in actions: the names with the system's prefix."""
    return frozenset(SYSTEM_PREFIX + name for name in names)


CONDITIONAL = f"{SYSTEM_APP}.conditional"
MENU = f"{SYSTEM_APP}.choosefrommenu"
REPEAT_COUNT = f"{SYSTEM_APP}.repeat.count"
REPEAT_EACH = f"{SYSTEM_APP}.repeat.each"
BRANCHING = frozenset({CONDITIONAL, MENU})
CONTROL = BRANCHING | {REPEAT_COUNT, REPEAT_EACH}
COMMENT = f"{SYSTEM_APP}.comment"
ALERT = f"{SYSTEM_APP}.alert"
UNCOUNTED = CONTROL | {COMMENT, ALERT}
"""Actions that ShortcutsBench counts neither in a shortcut's length nor among its APIs."""
UNCOUNTED_OR_NONE = UNCOUNTED | {""}
"""All of `UNCOUNTED`, and the empty text, which stands for a missing identifier."""

TEXT = f"{SYSTEM_APP}.gettext"
NUMBER = f"{SYSTEM_APP}.number"
URL = f"{SYSTEM_APP}.url"
RUN_SHORTCUT = f"{SYSTEM_APP}.runworkflow"
VARIABLE_SETTERS = built_in("setvariable", "appendvariable")


IDENTIFIER = "WFWorkflowActionIdentifier"
PARAMETERS = "WFWorkflowActionParameters"
GROUP = "GroupingIdentifier"
MODE = "WFControlFlowMode"
UUID = "UUID"
CUSTOM_OUTPUT_NAME = "CustomOutputName"
CONDITIONS = "WFConditions"

STRUCTURAL_PARAMETERS = frozenset({UUID, GROUP, MODE, CUSTOM_OUTPUT_NAME})
"""Parameters that a record stores as columns of an action and not as arguments, if they have the
usual type."""

PASSING_ON = built_in(
    *("alert", "comment", "delay", "notification", "openapp", "openurl", "playsound"),
    *("setbrightness", "setclipboard", "setvariable", "setvolume", "showresult", "speaktext"),
    *("vibrate", "waittoreturn"),
)
"""Actions whose output is their input."""
NUMERIC = built_in(
    *("calculateexpression", "count", "detect.number", "gettimebetweendates", "math"),
    *("number", "number.random", "round", "statistics"),
)
"""Actions whose output is a number."""

PROMPTING = built_in(
    *("ask", "choosefrommenu", "choosefromlist", "documentpicker.open", "getclipboard"),
    *("date", "getdevicedetails", "selectphoto", "selectcontacts", "selectphone"),
    *("selectemail", "takephoto", "takevideo", "dictatetext", "recordaudio", "scanbarcode"),
    *("getcurrentlocation", "file.select", "exportsong", "pickplaylist"),
)
"""Actions that ask a person or read the device's state."""


OUTPUT_UUID = "OutputUUID"
OUTPUT_NAME = "OutputName"
ATTACHMENTS = "attachmentsByRange"
PARTS = "Aggrandizements"
"""The key in a token that says which part of an output the token uses."""
SERIALIZATION = "WFSerializationType"
INPUT_TOKENS = frozenset({"Ask", "Clipboard", "CurrentDate", "DeviceDetails", "ExtensionInput"})
LEGACY_INPUT = "Input"
"""In early files, a token of this type stands for the output of the previous action."""
PLACEHOLDER = b"\xfc\xff"
"""The character (in UTF-16) that marks the position of a token in a text."""
_RANGE = re.compile(r"\{\s*(\d{1,10})\s*,\s*(\d{1,10})\s*\}", re.ASCII)
_MAX_UNITS = 2**31 - 1
_SHORT = 16

Mapping = dict[str, object]


def input_kind(token_type: object) -> str | None:
    """Return the kind of user or device input that a token requests, such as "Ask", or None."""
    if isinstance(token_type, str) and token_type in INPUT_TOKENS:
        return token_type
    return None


def parse_range(key: str) -> tuple[int, int] | None:
    """Parse the key of a token in a text: "{4, 1}" gives the offset 4 and the length 1.

    Returns None for any other text.
    """
    return _short_range(key) if len(key) <= _SHORT else _any_range(key)


def _any_range(key: str) -> tuple[int, int] | None:
    match = _RANGE.fullmatch(key.strip())
    if match is None:
        return None
    offset, length = int(match[1]), int(match[2])
    return (offset, length) if max(offset, length) <= _MAX_UNITS else None


_short_range = lru_cache(maxsize=4096)(_any_range)  # Cached: most texts have the same few ranges.


def split_location(location: str) -> tuple[str, tuple[int, int] | None]:
    """Split the location of a token into the path of a text and the token's range in this text."""
    head, _, tail = location.rpartition(f"/{ATTACHMENTS}/")
    key, slash, rest = tail.partition("/")
    return (head + slash + rest if slash else head), parse_range(key)


_PART_NAMES = {
    "WFDictionaryValueVariableAggrandizement": ("key", "DictionaryKey"),
    "WFPropertyVariableAggrandizement": ("property", "PropertyName"),
    "WFContentItemPropertyName": ("property", "PropertyName"),
    "WFCoercionVariableAggrandizement": ("as", "CoercionItemClass"),
}
_DATE_FORMAT = "WFDateFormatVariableAggrandizement"


def part_of_output(mapping: Mapping) -> str:
    """Return which part of an action's output a token selects, such as `key(name).as(class)`.

    Shortcut files call these selections aggrandizements. The text is empty if the token selects the
    whole output.
    """
    steps = mapping.get(PARTS)
    if not steps or not isinstance(steps, list):
        return ""
    parts: list[str] = []
    for step in steps:
        if not isinstance(step, dict):
            continue
        kind = step.get("Type")
        if kind == _DATE_FORMAT:
            parts.append(_date_format(step))
            continue
        name, field = _PART_NAMES.get(kind, (str(kind), "")) if isinstance(kind, str) else ("?", "")
        parts.append(f"{name}({_plain(step.get(field, ''))})")
    return ".".join(parts)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value, order="sorted").decode()


def _date_format(step: Mapping) -> str:
    # `date(style)`, `time(style)`, both, or a custom format.
    date, time = _plain(step.get("WFDateFormatStyle", "")), step.get("WFTimeFormatStyle")
    if date == "Custom":
        return f"date({_plain(step.get('WFDateFormat', 'Custom'))})"
    if date == "ISO 8601":
        return (
            "date(ISO 8601 with time)"
            if step.get("WFISO8601IncludeTime") is True
            else f"date({date})"
        )
    if time is None or date == "RFC 2822":
        return f"date({date})"
    time_text = f"time({_plain(time)})"
    return time_text if date == "None" else f"date({date}) {time_text}"
