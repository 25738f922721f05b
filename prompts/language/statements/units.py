"""Define the units that people name, the quantity that each unit measures, and its size."""

import msgspec

from prompts.language.words import word_set


class Unit(msgspec.Struct, frozen=True, gc=False):
    """A unit of measurement: the quantity that it measures, and its size in a base unit.

    Units with equal `measures` are of one kind. A size of 0 means that the unit is unknown.
    Currencies and temperature scales have a `name`, because they are never converted.
    """

    measures: str
    size: float
    name: str = ""

    def agrees(self, other: "Unit") -> bool:
        """Whether amounts in the two units can be compared."""
        if self.measures != other.measures:
            return False
        return not (self.name and other.name) or self.name == other.name


_TABLE: dict[str, dict[float, str]] = {
    "time": {
        1e-3: "ms millisecond", 1: "s sec secs second", 60: "m min mins minute",
        3600: "h hr hrs hour", 86400: "d day night", 604800: "w wk week", 1209600: "fortnight",
        2629800: "month", 31557600: "year",
    },
    "distance": {
        1e-3: "mm millimeter millimetre", 0.01: "cm centimeter centimetre", 1: "meter metre",
        1000: "km kms kilometer kilometre", 1609.344: "mi mile", 0.9144: "yd yard",
        0.3048: "ft foot feet", 0.0254: "inch inches",
    },
    "weight": {
        1e-6: "mcg microgram \u00b5g \u03bcg", 1e-3: "mg milligram milligramme",
        1: "g gr gram gramme", 1000: "kg kgs kilo kilogram kilogramme", 453.59237: "lb lbs pound",
        28.349523: "oz ounce",
    },
    "volume": {
        1e-3: "ml milliliter millilitre", 0.01: "cl centiliter centilitre", 1: "l liter litre",
        0.24: "cup", 3.785411784: "gallon", 0.473176473: "pint pt", 0.0148: "tbsp tablespoon",
        0.0049: "tsp teaspoon",
    },
    "energy": {1: "kcal calorie cal", 0.239: "kj kilojoule"},
    "data": {1e-3: "byte", 1: "kb kilobyte", 1000: "mb megabyte", 1e6: "gb gigabyte",
             1e9: "tb terabyte"},
    "percent": {1: "% percent percentage pct"},
    "money": {
        1: "dollar buck $ usd; euro \u20ac eur; quid \u00a3 gbp; yen \u00a5 jpy; rupee \u20b9 inr; "
        "franc chf",
        0.01: "cent",
    },
    "temperature": {1: "degree \u00b0; celsius \u00b0c centigrade c; fahrenheit \u00b0f f"},
    "area": {1: "sqft sqm acre hectare"},
    "speed": {1609.344 / 3600: "mph", 1000 / 3600: "kmh kph"},
}  # fmt: skip
_UNITS = {
    word: Unit(kind, size, group.split()[0] if ";" in words and "degree" not in group else "")
    for kind, sizes in _TABLE.items()
    for size, words in sizes.items()
    for group in words.split(";")
    for word in group.split()
}
_HINTS = {
    "cost": "money", "price": "money", "fare": "money", "money": "money", "rent": "money",
    "budget": "money", "balance": "money", "salary": "money", "fee": "money", "payment": "money",
    "humidity": "percent", "precipitation": "percent", "brightness": "percent", "level": "percent",
    "opacity": "percent", "volume": "percent", "battery": "percent", "tip": "percent",
    "fraction": "percent", "ratio": "percent", "temperature": "temperature", "wind": "speed",
    "distance": "distance", "radius": "distance", "weight": "weight", "duration": "time",
    "stay": "time", "wait": "time", "timer": "time", "snooze": "time",
    "delay": "time", "speed": "speed",
}  # fmt: skip
_ANY = word_set(
    "number value amount magnitude quantity operand input argument limit measurement threshold"
)
PERCENT = "percent"


def unit_named(word: str) -> Unit | None:
    """Return the unit that a lower-case word names in singular or plural, or None."""
    word = word.removesuffix("'s")
    unit = _UNITS.get(word)
    if unit is None and word.endswith("s") and len(word) > 3:
        unit = _UNITS.get(word[:-1])
    return unit


def units_expected(words: list[str]) -> tuple[Unit, ...]:
    """Return the units that the words about a parameter suggest, most explicit ones first.

    A quantity without a named unit has size 0: a `delay` is a time in an unknown unit.
    """
    named = [unit for word in words if len(word) > 2 and (unit := unit_named(word)) is not None]
    named_measures = {unit.measures for unit in named}
    hinted = [
        Unit(_HINTS[word], 0.0)
        for word in words
        if _HINTS.get(word, "") not in named_measures | {""}
    ]
    return tuple(dict.fromkeys([*named, *hinted]))


def takes_any_unit(words: list[str]) -> bool:
    """Whether a parameter is described only as a number, so that any unit is possible."""
    return not words or any(word in _ANY for word in words)
