"""The inputs and options of a dialogue conversion, and the records that it returns.

Files in the same folder of an input belong together.
"""

from collections.abc import Iterator

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import PlanningPath, ResultRow, ServiceOutcome, Utterance, Wording
from benchloom.core.records.planning_path import Droppable, Mode


class PlanOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Options for converting dialogues to plans.

    `mode` says how references between calls are found: `flow` by equal values, `name` by equal
    names, as AppBench does. `drop` names outcomes whose calls are left out, and `variant` the
    schemas whose names the plans use (v1 to v5 of SGD-X); both require the mode `flow`.
    """

    mode: Mode = "flow"
    drop: tuple[Droppable, ...] = ()
    variant: str | None = None


class AccompanyingFile(msgspec.Struct, frozen=True):
    """A file that dialogues need, such as a schema.

    `fault` says why its bytes cannot be read, and is None if they can.
    """

    source_uri: str
    data: bytes = b""
    fault: RejectedInputError | None = None


class DialogueInput(msgspec.Struct, frozen=True):
    """One input of a conversion of dialogues.

    `dialogues` are the locations of its files of dialogues, and `beside` the files that these need.
    `top` is the split for dialogues at the top level of the input, outside any folder.
    """

    dialogues: tuple[str, ...]
    beside: tuple[AccompanyingFile, ...]
    top: str


class Refused(msgspec.Struct, frozen=True):
    """A dialogue that cannot become a plan; `dialogue_id` is empty if the id cannot be read."""

    dialogue_id: str
    reason: str
    message: str


class RecordedCall(msgspec.Struct, frozen=True):
    """One recorded call of a service, with the `rows` of its result.

    `turn` is the index of its turn. `wordings` are the user's words for values of `arguments`, if
    they differ from the values.
    """

    turn: int
    service: str
    method: str
    definition_id: str
    arguments: str
    outcome: ServiceOutcome
    rows: tuple[ResultRow, ...]
    wordings: tuple[Wording, ...] = ()


class PlannedDialogue(msgspec.Struct, frozen=True):
    """The plan of a dialogue, its user's utterances, and its recorded calls with their results.

    `is_whole` says whether the utterances are complete.
    """

    path: PlanningPath
    utterances: tuple[Utterance, ...] = ()
    is_whole: bool = False
    calls: tuple[RecordedCall, ...] = ()


def folder_of(source_uri: str) -> str:
    """Return the folder part of a `source_uri`; the part ends with `/` or `!`.

    The folder of a file at the top of the input is empty.
    """
    cut = max(source_uri.rfind("/"), source_uri.rfind("!"))
    return source_uri[: cut + 1]


def name_of(source_uri: str) -> str:
    """Return the name of a file without its folder."""
    return source_uri[len(folder_of(source_uri)) :]


def folder_name(folder: str) -> str:
    """Return the last part of a folder's path."""
    return folder.rstrip("/!").rpartition("/")[2].rpartition("!")[2]


def upwards(folder: str) -> Iterator[str]:
    """Yield a folder and all folders that contain it, up to the top of the input."""
    while folder:
        yield folder
        folder = folder_of(folder.rstrip("/!"))
    yield ""
