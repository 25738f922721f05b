"""Which literal arguments of a shortcut a person's request has to carry."""

import re

import msgspec

from benchloom.built_in_actions import COMMENT
from prompts.data_block import clean_text
from prompts.subject import Value

MOST = 6
"""Values a single natural request can carry."""
LONGEST = 48
_INTERNAL = re.compile(
    r"variable|uuid|identifier|bundle|serialization|mode$|^show-|icon|colou?r|wfcomment|style|"
    r"detailedentry|advanced|^wfhttp|headers|^appintent|entityname|keypath|itemtype|expression|"
    r"pattern|locale|encoding|timezone|casesensitive|^wfmenu|label|version|prompt|inputtype|"
    r"storageservice|password|^wfssh|voice|language|sortby|sortorder|operation|operator|mathop|"
    r"actionkey|dictionarykey|collection|count$|separator|specifier|behaviou?r|synchron|timeunit",
    re.IGNORECASE,
)
_PLAIN_WORDS = re.compile(r"[^\W_][\w .,:&'/°%+#!?-]*")
_CODE = re.compile(
    r"[0-9A-F]{8}-[0-9A-F]{4}-|^[0-9a-f]{16,}$|\.[a-z]+\.[A-Za-z]+\.|^https?:|^\w+://"
)


class LiteralArgument(msgspec.Struct, frozen=True, gc=False):
    """A literal argument of an action; `value` is its canonical JSON."""

    action_index: int
    api: str
    name: str
    value: str


def required_values(literals: tuple[LiteralArgument, ...]) -> tuple[Value, ...]:
    """The values a request must weave in: short words and numbers a person would say.

    Switches, ids, addresses, code, and long texts are how a shortcut is built, not what a person
    asks for; at most six values are taken, in order of appearance.
    """
    found: dict[str, Value] = {}
    for literal in literals:
        value = spoken_value(literal)
        if value is not None and value not in found:
            found[value] = Value(value, literal.name)
            if len(found) == MOST:
                break
    return tuple(found.values())


def spoken_value(literal: LiteralArgument) -> str | None:
    """The value as a person would say it, None when nobody would."""
    if literal.api == COMMENT or _INTERNAL.search(literal.name):
        return None
    decoded = msgspec.json.decode(literal.value)
    if isinstance(decoded, bool) or decoded is None:
        return None
    if isinstance(decoded, dict):
        inner = decoded.get("Value")
        decoded = inner.get("string") if isinstance(inner, dict) else None
    if isinstance(decoded, int | float):
        return f"{decoded:g}" if isinstance(decoded, float) else str(decoded)
    if not isinstance(decoded, str):
        return None
    text = clean_text(decoded, LONGEST + 1).strip()
    if not text or len(text) > LONGEST or "\n" in text:
        return None
    return text if _PLAIN_WORDS.fullmatch(text) and not _CODE.search(text) else None
