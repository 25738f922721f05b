"""Files of SGD dialogues to what services gave back: stored, and made again in worlds."""

from contextlib import suppress
from functools import partial

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.worlds.suites.sgd.calls import Methods, recorded_call
from benchloom.worlds.suites.sgd.replay import differences_of
from parsers.dialogues.conversion.rows import Converted, DialogueRows
from parsers.dialogues.material import AccompanyingFile, DialogueInput, PlanOptions
from parsers.dialogues.sources import DIALOGUE_SOURCES
from tests.fuzz import Target
from tests.fuzz.rows import stored
from tests.fuzz.targets.sgd_dialogues import WORDS, accepts, seeds, services
from tests.fuzz.trees import mutated_json

PLACE = "train/dialogues.json"


_SOURCE = DIALOGUE_SOURCES.find("sgd")
_SCHEMA = AccompanyingFile("train/schema.json", msgspec.json.encode(services()))
_CONVERSION = _SOURCE.open(DialogueInput((PLACE,), (_SCHEMA,), "train"), PlanOptions())
_METHODS = Methods(_CONVERSION.definitions())


def read(data: bytes) -> int:
    """Rows of what the services gave back; each dialogue's world gives it or something else."""
    result_groups = [
        row.results
        for row in DialogueRows(_SOURCE, _CONVERSION).of_file(PLACE, data)
        if isinstance(row, Converted)
    ]
    for results in result_groups:
        with suppress(RejectedInputError):
            differences_of("mutant", tuple(map(recorded_call, results)), _METHODS)
    return stored("service_results", [row for results in result_groups for row in results])


TARGET = Target("sgd-results", seeds, read, partial(mutated_json, words=WORDS), accepts=accepts)
