"""Read and write shortcuts as models write them: JSON with a list of actions.

The actions have the form that they have in a shortcut file.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from benchloom.core.built_in_actions import ACTIONS, SYSTEM_PREFIX
from benchloom.core.errors import RejectedInputError
from benchloom.core.records import NeedsInput, Shortcut
from benchloom.core.records.values import Plain, Value
from benchloom.evaluate.benchmarks.shortcuts.records import RawAction, actions_of
from benchloom.evaluate.benchmarks.shortcuts.structure import IDENTIFIER, PARAMETERS
from benchloom.evaluate.json_texts import json_in
from benchloom.exchange.examples import Call
from benchloom.worlds.suites.phone.orders import APP_IDENTIFIERS

_MAX_ACTIONS = 2000
_ENCODER = msgspec.json.Encoder()
_WRITTEN: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "alarms.create_alarm": (
        "com.apple.mobiletimer-framework.MobileTimerIntents.MTCreateAlarmIntent",
        {"time": "dateComponents", "label": "label"},
    ),
    "calendar.create_event": (
        "addnewevent",
        {
            "title": "WFCalendarItemTitle",
            "start": "WFCalendarItemStartDate",
            "end": "WFCalendarItemEndDate",
            "location": "WFCalendarItemLocation",
        },
    ),
    "notes.create_note": ("createnote", {"text": "WFCreateNoteInput"}),
    "phone.call_person": ("com.apple.mobilephone.call", {"person": "WFCallContact"}),
    "phone.copy_text": ("setclipboard", {"text": "WFInput"}),
    "phone.create_folder": ("file.createfolder", {"path": "WFFilePath"}),
    "phone.look_up_word": ("showdefinition", {"word": "Word"}),
    "phone.open_app": ("openapp", {"app": "WFAppIdentifier"}),
    "phone.open_url": ("openurl", {"url": "WFInput"}),
    "phone.post_text": ("tweet", {"text": "WFInput"}),
    "phone.save_text_file": (
        "documentpicker.save",
        {"path": "WFFileDestinationPath", "text": "WFInput"},
    ),
    "reminders.create_reminder": (
        "addnewreminder",
        {"title": "WFCalendarItemTitle", "due": "WFAlertCustomTime"},
    ),
}
"""Maps a tool to an action with the same effect, and the tool's parameters to the action's."""
_SWITCHES = {"wifi": "wifi.set", "cellular data": "cellulardata.set"}


def read_shortcut(output: Plain) -> Shortcut | None:
    """Return the shortcut in an output, or None if the output contains no shortcut.

    The output is an object with a list of actions, or only this list, or a text that contains the
    object or the list as JSON. A shortcut of more than 2,000 actions is not read.
    """
    try:
        written = json_in(output, _is_written) if isinstance(output, str) else output
        listed = written.get(ACTIONS) if isinstance(written, dict) else written
        actions = msgspec.convert(listed, list[RawAction])
    except (RejectedInputError, msgspec.ValidationError, RecursionError):
        return None
    if not 0 < len(actions) <= _MAX_ACTIONS:
        return None
    return Shortcut(
        shortcut_id="",
        canonical_digest="",
        source_digest="",
        source_uri="",
        container="json",
        icloud_ids=(),
        name=None,
        name_source=None,
        description=None,
        client_version=None,
        actions=actions_of(actions),
        length=len(actions),
        level=None,
        unique_api_count=0,
        action_count=len(actions),
        needs_input=NeedsInput((), (), None, ()),
        oddities=(),
        workflow="",
    )


def _is_written(value: Plain) -> bool:
    listed = value.get(ACTIONS) if isinstance(value, dict) else value
    return isinstance(listed, list) and all(
        isinstance(action, dict) and IDENTIFIER in action for action in listed
    )


def shortcut_text(calls: Sequence[Call]) -> str:
    """Write calls as the JSON of a shortcut that has the same effects and one action per call."""
    actions = [
        {
            IDENTIFIER: identifier if identifier.count(".") > 2 else SYSTEM_PREFIX + identifier,
            PARAMETERS: parameters,
        }
        for identifier, parameters in map(_written, calls)
    ]
    return _ENCODER.encode({ACTIONS: actions}).decode()


def _written(call: Call) -> tuple[str, dict[str, object]]:
    arguments: dict[str, Value] = {argument.name: argument.value for argument in call.arguments}
    if (call.app, call.api) == ("phone", "change_setting"):
        return _setting(str(arguments.get("name")), arguments.get("value"))
    identifier, names = _WRITTEN.get(f"{call.app}.{call.api}", (call.api, {}))
    if arguments.get("service") == "Facebook":
        identifier = "postonfacebook"
    return identifier, dict(_parameters(arguments, names))


def _parameters(
    arguments: Mapping[str, Value], names: Mapping[str, str]
) -> Iterator[tuple[str, object]]:
    for name, value in arguments.items():
        is_app = name == "app" and isinstance(value, str)
        yield names.get(name, name), APP_IDENTIFIERS.get(str(value), value) if is_app else value


def _setting(name: str, value: Value) -> tuple[str, dict[str, object]]:
    if name == "brightness":
        share = value.removesuffix("%") if isinstance(value, str) else ""
        return "setbrightness", {"WFBrightness": int(share) / 100 if share.isdecimal() else value}
    if name == "flashlight":
        return "flashlight", {"WFFlashlightSetting": value}
    if name == "focus":
        focus = {} if value == "do not disturb" else {"FocusModes": {"Identifier": value}}
        return "dnd.set", {"Enabled": value != "off", **focus}
    return _SWITCHES.get(name, f"set {name}"), {"OnValue": value == "on"}
