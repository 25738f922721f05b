"""Fuzz the conversion of SGD dialogues to service results, and replay the results in worlds."""

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
from tests.fuzz.rows import store_rows
from tests.fuzz.targets.sgd_dialogues import WORDS, accepts, seeds, services
from tests.fuzz.trees import mutate_json

PATH = "train/dialogues.json"

_SOURCE = DIALOGUE_SOURCES.find("sgd")
_SCHEMA = AccompanyingFile("train/schema.json", msgspec.json.encode(services()))
_CONVERSION = _SOURCE.open(DialogueInput((PATH,), (_SCHEMA,), "train"), PlanOptions())
_METHODS = Methods(_CONVERSION.definitions())


def read(data: bytes) -> int:
    """Return the number of service results; a world must replay them or refuse them."""
    result_groups = [
        row.results
        for row in DialogueRows(_SOURCE, _CONVERSION).of_file(PATH, data)
        if isinstance(row, Converted)
    ]
    for results in result_groups:
        with suppress(RejectedInputError):
            differences_of("mutant", tuple(map(recorded_call, results)), _METHODS)
    return store_rows("service_results", [row for results in result_groups for row in results])


TARGET = Target("sgd-results", seeds, read, partial(mutate_json, words=WORDS), accepts=accepts)
