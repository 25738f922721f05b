"""Berkeley Function-Calling Leaderboard: questions, and the folder of possible answers.

One call with one tool is `simple_python`, with several tools `multiple`; several calls are
`parallel` with one tool and `parallel_multiple` with several; no call is `irrelevance`; user
turns between calls make it `multi_turn_base`. The checker knows no references: references are
written as the values they carried, and an example with an unknown value cannot be written. The
leaderboard runs multi-turn calls on its own classes; our examples have no classes.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from benchloom.exchange.examples.call_messages import LOSSES
from benchloom.exchange.formats.base import ExampleWriter, Read, Reading, Writing, WritingOptions
from benchloom.exchange.formats.bfcl.categories import file_category
from benchloom.exchange.formats.bfcl.questions import read_questions
from benchloom.exchange.formats.bfcl.writer import BfclWriter
from benchloom.storage.inputs import SourceObject


class _Bfcl(Writing, Reading):
    title = "Berkeley Function-Calling Leaderboard, questions and possible answers"
    losses: ClassVar[dict[str, str]] = {
        **LOSSES,
        "expanded_reference": "A reference is written as the value it carried.",
        "unknown_value": "The value a reference carried is not known: the row is left out.",
        "outcome": "How a call ended (failed, retried, superseded) has no place.",
        "result": "What a call gave back has no place.",
        "answer": "What the whole gives back has no place.",
        "assistant_turn": "What the assistant said has no place.",
        "no_request": "There is no text to put as a question: the row is left out.",
        "closing_turn": "What the user says after the last call has no place.",
        "mixed_list": "A list has elements of several types; the tool of this row takes any there.",
        "no_classes": "Calls of several turns are run on classes, of which we have none.",
        "call_name": "A call or an argument has a name that Python refuses: the row is left out.",
    }

    def writer(self, folder: Path, options: WritingOptions) -> ExampleWriter:
        return BfclWriter(folder)

    def recognises(self, name: str, head: bytes) -> bool:
        is_question = b'"question"' in head and (
            b'"function"' in head or b'"involved_classes"' in head or bool(file_category(name))
        )
        return is_question or b'"ground_truth"' in head

    def read(self, objects: Sequence[SourceObject]) -> Iterator[Read]:
        return read_questions(objects)


FORMAT = _Bfcl()
