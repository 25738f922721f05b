"""Conditions and their outcomes in words: an hour of the day, and which of two reports comes."""

import re
from collections.abc import Sequence

from prompts.inputs.shortcuts import Deed

_HOUR = re.compile(r'\bformat string: "HH?"')
_LIMIT = re.compile(r'If \[[^\]]+\] is (less than|at least) "?(\d{1,2})"?$')
_ON_THE_CLOCK = frozenset({"date", "format.date", "setvariable", "getvariable", "number"})
"""What stands before a condition on the hour, and nothing else."""
_TEXT = re.compile(
    r'^(?:Show alert|Show notification|Show) "([^"\[\]\\]{2,60}[^"\[\]\\?])"(?: *\{|$)'
)
_TITLE = re.compile(r'\btitle of the (?:alert|notification): "([^"\[\]\\]{2,60})"')
UNTOLD = "let me know how it turns out"


def hour_of(block: Deed, deeds: Sequence[Deed]) -> tuple[str, str] | None:
    """`before 7 o'clock` and its value; None for a condition on anything else."""
    limit = _LIMIT.match(block.line)
    before = [deed for deed in deeds if deed.action_index < block.action_index]
    hours = sum(_HOUR.search(deed.line) is not None for deed in before)
    if limit is None or hours != 1 or any(deed.api not in _ON_THE_CLOCK for deed in before):
        return None
    if not 0 < int(limit[2]) < 24:
        return None
    hour = f"{limit[2]} o'clock"
    return f"before {hour}" if limit[1] == "less than" else f"{hour} or later", limit[2]


def inside_of(block: Deed) -> str:
    """What the branches of the actions inside a block begin with."""
    return f"{block.branch}/{block.action_index}." if block.branch else f"{block.action_index}."


def outcome_of(block: Deed, deeds: Sequence[Deed]) -> str:
    """What is shown in each part of a condition that does nothing but report."""
    lead = inside_of(block)
    texts: dict[str, str] = {}
    for deed in deeds:
        if deed.branch.startswith(lead):
            texts.setdefault(deed.branch, "")
            match = _TEXT.search(deed.line) or _TITLE.search(deed.line)
            if match is not None and not texts[deed.branch]:
                texts[deed.branch] = " ".join(match[1].split())
    visible_texts = [text for text in texts.values() if text]
    if len(visible_texts) != 2 or len(texts) != 2 or visible_texts[0] == visible_texts[1]:
        return UNTOLD
    return f'show me "{visible_texts[0]}" or "{visible_texts[1]}", whichever applies'
