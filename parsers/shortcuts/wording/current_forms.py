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
_DECIMAL_PLACES = "WFRoundDecimalPlaces"
_QUOTE = '"'
_SIDES = {"Right of Decimal": "right", "Left of Decimal": "left"}


def in_current_form(api: str, arguments: Mapping[str, Argument]) -> dict[str, Argument]:
    """Return the arguments of a call by name, old ones replaced by those that the app reads."""
    if api == _ADJUST and PICKER in arguments:
        return with_duration(arguments)
    if api == _ROUND and "WFRoundType" in arguments:
        return _rounded(arguments)
    return dict(arguments)


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
