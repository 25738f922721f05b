"""The app that converts amounts to other units; the app has no data."""

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias, cast

import msgspec

from benchloom.worlds.everyday.apps.calculator import exactly, rounded_result
from benchloom.worlds.state import RefusedError, State
from benchloom.worlds.tool import App, read_tool, tools_of

Amount: TypeAlias = Annotated[float, msgspec.Meta(ge=0, le=1e13)]
Degrees: TypeAlias = Annotated[float, msgspec.Meta(ge=-460, le=1e6)]
Dimension: TypeAlias = Literal[
    "length", "area", "volume", "mass", "time", "speed", "energy", "data"
]
Scale: TypeAlias = Literal["celsius", "fahrenheit", "kelvin"]
# fmt: off
Unit: TypeAlias = Literal[
    "mm", "cm", "m", "km", "in", "ft", "yd", "mi", "nmi", "m2", "ha", "km2", "acre",
    "ml", "l", "m3", "cup", "pt", "gal", "g", "kg", "t", "oz", "lb", "s", "min", "h", "d", "wk",
    "m/s", "km/h", "mph", "kn", "J", "kJ", "kcal", "kWh", "B", "kB", "MB", "GB", "TB",
]
# fmt: on
FACTORS: dict[Dimension, str] = {
    "length": "mm .001 cm .01 m 1 km 1000 in .0254 ft .3048 yd .9144 mi 1609.344 nmi 1852",
    "area": "m2 1 ha 10000 km2 1000000 acre 4046.8564224",
    "volume": "ml .001 l 1 m3 1000 cup .2365882365 pt .473176473 gal 3.785411784",
    "mass": "g .001 kg 1 t 1000 oz .028349523125 lb .45359237",
    "time": "s 1 min 60 h 3600 d 86400 wk 604800",
    "speed": "m/s 1 km/h 5/18 mph .44704 kn 463/900",
    "energy": "J 1 kJ 1000 kcal 4184 kWh 3600000",
    "data": "B 1 kB 1000 MB 1000000 GB 1000000000 TB 1000000000000",
}
"""The units of each dimension, each with its factor to the unit whose factor is 1.

Cups, pints and gallons are those of the United States.
"""
_SCALES: dict[Scale, tuple[Fraction, Fraction]] = {
    "celsius": (Fraction(1), Fraction("273.15")),
    "fahrenheit": (Fraction(5, 9), Fraction("459.67") * 5 / 9),
    "kelvin": (Fraction(1), Fraction(0)),
}
_UNITS: dict[Unit, tuple[Dimension, Fraction]] = {
    cast("Unit", unit): (dimension, Fraction(factor))
    for dimension, said in FACTORS.items()
    for unit, factor in zip(said.split()[::2], said.split()[1::2], strict=True)
}


class Measure(msgspec.Struct, frozen=True):
    """An amount in a unit, rounded to ten decimal places."""

    amount: float
    unit: Unit


class Temperature(msgspec.Struct, frozen=True):
    """A temperature on a scale."""

    degrees: float
    scale: Scale


class UnitName(msgspec.Struct, frozen=True):
    """A unit and its dimension."""

    unit: Unit
    dimension: Dimension


@read_tool(amount="how much.", unit="the unit of the amount.", to_unit="the target unit.")
def convert_units(_state: State, *, amount: Amount, unit: Unit, to_unit: Unit) -> Measure:
    """Convert an amount to another unit of the same dimension."""
    return Measure(rounded_result(_in_first(amount, unit, to_unit) / _UNITS[to_unit][1]), to_unit)


@read_tool(
    amount="how much.",
    unit="its unit.",
    other_amount="the second amount.",
    other_unit="the unit of the second amount.",
)
def add_measures(
    _state: State, *, amount: Amount, unit: Unit, other_amount: Amount, other_unit: Unit
) -> Measure:
    """Add two amounts of the same dimension; the sum is in the unit of the first."""
    total = _in_first(amount, unit, other_unit) + _in_first(other_amount, other_unit, unit)
    return Measure(rounded_result(total / _UNITS[unit][1]), unit)


@read_tool(
    degrees="the temperature.", scale="the scale of the temperature.", to_scale="the target scale."
)
def convert_temperature(
    _state: State, *, degrees: Degrees, scale: Scale, to_scale: Scale
) -> Temperature:
    """Convert a temperature to another scale."""
    factor, offset = _SCALES[scale]
    kelvin = exactly(degrees) * factor + offset
    if kelvin < 0:
        raise RefusedError("invalid_argument", "the temperature is below 0 kelvin")
    factor, offset = _SCALES[to_scale]
    return Temperature(rounded_result((kelvin - offset) / factor), to_scale)


@read_tool(dimension="the dimension.")
def search_units(_state: State, *, dimension: Dimension) -> list[UnitName]:
    """Find the units of a dimension."""
    return [UnitName(unit, kind) for unit, (kind, _) in _UNITS.items() if kind == dimension]


def _in_first(amount: float, unit: Unit, other: Unit) -> Fraction:
    dimension, factor = _UNITS[unit]
    if _UNITS[other][0] != dimension:
        raise RefusedError(
            "invalid_argument",
            f"{unit} and {other} have different dimensions: {dimension}, {_UNITS[other][0]}",
        )
    return exactly(amount) * factor


APP = App(
    tools=tools_of("units", globals()),
    goals={
        "add_measures": "add up two measures",
        "convert_temperature": "convert a temperature to another scale",
        "convert_units": "convert a measure to another unit",
    },
)
