"""Sorting by words: several replacements in a row that put a text into one of a few drawers."""

import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed

_DRAWER = re.compile(
    r'^Replace "(?:\(\?i\))?\^?\.\*\([^()"]{0,2000}\|[^()"]{0,2000}(?:\)\.\*\$?|\.\.\.)" '
    r'with "([^"\[\]]{2,30})" in '
)
"""A text that has one of several words in it becomes the name of a drawer; long ones are cut."""
LEAST = 3


def drawers(deeds: Sequence[Deed]) -> dict[int, str]:
    """The drawers by the actions that fill them; empty where there are too few to be a sorting."""
    drawer_by_action = {
        deed.action_index: drawer[1]
        for deed in deeds
        if deed.api == "text.replace" and (drawer := _DRAWER.match(deed.line))
    }
    return drawer_by_action if len(drawer_by_action) >= LEAST else {}


def sorting_clause(names: Sequence[str]) -> str:
    """`tell whether it is "Tea", "Milk" or "Sugar"`."""
    quoted_names = [f'"{name}"' for name in dict.fromkeys(names)]
    return f"tell whether it is {', '.join(quoted_names[:-1])} or {quoted_names[-1]}"
