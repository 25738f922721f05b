"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.records.api_definition import (
    ApiDefinition,
    Availability,
    Conflict,
    DefinitionSource,
    Dependency,
    EnumValue,
    FieldOrigin,
    Note,
    Parameter,
    Return,
    Summary,
    Unknown,
    content_id,
    sealed,
)
from benchloom.records.app import App
from benchloom.records.capture import Capture, CaptureKind, Header
from benchloom.records.completion import Completion, PromptMessage
from benchloom.records.definition_check import ActionDefinition, DefinitionCheck, Finding
from benchloom.records.icloud_record import ICloudRecord, ICloudState
from benchloom.records.listing import Listing, PageKind
from benchloom.records.planning_path import (
    Dialogue,
    Edge,
    PlanningPath,
    PlanSource,
    RecordedResult,
    Step,
    StepArgument,
    Utterance,
)
from benchloom.records.query import Query
from benchloom.records.rejected import Rejected
from benchloom.records.shortcut import (
    Action,
    Argument,
    Icon,
    ImportQuestion,
    NeedsInput,
    Redaction,
    Reference,
    Shortcut,
    TextLanguage,
)
from benchloom.records.verdict import JUDGEMENT, Verdict, is_judgement
from benchloom.records.worlds.service_result import ResultRow, ServiceOutcome, ServiceResult
from benchloom.records.worlds.task import Task

__all__ = [
    "JUDGEMENT",
    "Action",
    "ActionDefinition",
    "ApiDefinition",
    "App",
    "Argument",
    "Availability",
    "Capture",
    "CaptureKind",
    "Completion",
    "Conflict",
    "DefinitionCheck",
    "DefinitionSource",
    "Dependency",
    "Dialogue",
    "Edge",
    "EnumValue",
    "FieldOrigin",
    "Finding",
    "Header",
    "ICloudRecord",
    "ICloudState",
    "Icon",
    "ImportQuestion",
    "Listing",
    "NeedsInput",
    "Note",
    "PageKind",
    "Parameter",
    "PlanSource",
    "PlanningPath",
    "PromptMessage",
    "Query",
    "RecordedResult",
    "Redaction",
    "Reference",
    "Rejected",
    "ResultRow",
    "Return",
    "ServiceOutcome",
    "ServiceResult",
    "Shortcut",
    "Step",
    "StepArgument",
    "Summary",
    "Task",
    "TextLanguage",
    "Unknown",
    "Utterance",
    "Verdict",
    "content_id",
    "is_judgement",
    "sealed",
]
