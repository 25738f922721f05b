"""Define the styles of requests, which are ways to word a text.

A seed selects the style of each text.
"""

import hashlib

import msgspec


class Style(msgspec.Struct, frozen=True, gc=False):
    """A way to word a request; `rule` is the line of the prompt that asks for the style.

    Checks use the other fields: the minimum number of words, the maximum number of sentences of an
    instruction, and whether fragments may replace sentences.
    """

    name: str
    rule: str
    least_words: int = 5
    most_sentences: int = 1
    fragments: bool = False


STYLES = (
    Style(
        "terse",
        "As few words as the facts allow, like a note typed in a hurry. Whole words, no courtesy.",
        least_words=2,
        most_sentences=4,
        fragments=True,
    ),
    Style(
        "polite",
        "Courteous in the way the request is made, with no sentence that is courtesy alone.",
    ),
    Style(
        "indirect",
        "Tell what is wanted, missing or needed as a statement. No order, no question.",
    ),
    Style(
        "with_reason",
        "Say in a few words what it is for, and no more about that than the data tells.",
    ),
    Style(
        "spoken",
        "As people talk aloud: contractions, plain words, numbers and dates as they are said.",
    ),
)
"""All styles. The order is fixed, because a hash of seed and row selects a style by its
position."""


_BY_NAME = {style.name: style for style in STYLES}
PLAIN = Style("", "")
"""The style of a text for which no style was selected; it adds no rule to the prompt."""


def style_named(name: str) -> Style:
    """Return the style with this name, or the plain style if there is none."""
    return _BY_NAME.get(name, PLAIN)


def style_of(target_id: str, seed: int) -> Style:
    """Return the style for the text about a row; it depends only on the row's id and the seed."""
    drawn = hashlib.sha256(f"style {seed} {target_id}".encode("utf-8", "backslashreplace")).digest()
    return STYLES[int.from_bytes(drawn[:8], "big") % len(STYLES)]


def style_rule(style: Style) -> str:
    """Return the line of the prompt that asks for a style; it comes after the other rules."""
    return f'- Style "{style.name.replace("_", " ")}": {style.rule}'
