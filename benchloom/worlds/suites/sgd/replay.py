"""Repeat the calls of recorded dialogues, each in a world that is built from the dialogue."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suite import Difference, Replay
from benchloom.worlds.suites.sgd.calls import Methods, RecordedCall
from benchloom.worlds.suites.sgd.dialogue_start import start_of
from benchloom.worlds.suites.sgd.dialogues import RecordedDialogue, Tables
from benchloom.worlds.suites.sgd.queries import MAX_ROWS
from benchloom.worlds.suites.sgd.start import canonical, written
from benchloom.worlds.suites.sgd.tools import refusal
from benchloom.worlds.suites.sgd.world import world

_ENCODER = msgspec.json.Encoder(order="deterministic")


def differences_of(
    location: str, calls: Sequence[RecordedCall], methods: Methods
) -> list[Difference]:
    """Repeat the calls of a dialogue in a world built from them; return the different results.

    `location` is the text that identifies the dialogue in differences and errors.

    Raises:
        RejectedInputError: a method is not defined (reason `missing_definition`), or calls
            contradict each other (`bad_values`).
    """
    start = start_of(calls, methods.of_services(calls))
    try:
        replay_world = world(written(start))
    except RunError as error:
        raise RejectedInputError("bad_values", f"{location}: {error}") from error
    differences: list[Difference] = []
    earlier: dict[str, RecordedCall] = {}
    with Session(replay_world) as session:
        for number, call in enumerate(calls):
            name = f"{call.service}.{call.method}"
            outcome = session.call(name, dict(call.arguments))
            takes_effect = methods.called(call).takes_effect
            call_text = f"{name} {canonical(call.arguments)}"
            if not _is_equal(call, outcome, takes_effect=takes_effect):
                differences.append(
                    Difference(
                        f"{location}, call {number}",
                        name,
                        _reason(call, outcome, earlier.get(call_text)),
                        _canonical({"outcome": call.outcome, "rows": list(call.rows)}),
                        _canonical({"refused": outcome.refused, "result": outcome.result}),
                    )
                )
            earlier.setdefault(call_text, call)
    return differences


def _is_equal(call: RecordedCall, outcome: Outcome, *, takes_effect: bool) -> bool:
    rows = [dict(row) for row in call.rows]
    if call.outcome == "failed" and takes_effect:
        return outcome.refused == "unavailable" and outcome.message == refusal(rows)
    if outcome.refused is not None:
        return False
    return outcome.result == (rows[0] if takes_effect else rows)


def _reason(call: RecordedCall, outcome: Outcome, earlier: RecordedCall | None) -> str:
    """Return the reason for a different result; `earlier` is the first call with equal arguments.

    - `refused_here`: the world refuses the call.
    - `answer_changed`: the recording has another result for the earlier call.
    - `other_order`: the world returns the recorded rows in another order.
    - `full_result`: the recorded result has `MAX_ROWS` rows, so matching rows may be missing.
    - `more_rows`: the world also returns rows of other recorded calls.
    - `other_rows`: no other reason applies.
    """
    if outcome.refused is not None:
        return "refused_here"
    if earlier is not None and (earlier.outcome, earlier.rows) != (call.outcome, call.rows):
        return "answer_changed"
    result_rows = outcome.result if isinstance(outcome.result, list) else [outcome.result]
    our_rows = Counter(map(_canonical, result_rows))
    recorded_rows = Counter(map(_canonical, call.rows))
    if our_rows == recorded_rows:
        return "other_order"
    if len(call.rows) == MAX_ROWS:
        return "full_result"
    return "more_rows" if recorded_rows <= our_rows else "other_rows"


def _canonical(value: object) -> str:
    return _ENCODER.encode(value).decode()


def replay(files: Sequence[SourceObject]) -> Iterator[Replay]:
    """Repeat the recorded dialogues, and yield a report for each of their source files.

    Calls are counted as excluded if no world can be built from their dialogue. A first report
    counts the rows that the conversion rejected.

    Raises:
        RunError: a file is damaged, or is not a table.
    """
    tables = Tables(files)
    rejected = Counter(row.reason for row in tables.rejected())
    if rejected:
        yield Replay(0, 0, 0, 0, rejected.total(), dict(rejected))
    for file_uri, dialogues in groupby(
        tables.dialogues(), key=lambda dialogue: dialogue.source_uri
    ):
        yield _of_file(file_uri, dialogues, tables.methods)


def _of_file(file_uri: str, dialogues: Iterable[RecordedDialogue], methods: Methods) -> Replay:
    differences: list[Difference] = []
    reasons: Counter[str] = Counter()
    replayed = equal = calls = excluded = 0
    for dialogue in dialogues:
        try:
            location = f"{file_uri}#{dialogue.source_id}"
            different = differences_of(location, dialogue.calls(), methods)
        except RejectedInputError as error:
            excluded += len(dialogue.results)
            reasons[error.reason] += 1
            continue
        replayed += 1
        equal += not different
        calls += len(dialogue.results)
        differences += different
    reasons.update(difference.reason for difference in differences)
    return Replay(
        dialogues=replayed,
        dialogues_equal=equal,
        calls=calls,
        calls_equal=calls - len(differences),
        excluded=excluded,
        reasons=dict(sorted(reasons.items())),
        differences=tuple(differences),
    )
