"""What was said and found in an example as a row of `dialogues`, and back beside its plan."""

import msgspec

from benchloom.examples.example import Call, Example, Result, Turn
from benchloom.identity import digest_of_parts
from benchloom.plans.assembly import release_split
from benchloom.records import Dialogue, RecordedResult, Utterance
from benchloom.records.values import from_json, to_json


class Rights(msgspec.Struct, frozen=True):
    """What a dataset asks of those who pass its words on."""

    licence: str
    attribution: str


def dialogue_of(example: Example, path_id: str | None, rights: Rights) -> Dialogue:
    """The row beside the plan `path_id`, which is None where nothing was called."""
    return Dialogue(
        dialogue_id=digest_of_parts("dialogue", [example.source, example.split, example.source_id]),
        source=example.source,
        source_id=example.source_id,
        source_uri=example.source_uri,
        source_split=example.split,
        split=release_split([example.split]),
        path_id=path_id,
        licence=rights.licence,
        attribution=rights.attribution,
        utterances=tuple(
            Utterance(number, turn.text, turn.role, turn.before)
            for number, turn in enumerate(example.turns)
        ),
        results=tuple(
            _recorded(number, call.result)
            for number, call in enumerate(example.calls)
            if call.result is not None
        ),
    )


def with_dialogue(example: Example, dialogue: Dialogue) -> Example:
    """The example of a plan with the turns and results of its dialogue.

    Turns whose place among the calls is not told are left out.

    Raises:
        msgspec.DecodeError: a result is no JSON.
    """
    found = {one.call: _result(one) for one in dialogue.results}
    calls = tuple(_with(call, found.get(number)) for number, call in enumerate(example.calls))
    turns = tuple(
        Turn(said.role, said.text, said.before)
        for said in dialogue.utterances
        if said.before is not None
    )
    return msgspec.structs.replace(example, calls=calls, turns=turns)


def _with(call: Call, result: Result | None) -> Call:
    return msgspec.structs.replace(call, result=result)


def _recorded(number: int, result: Result) -> RecordedResult:
    told = None if result.input is None else to_json(result.input)
    return RecordedResult(number, to_json(result.output), told, result.exception)


def _result(row: RecordedResult) -> Result:
    told = None if row.input is None else from_json(row.input)
    return Result(from_json(row.output), row.exception, told)
