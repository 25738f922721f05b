"""What goes into a source of dialogues, and what it refuses."""

from typing import Literal

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ServiceOutcome, Utterance
from benchloom.core.records.planning_path import Mode

Droppable = Literal["failed", "retried", "superseded"]


class PlanOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is made of the dialogues.

    `drop` names outcomes whose calls flow mode leaves out. `variant` names the schemas under whose
    names the plans are written (v1 to v5 of SGD-X); flow mode only.
    """

    mode: Mode = "flow"
    drop: tuple[Droppable, ...] = ()
    variant: str | None = None


class Beside(msgspec.Struct, frozen=True):
    """A file that dialogues need, a schema for one: its bytes, or why they cannot be read."""

    source_uri: str
    data: bytes = b""
    fault: RejectedInputError | None = None


class DialogueInput(msgspec.Struct, frozen=True):
    """One input: the places of its files of dialogues, and what lies beside them.

    `top` is the split of dialogues that lie in no folder of the input.
    """

    dialogues: tuple[str, ...]
    beside: tuple[Beside, ...]
    top: str


class Refused(msgspec.Struct, frozen=True):
    """A dialogue that became no plan; `dialogue_id` is empty where none can be read."""

    dialogue_id: str
    reason: str
    message: str


class Said(msgspec.Struct, frozen=True):
    """The words of the user in one dialogue; see `benchloom.core.records.Dialogue`."""

    dialogue_id: str
    utterances: tuple[Utterance, ...] = ()
    is_whole: bool = True


class FoundCall(msgspec.Struct, frozen=True):
    """One recorded call; see `benchloom.core.records.ServiceResult`. `rows` are in their order."""

    turn: int
    service: str
    method: str
    definition_id: str
    arguments: str
    outcome: ServiceOutcome
    rows: tuple[str, ...]


class Found(msgspec.Struct, frozen=True):
    """What services gave back in one dialogue, call by call."""

    dialogue_id: str
    calls: tuple[FoundCall, ...] = ()
