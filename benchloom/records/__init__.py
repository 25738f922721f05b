"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.records.rejected import Rejected
from benchloom.records.shortcut import (
    Action,
    Argument,
    ImportQuestion,
    NeedsInput,
    Redaction,
    Reference,
    Shortcut,
    TextLanguage,
)

__all__ = [
    "Action",
    "Argument",
    "ImportQuestion",
    "NeedsInput",
    "Redaction",
    "Reference",
    "Rejected",
    "Shortcut",
    "TextLanguage",
]
