"""Recognise the unit after a number in a text, and the unit that a result field's name states."""

import re
from collections.abc import Mapping

from benchloom.core.records.values import Plain

_SPELLINGS: Mapping[str, str] = {
    "crown": "crowns? crs? kr\\.?",
    "cent": "cents? hundredths?",
    "money": r"euros? dollars? bucks? usd eur gbp € \$ £ yen",
    "km": "km kms kilomet(?:re|er)s?",
    "m": "m met(?:re|er)s?",
    "cm": "cm centimet(?:re|er)s?",
    "mm": "mm millimet(?:re|er)s?",
    "mi": "mi miles?",
    "ft": "ft feet foot",
    "in": "inch(?:es)?",
    "yd": "yd yards?",
    "kg": "kg kgs kilos? kilograms?",
    "g": "g grams? grammes?",
    "mg": "mg milligrams?",
    "lb": "lbs? pounds?",
    "oz": "oz ounces?",
    "l": "l lit(?:re|er)s?",
    "ml": "ml millilit(?:re|er)s?",
    "pt": "pts? pints?",
    "cup": "cups?",
    "min": "mins? minutes?",
    "h": "h hrs? hours?",
    "d": "d days?",
    "s": "s secs? seconds?",
    "week": "weeks?",
    "month": "months?",
    "year": "years?",
    "celsius": "°c c celsius (?:degrees?|°) ?c(?:elsius)? centigrade",
    "fahrenheit": "°f f fahrenheit (?:degrees?|°) ?f(?:ahrenheit)?",
    "kelvin": "k kelvins?",
    "degree": "degrees? °",
    "km/h": r"km/h kmh kph (?:km|kilomet(?:re|er)s?) ?(?:per|an) ?hour",
    "mph": r"mph mi/h miles? ?(?:per|an) ?hour",
    "m/s": r"m/s met(?:re|er)s? ?(?:per|a) ?second",
    "knot": "knots? kn",
    "percent": "% percent pct per ?cent",
    "gb": "gb gigabytes?",
    "watt": "w watts?",
}
_TEMPERATURES = frozenset({"celsius", "fahrenheit", "kelvin", "degree"})
_SPEEDS = frozenset({"km/h", "mph", "m/s", "knot"})
_FAMILIES = (
    (r"price|fare|cost|rent|fee|balance", frozenset({"money", "crown"})),
    (r"humidity|percent|chance|precipitation|level", frozenset({"percent"})),
    (r"wind|speed", _SPEEDS),
    (r"temp|temperature|degrees", _TEMPERATURES),
    (r"duration|wait|minutes|time", frozenset({"min", "h"})),
    (r"days", frozenset({"d"})),
    (r"weight", frozenset({"kg", "lb"})),
)
"""Words in a field's name, and the units that they allow if the name itself states no unit."""
# Longer spellings come first: `degrees c` means Celsius, `degrees` can be any scale.
_PATTERNS = sorted(
    (
        (pattern, unit)
        for unit, patterns in _SPELLINGS.items()
        for pattern in re.sub(r" \?", "\0", patterns).split(" ")
    ),
    key=lambda entry: -len(entry[0]),
)
_UNIT = re.compile(
    r"(?: |-)?(?:us |imperial )?(?:"
    + "|".join(
        f"(?P<_{number}>{pattern.replace(chr(0), ' ?')})"
        for number, (pattern, _) in enumerate(_PATTERNS)
    )
    + r")(?!\w|/(?!night|day|week|month|person|piece))"
)
_COUNTED = frozenset({"d", "week", "month", "year"})
"""Units that are the counted things in the names of fields such as `working_days`."""
_ARGUMENTS = ("to_unit", "to_scale", "unit")


def unit_after(lower: str, position: int) -> tuple[str, int] | None:
    """Return the unit that follows a number, and the position at which the unit ends.

    `position` is the end of the number. The result is None if no unit follows.
    """
    match = _UNIT.match(lower, position)
    if match is None or match.lastgroup is None:
        return None
    return _PATTERNS[int(match.lastgroup[1:])][1], match.end()


def unit_of_field(field: str, arguments: Mapping[str, Plain]) -> str:
    """Return the unit that the field's name or the call's arguments state, or ""."""
    stated, _, last = field.partition("_per_")[0].rpartition("_")
    words = [last] if stated else []
    if field in {"amount", "degrees"}:
        words = [str(arguments[name]).lower() for name in _ARGUMENTS if name in arguments]
    units = (match[0] for word in words if (match := unit_after(word, 0)) is not None)
    return next((unit for unit in units if stated == "" or unit not in _COUNTED), "")


def units_of_field(field: str) -> frozenset[str]:
    """Return the units that a number may be stated in if its field names no unit."""
    words = set(re.split(r"_", field.lower()))
    return frozenset().union(
        *(units for names, units in _FAMILIES if words & set(names.split("|")))
    )
