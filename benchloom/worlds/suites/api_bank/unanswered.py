"""Find the text that API-Bank returns for a question without an answer in its documents.

The databases do not contain it. It is the most frequent recorded answer that no document contains.
"""

from collections import Counter
from collections.abc import Sequence

from benchloom.core.errors import RejectedInputError
from benchloom.core.records.values import rendered
from benchloom.exchange.foreign.records import records_of
from benchloom.exchange.foreign.specifications import call_name
from benchloom.exchange.formats.api_bank.lines import read_talk
from benchloom.exchange.formats.api_bank.reading import shape_of
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suites.api_bank.databases import Databases

TOOL = "DocumentQA"
_NAMED = TOOL.encode()
_HEAD = 64 * 1024


def is_dialogue(source_uri: str, data: bytes) -> bool:
    """Whether the beginning of a file looks like a recorded dialogue."""
    return shape_of(source_uri, data[:_HEAD]) == "dialogue"


def unanswered(objects: Sequence[SourceObject], databases: Databases) -> str:
    """Return the text that stands for a missing answer; "" if no dialogue contains it."""
    answers = {
        qa_pair.answer for answers in databases.question_answering.values() for qa_pair in answers
    }
    said: Counter[str] = Counter()
    for source in objects:
        said.update(text for text in _outputs(source) if text not in answers)
    return max(sorted(said), key=said.__getitem__, default="")


def _outputs(source: SourceObject) -> list[str]:
    try:
        data = source.read()
        if _NAMED not in data or not is_dialogue(source.source_uri, data):
            return []
        calls = read_talk(records_of(source.source_uri, data), []).calls
    except RejectedInputError:
        return []  # the replay reports the damage
    outputs = (
        rendered(call.result.output, str)
        for call in calls
        if call_name(call.app, call.api) == TOOL and call.result and call.result.exception is None
    )
    return [output for output in outputs if isinstance(output, str)]
