"""Old parameters under the names and values that the system's current definitions have.

Early editors stored an offset or a rounding in parameters of their own. The app converts them
when it opens the file, unless the current parameter is there too: then that one decides.
"""

from collections.abc import Mapping

import msgspec

from benchloom.core.built_in_actions import SYSTEM_PREFIX
from benchloom.core.early_offsets import PICKER, literal, with_duration
from benchloom.core.records import Argument

_ADJUST, _ROUND = f"{SYSTEM_PREFIX}adjustdate", f"{SYSTEM_PREFIX}round"
_REMINDER, _COMBINE = f"{SYSTEM_PREFIX}addnewreminder", f"{SYSTEM_PREFIX}image.combine"
_BETWEEN = f"{SYSTEM_PREFIX}gettimebetweendates"
_MODES = {"Vertical": "Vertically", "Horizontal": "Horizontally"}
_DECIMAL_PLACES = "WFRoundDecimalPlaces"
_QUOTE = '"'
_SIDES = {"Right of Decimal": "right", "Left of Decimal": "left"}


def in_current_form(api: str, arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """Return the arguments of a call by name, old ones replaced by those that the app reads."""
    if api == _ADJUST and PICKER in arguments:
        return with_duration(arguments)
    if api == _ROUND and "WFRoundType" in arguments:
        return _rounded(arguments)
    if api == _REMINDER and "WFAlertTrigger" in arguments:
        return _alerted(arguments)
    if api == _COMBINE and (mode := _MODES.get(_text(arguments, "WFImageCombineDirection"))):
        return {"WFImageCombineMode": literal("WFImageCombineMode", mode), **arguments}
    if api == _BETWEEN and _text(arguments, "WFTimeUntilReferenceDate") == "Other":
        return _since_custom_date(arguments)
    return dict(arguments)


def _text(arguments: Mapping[str, Argument], name: str) -> str:
    argument = arguments.get(name)
    return argument.value.strip(_QUOTE) if argument and argument.kind == "literal" else ""


def _alerted(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    condition = _text(arguments, "WFAlertTrigger")
    if condition == "At Location":
        is_arrival = _text(arguments, "WFAlertLocationProximity") in {"", "Enter"}
        condition = "When I Arrive" if is_arrival else "When I Leave"
    return {
        "WFAlertEnabled": literal("WFAlertEnabled", "Alert"),
        "WFAlertCondition": literal("WFAlertCondition", condition),
        **arguments,
    }


def _since_custom_date(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    rest = dict(arguments)
    date = rest.pop("WFTimeUntilCustomDate", None)
    if date is None or "WFTimeUntilFromDate" in rest:
        return dict(arguments)
    del rest["WFTimeUntilReferenceDate"]
    return rest | {"WFTimeUntilFromDate": msgspec.structs.replace(date, name="WFTimeUntilFromDate")}


def _rounded(arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    side = msgspec.json.decode(arguments["WFRoundType"].value)
    rest = {
        name: argument
        for name, argument in arguments.items()
        if name not in {"WFRoundType", _DECIMAL_PLACES}
    }
    if "WFRoundTo" in rest:
        return rest
    if not isinstance(side, str) or side not in _SIDES:
        return rest if side == "Ones Place" else dict(arguments)
    places = arguments.get(_DECIMAL_PLACES)
    if places is not None and places.kind != "literal":
        return dict(arguments)
    count = f"{places.value.strip(_QUOTE)} " if places is not None else ""
    noun = "place" if count == "1 " else "places"
    words = f"{count}{noun} {_SIDES[side]} of the decimal point"
    rest["WFRoundTo"] = literal("WFRoundTo", words)
    return rest
