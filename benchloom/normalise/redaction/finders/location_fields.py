"""Locations in structured fields: custom locations, placemarks, address lines, coordinates."""

import re

from benchloom.normalise.redaction.finder import Field, FieldFinder

_LOCATION_KEYS = re.compile(
    r"WF\w*CustomLocation|WFLocation|placemark|WFAddressLine\d|WFCity|WFPostalCode|"
    r"[Ss]treet|streetAddress|street_address|postalAddress|(?:subT|t)horoughfare|postalCode|"
    r"formattedAddress(?:Lines)?|addressLines?|addressDictionary|homeAddress|home_address|"
    r"workAddress|work_address|[Hh]ome [Aa]ddress|[Ww]ork [Aa]ddress"
)
_COORDINATE = re.compile(r"(?i)latitude|longitude|lat|lng|lon")
_DECIMAL = re.compile(r"\s*[-+]?\d{1,3}\.\d{2,}\s*")


def _judge(field: Field) -> str | None:
    if _LOCATION_KEYS.fullmatch(field.name):
        return "location"
    if _COORDINATE.fullmatch(field.name):
        value = field.value
        if isinstance(value, float) or (isinstance(value, str) and _DECIMAL.fullmatch(value)):
            return "location" if float(value) else None
        if isinstance(value, dict):
            return "location"
    return None


FINDER = FieldFinder(
    kinds=("location",),
    hint=re.compile(r"Location|placemark|ddress|City|Postal|treet|horoughfare|(?i:lat|lng|lon)"),
    judge=_judge,
)
