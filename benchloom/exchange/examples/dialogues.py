"""Convert the turns and results of an example to a row of the table `dialogues`, and back."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from benchloom.core.identity import dialogue_id
from benchloom.core.records import Dialogue, RecordedResult, Utterance
from benchloom.core.records.values import from_json, to_json
from benchloom.exchange.examples.example import Example, Result, Turn
from benchloom.normalise.plans.assembly import release_split


class Rights(msgspec.Struct, frozen=True):
    """The licence and attribution under which a dataset's texts may be redistributed."""

    licence: str
    attribution: str


def dialogue_of(example: Example, path_id: str | None, rights: Rights) -> Dialogue:
    """Convert the turns and results of an example to a row of the table `dialogues`.

    `path_id` is the id of the example's plan, or None if the example has no calls.
    """
    return Dialogue(
        dialogue_id=dialogue_id(example.source, example.split, example.source_id),
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
            _recorded_result(number, call.result)
            for number, call in enumerate(example.calls)
            if call.result is not None
        ),
    )


def with_dialogue(example: Example, dialogue: Dialogue) -> Example:
    """Return a copy of a plan's example with the turns and results of a row of `dialogues`.

    Turns without a recorded position among the calls are left out.

    Raises msgspec.DecodeError if a result is not JSON.
    """
    results_by_call = {row.call: _result(row) for row in dialogue.results}
    calls = tuple(
        replace(call, result=results_by_call.get(number))
        for number, call in enumerate(example.calls)
    )
    turns = tuple(
        Turn(utterance.role, utterance.text, utterance.before)
        for utterance in dialogue.utterances
        if utterance.before is not None
    )
    return replace(example, calls=calls, turns=turns)


def with_recorded(example: Example, dialogues: Sequence[Dialogue]) -> Example:
    """Return the example of a plan with the turns and results of its recorded dialogue.

    Several dialogues may have the same plan. The first one in which the user says the request is
    used, or simply the first one if the example has no request. If the user says the request in
    none of them, the request was written for the plan; then the example gets the results of the
    first dialogue, but no turns.

    Raises msgspec.DecodeError if a result is not JSON.
    """
    for dialogue in dialogues:
        dialogue_example = with_dialogue(example, dialogue)
        if example.request is None or is_from_user(dialogue_example.turns, example.request):
            return replace(
                dialogue_example, source_id=dialogue.source_id, source_uri=dialogue.source_uri
            )
    if not dialogues:
        return example
    return replace(with_dialogue(example, dialogues[0]), turns=())


def is_from_user(turns: Sequence[Turn], request: str) -> bool:
    """Whether the user says a request in the turns of a dialogue.

    The request must equal a user turn, or the first user turns joined by line breaks.
    """
    user_texts = [turn.text for turn in turns if turn.role == "user"]
    if request in user_texts:
        return True
    at = 0
    for text in user_texts:
        if not request.startswith(text, at):
            return False
        at += len(text)
        if at == len(request):
            return True
        if request[at] != "\n":
            return False
        at += 1
    return False


def _recorded_result(number: int, result: Result) -> RecordedResult:
    input_json = None if result.input is None else to_json(result.input)
    return RecordedResult(number, to_json(result.output), input_json, result.exception)


def _result(row: RecordedResult) -> Result:
    input_value = None if row.input is None else from_json(row.input)
    return Result(from_json(row.output), row.exception, input_value)
