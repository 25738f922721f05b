"""Calculations in words, where what is calculated with goes by names that people gave it."""

import re

from prompts.inputs.shortcuts import Deed
from prompts.language.values import title_words

_NAMED = r'"?\[(?:variable|output): ([A-Za-z][A-Za-z ]{2,30})\]"?'
_SUM = re.compile(
    rf'^{_NAMED} "?([-+\u2212\u00d7\u00f7])"? (?:{_NAMED}|"?(\d+(?:\.\d+)?)"?)(?: ->|$)'
)
_WORDS = {
    "+": "add {other} to {one}",
    "-": "subtract {other} from {one}",
    "\u2212": "subtract {other} from {one}",
    "\u00d7": "multiply {one} by {other}",
    "\u00f7": "divide {one} by {other}",
}
_UNNAMED = frozenset(
    {
        "ask for input", "calculation result", "chosen item", "count", "dictionary value",
        "if result", "input", "item from list", "number", "numbers", "provided input", "result",
        "repeat index", "repeat item", "text", "variable", "value", "var", "expression",
    }
)  # fmt: skip
"""Names that outputs have when nobody named them."""


def sum_of(deed: Deed) -> str:
    """`multiply the shares by the price`; empty where a part has no name of its own."""
    sum_match = _SUM.match(deed.line)
    if deed.api != "math" or sum_match is None:
        return ""
    left_operand, sign, named, number = sum_match.groups()
    first, second = title_words(left_operand), title_words(named) if named else number
    if first in _UNNAMED or second in _UNNAMED:
        return ""
    other = f"the {second}" if named else second
    return _WORDS[sign].format(one=f"the {first}", other=other)
