"""Find contact cards (vCard) inside texts.

Authors also build menus from cards that contain only a title and a picture. A card therefore counts
only if it has a value for a phone number, an address, a birthday or the like.
"""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of

_CARD = re.compile(r"(?s)BEGIN:VCARD.*?(?:END:VCARD|\Z)")
_PERSONAL = re.compile(
    r"(?im)^(?:[\w-]{1,20}\.)?(?:TEL(?=[^:\n]{0,200}:(?:\D{0,20}\d){6})|EMAIL|ADR|BDAY|GEO|IMPP|X-SOCIALPROFILE|LABEL)[^:\n]{0,200}:"
    r"(?=.*\w).{0,400}?[^\s;\ufffc]"
)


def _is_personal(card: str) -> bool:
    return _PERSONAL.search(card) is not None


FINDER = TextFinder(
    kinds=("contact",),
    hint=re.compile("BEGIN:VCARD"),
    find=spans_of("contact", _CARD, is_value=_is_personal),
    whole=True,
)
