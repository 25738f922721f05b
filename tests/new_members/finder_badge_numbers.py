"""Redaction finder of staff badge numbers."""

import re

from benchloom.normalise.redaction.finders import TextFinder, spans_of

_BADGE = re.compile(r"(?<![\w-])(BADGE-[0-9]{6})(?![\w-])")

FINDER = TextFinder(
    kinds=("badge_number",), hint=re.compile("BADGE-"), find=spans_of("badge_number", _BADGE)
)
