"""Measures."""

from benchloom.worlds.asking.draws import number, words
from benchloom.worlds.asking.wants import Named, Question, Requests

_FAMILIES = (
    ("km", "mi", "m", "ft"),
    ("kg", "lb", "g", "oz"),
    ("l", "pt", "ml", "cup"),
    ("min", "h", "d", "s"),
)
_SCALES = (("celsius", "fahrenheit"), ("fahrenheit", "celsius"), ("kelvin", "fahrenheit"))
REQUESTS = Requests(
    questions=(
        *(
            Question(
                "convert {it}",
                Named(
                    "units.convert_units",
                    "amount",
                    "{amount} {unit} to {to_unit}",
                    by={
                        "amount": number(2, 400),
                        "unit": words(*family[:2]),
                        "to_unit": words(*family[2:]),
                    },
                    one=True,
                ),
            )
            for family in _FAMILIES
        ),
        Question(
            "tell me what {it}",
            Named(
                "units.add_measures",
                "amount",
                "{amount} {unit} and {other_amount} {other_unit} come to in {unit}",
                by={
                    "amount": number(2, 90),
                    "unit": words("kg", "lb"),
                    "other_amount": number(100, 900),
                    "other_unit": words("g", "oz"),
                },
                one=True,
            ),
        ),
        *(
            Question(
                "convert {it}",
                Named(
                    "units.convert_temperature",
                    "degrees",
                    "{degrees} degrees {scale} to {to_scale}",
                    by={"degrees": number(4, 260), "scale": words(one), "to_scale": words(other)},
                    one=True,
                ),
            )
            for one, other in _SCALES
        ),
    )
)
