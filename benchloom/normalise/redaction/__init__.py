"""Replace secret and personal values by typed placeholders before a row is published.

Secrets are detected by structure first (`FieldFinder`, `FlowFinder`) and then by pattern
(`TextFinder`). Each module of `finders` contains one finder and is discovered. Redaction does not
change the ids and digests of a row, because they are computed from the original values.
"""

from benchloom.normalise.redaction.finders import FINDERS
from benchloom.normalise.redaction.placeholders import PLACEHOLDER, placeholder
from benchloom.normalise.redaction.shortcuts import redact_shortcut
from benchloom.normalise.redaction.texts import redact_text

__all__ = [
    "FINDERS",
    "PLACEHOLDER",
    "placeholder",
    "redact_shortcut",
    "redact_text",
]
