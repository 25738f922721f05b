"""Find property lists inside texts: bookmarks, activities and contacts of a device.

Property lists in base64 are opaque and are replaced as a whole. Property lists in XML are text,
often a template that the author wrote: only their opaque data and the entries with revealing names
are replaced.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder
from benchloom.normalise.redaction.finders._names import LABELS, secret_kind
from benchloom.normalise.redaction.placeholders import is_stand_in

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/])(?:YnBsaXN0|PD94bWwg|Ym9va)[A-Za-z0-9+/\s]{16,}={0,2}")
"""Matches Base64 data that begins with `bplist`, `<?xml ` or `book` (a bookmark)."""
_DATA = re.compile(r"<data>\s*([A-Za-z0-9+/\s]{16,}={0,2})\s*</data>")
_ENTRY = re.compile(
    r"<key>([^<]{2,64})</key>\s{0,40}<(?:string|integer)>\s*([^<\ufffc]{1,4000})</(?:string|integer)>"
)


def _find(text: str) -> Iterable[Span]:
    for match in _BASE64.finditer(text):
        yield Span(match.start(), match.start() + len(match[0].rstrip()), "nested_property_list")
    for match in _DATA.finditer(text):
        yield Span(match.start(1), match.end(1), "nested_property_list")
    for match in _ENTRY.finditer(text):
        kind = secret_kind(match[1])
        if kind is not None and LABELS[kind].is_value(match[2]) and not is_stand_in(match[2]):
            yield Span(match.start(2), match.end(2), kind)


FINDER = TextFinder(
    kinds=("nested_property_list", *LABELS),
    hint=re.compile(r"YnBsaXN0|PD94bWwg|Ym9va|<data>|<key>"),
    find=_find,
    whole=True,
)
