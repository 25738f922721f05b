"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.records.capture import Capture, CaptureKind, Header
from benchloom.records.icloud_record import ICloudRecord, ICloudState
from benchloom.records.listing import Listing, PageKind
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

__all__ = [
    "Action",
    "Argument",
    "Capture",
    "CaptureKind",
    "Header",
    "ICloudRecord",
    "ICloudState",
    "ImportQuestion",
    "Listing",
    "NeedsInput",
    "PageKind",
    "Redaction",
    "Reference",
    "Rejected",
    "Shortcut",
]
