"""Frozen typed records, one module per published table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

from benchloom.core.records.api_definition import (
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
from benchloom.core.records.app import App
from benchloom.core.records.capture import Capture, Header, header_value
from benchloom.core.records.completion import Completion, PromptMessage
from benchloom.core.records.definition_check import ActionDefinition, DefinitionCheck, Finding
from benchloom.core.records.icloud_record import ICloudRecord, ICloudState
from benchloom.core.records.listing import Listing, PageKind
from benchloom.core.records.planning_path import (
    Dialogue,
    Edge,
    PlanningPath,
    PlanSource,
    RecordedResult,
    Step,
    StepArgument,
    Utterance,
)
from benchloom.core.records.query import Query
from benchloom.core.records.rejected import Rejected
from benchloom.core.records.shortcut import (
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
from benchloom.core.records.verdict import JUDGEMENT, Verdict, is_judgement
from benchloom.core.records.worlds.execution import (
    ExecutedStep,
    Execution,
    ExecutionEffect,
    ExecutionQuestion,
)
from benchloom.core.records.worlds.service_result import (
    ResultRow,
    ServiceOutcome,
    ServiceResult,
    Wording,
)
from benchloom.core.records.worlds.task import Task

__all__ = [
    "JUDGEMENT",
    "Action",
    "ActionDefinition",
    "ApiDefinition",
    "App",
    "Argument",
    "Availability",
    "Capture",
    "Completion",
    "Conflict",
    "DefinitionCheck",
    "DefinitionSource",
    "Dependency",
    "Dialogue",
    "Edge",
    "EnumValue",
    "ExecutedStep",
    "Execution",
    "ExecutionEffect",
    "ExecutionQuestion",
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
    "Wording",
    "content_id",
    "header_value",
    "is_judgement",
    "sealed",
]
