"""Choose the record types for reading a file's dialogues; repeated reads reuse the result.

Separate readers make the plans, the words of users and the results of services, one reader
after another, from the same dialogues.
"""

from collections.abc import Sequence

from benchloom.core.records.planning_path import Mode
from parsers.dialogues.material import Refused
from parsers.dialogues.sgd.model import Dialogue, LeanDialogue
from parsers.dialogues.sgd.reading import DialogueReader

LEAN = DialogueReader(LeanDialogue)
FULL = DialogueReader(Dialogue)
_RECORDED = b'"service_call"'


def records_calls(data: bytes) -> bool:
    """Whether a file may contain calls and their results."""
    return _RECORDED in data


def read_recorded(data: bytes, mode: Mode) -> Sequence[LeanDialogue | Dialogue | Refused]:
    """Return the dialogues of a file that records calls, as `DialogueReader.read` does."""
    if mode == "name":
        return LEAN.read(data)
    return FULL.read(data)
