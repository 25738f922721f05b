"""Measures."""

from benchloom.worlds.suites.everyday.asking.draws import number, words
from benchloom.worlds.suites.everyday.asking.wants import Named, Question, Requests

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
                text="convert {it}",
                about=Named(
                    tool="units.convert_units",
                    by={
                        "amount": number(2, 400),
                        "unit": words(*family[:2]),
                        "to_unit": words(*family[2:]),
                    },
                    field="amount",
                    text="{amount} {unit} to {to_unit}",
                    one=True,
                ),
            )
            for family in _FAMILIES
        ),
        Question(
            text="tell me what {it}",
            about=Named(
                tool="units.add_measures",
                by={
                    "amount": number(2, 90),
                    "unit": words("kg", "lb"),
                    "other_amount": number(100, 900),
                    "other_unit": words("g", "oz"),
                },
                field="amount",
                text="{amount} {unit} and {other_amount} {other_unit} come to in {unit}",
                one=True,
            ),
        ),
        *(
            Question(
                text="convert {it}",
                about=Named(
                    tool="units.convert_temperature",
                    by={"degrees": number(4, 260), "scale": words(one), "to_scale": words(other)},
                    field="degrees",
                    text="{degrees} degrees {scale} to {to_scale}",
                    one=True,
                ),
            )
            for one, other in _SCALES
        ),
    ),
)
