"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.records.planning_path import Edge, PlanningPath, Step, StepArgument
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
    "Edge",
    "ImportQuestion",
    "NeedsInput",
    "PlanningPath",
    "Redaction",
    "Reference",
    "Rejected",
    "Shortcut",
    "Step",
    "StepArgument",
]
