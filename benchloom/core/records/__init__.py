"""Define the rows of published tables as frozen typed records, one class for each table.

The fields of a record are the columns of the table of the same name in `datasets/`;
tests/contracts/test_records.py compares the two.
"""

import msgspec

from benchloom.core.records.api_definition import (
    ActionDefinition,
    ApiDefinition,
    App,
    Availability,
    Conflict,
    DefinitionCheck,
    DefinitionSource,
    Dependency,
    EnumValue,
    FieldOrigin,
    Finding,
    Note,
    Parameter,
    Return,
    Summary,
    Unknown,
    content_id,
    sealed,
)
from benchloom.core.records.captures import (
    Capture,
    Header,
    ICloudRecord,
    ICloudState,
    Listing,
    PageKind,
    header_value,
)
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
from benchloom.core.records.texts import (
    JUDGEMENT,
    Completion,
    PromptMessage,
    Query,
    Verdict,
    is_judgement,
)
from benchloom.core.records.worlds import (
    ExecutedStep,
    Execution,
    ExecutionEffect,
    ExecutionQuestion,
    ResultRow,
    ServiceOutcome,
    ServiceResult,
    Task,
    Wording,
)

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


LONGEST_MESSAGE = 500
"""Maximum number of characters of a stored message. An error may quote damaged input of any
length."""


class Rejected(msgspec.Struct, frozen=True, gc=False):
    """A row of the table `rejected`: an input object or row that a stage left out, with the reason.

    `source_uri` is the path of the object under its input. `digest` is the digest of the bytes or
    row that was left out; for a merged row it is the id of the row that was kept. A message longer
    than `LONGEST_MESSAGE` is cut between words, with an ellipsis, because a secret that is cut in
    the middle would no longer be recognised as a secret.
    """

    stage: str
    source_uri: str
    reason: str
    message: str
    digest: str | None = None

    def __post_init__(self) -> None:
        if len(self.message) > LONGEST_MESSAGE:
            excerpt = self.message[: LONGEST_MESSAGE - 2]
            if not self.message[len(excerpt)].isspace():
                excerpt = excerpt.rpartition(" ")[0]
            msgspec.structs.force_setattr(self, "message", f"{excerpt.rstrip()} …".lstrip())


def rejected_order(row: Rejected) -> tuple[str, str, str, str, str]:
    """Return the key by which rows of the table `rejected` are sorted."""
    return row.stage, row.source_uri, row.reason, row.digest or "", row.message
