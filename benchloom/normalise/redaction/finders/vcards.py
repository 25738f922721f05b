"""Contact cards inside texts.

Authors also build menus from cards that contain only a title and a picture. A card therefore
counts only if it has a value for a phone number, an address, a birthday or the like.
"""

import re
from collections.abc import Iterable

from benchloom.normalise.redaction.finders import Span, TextFinder

_BEGIN = "BEGIN:VCARD"
_END = "END:VCARD"
_PERSONAL = re.compile(
    r"(?im)^(?:[\w-]{1,20}\.)?(?:TEL|EMAIL|ADR|BDAY|GEO|IMPP|X-SOCIALPROFILE|LABEL)[^:\n]{0,200}:"
    r"(?=.*\w).{0,400}?[^\s;\ufffc]"
)


def _find(text: str) -> Iterable[Span]:
    position = text.find(_BEGIN)
    while position >= 0:
        end = text.find(_END, position)
        stop = len(text) if end < 0 else end + len(_END)
        if _PERSONAL.search(text, position, stop):
            yield Span(position, stop, "contact")
        position = text.find(_BEGIN, stop)


FINDER = TextFinder(kinds=("contact",), hint=re.compile(_BEGIN), find=_find, whole=True)
