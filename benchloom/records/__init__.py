"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.records.completion import Completion, PromptMessage
from benchloom.records.query import Query
from benchloom.records.rejected import Rejected
from benchloom.records.shortcut import (
    Action,
    Argument,
    ImportQuestion,
    NeedsInput,
    Redaction,
    Reference,
    Shortcut,
)
from benchloom.records.verdict import Verdict

__all__ = [
    "Action",
    "Argument",
    "Completion",
    "ImportQuestion",
    "NeedsInput",
    "PromptMessage",
    "Query",
    "Redaction",
    "Reference",
    "Rejected",
    "Shortcut",
    "Verdict",
]
