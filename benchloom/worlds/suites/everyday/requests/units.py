"""The requests that users can make to convert and add measures, with their wording."""

from benchloom.worlds.requests.draws import called, capitalised, number
from benchloom.worlds.requests.wants import Requests, ask

_FAMILIES = (
    (called(km="kilometres", mi="miles"), called(m="metres", ft="feet")),
    (called(kg="kilograms", lb="pounds"), called(g="grams", oz="ounces")),
    (called(l="litres", pt="pints"), called(ml="millilitres", cup="cups")),
    (called(h="hours", d="days"), called(min="minutes")),
)
_SCALES = (
    ("degrees {scale}", "celsius", "fahrenheit"),
    ("degrees {scale}", "fahrenheit", "celsius"),
    ("{scale}", "kelvin", "fahrenheit"),
)
REQUESTS = Requests(
    questions=(
        *(
            ask(
                "convert {amount} {unit} to {to_unit}",
                "units.convert_units",
                "amount",
                {"amount": number(2, 400), "unit": unit, "to_unit": to_unit},
            )
            for unit, to_unit in _FAMILIES
        ),
        ask(
            "tell me what {amount} {unit} and {other_amount} {other_unit} come to in {unit}",
            "units.add_measures",
            "amount",
            {
                "amount": number(2, 90),
                "unit": called(kg="kilograms", lb="pounds"),
                "other_amount": number(100, 900),
                "other_unit": called(g="grams", oz="ounces"),
            },
        ),
        *(
            ask(
                f"convert {{degrees}} {unit} to {{to_scale}}",
                "units.convert_temperature",
                "degrees",
                {
                    "degrees": number(4, 260),
                    "scale": capitalised(scale),
                    "to_scale": capitalised(other_scale),
                },
            )
            for unit, scale, other_scale in _SCALES
        ),
    )
)
