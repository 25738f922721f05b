"""Convert recorded dialogues of SGD to candidate tasks.

A candidate consists of the user's turns, and of the recorded calls as its plan. The dataset
annotates the user's words for a value. If the user chooses a value from a list, the dataset
annotates only the number of the turn. Later checks reject a candidate with a value that the user
does not state. Texts are redacted first, as in a release, because a task must not contain a phone
number.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import digest_of_parts, hex_of
from benchloom.core.records import PlanningPath, ServiceResult, Step
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.storage.inputs import SourceObject
from benchloom.worlds.suites.sgd.calls import Methods, RecordedCall, recorded_call
from benchloom.worlds.suites.sgd.dialogue_start import start_of
from benchloom.worlds.suites.sgd.dialogues import RecordedDialogue, Tables
from benchloom.worlds.suites.sgd.replay import differences_of
from benchloom.worlds.suites.sgd.spellings import fold
from benchloom.worlds.suites.sgd.start import Method, Row, Start, canonical, written
from benchloom.worlds.task import Candidate, PlannedCall, RequestedAnswer

SERVICES = 6
"""The number of services that are added to a world although its dialogue does not call them."""
ROWS = 8
"""The maximum number of rows of other dialogues that are added for each method."""
_Pool: TypeAlias = Mapping[tuple[str, str], Sequence[Row]]


class SplitServices:
    """The services and rows of all dialogues, from which some are added to a dialogue's world.

    They come from dialogues of the same split, and distract the agent from the services and rows
    that it needs. `dialogues` are pairs of a split and the calls of a dialogue.
    """

    def __init__(
        self,
        dialogues: Iterable[tuple[str | None, Sequence[RecordedCall]]],
        methods: Methods,
        seed: int,
    ) -> None:
        self._seed = str(seed)
        self._services: dict[str | None, dict[str, tuple[Method, ...]]] = {}
        rows: dict[str | None, dict[tuple[str, str], dict[str, Row]]] = {}
        for split, calls in dialogues:
            services = self._services.setdefault(split, {})
            split_rows = rows.setdefault(split, {})
            for call in calls:
                if call.service not in services:
                    services[call.service] = methods.of_services([call])
                if not methods.called(call).takes_effect:
                    method_rows = split_rows.setdefault((call.service, call.method), {})
                    for values in call.rows:
                        key = canonical(values)
                        method_rows.setdefault(key, Row(call.service, call.method, values))
        self._rows: dict[str | None, _Pool] = {
            split: {
                key: [method_rows[row_key] for row_key in sorted(method_rows)]
                for key, method_rows in pool.items()
            }
            for split, pool in rows.items()
        }

    def services(
        self, split: str | None, dialogue_id: str, own: Iterable[str]
    ) -> tuple[Method, ...]:
        """Return the methods of some services not in `own`, drawn by the dialogue's id."""
        split_services = self._services.get(split, {})
        unused = sorted(
            split_services.keys() - set(own), key=lambda name: self._draw(dialogue_id, name)
        )
        return tuple(method for name in unused[:SERVICES] for method in split_services[name])

    def rows(self, split: str | None, dialogue_id: str, methods: Iterable[Method]) -> Iterator[Row]:
        """Yield at most `ROWS` recorded rows of each method, drawn by the dialogue's id."""
        split_rows = self._rows.get(split, {})
        for method in methods:
            method_rows = split_rows.get((method.service, method.name), ())
            if method_rows:
                # A drawn section of the sorted rows does not depend on the order of the dialogues.
                first = int(self._draw(dialogue_id, method.service, method.name), 16) % len(
                    method_rows
                )
                yield from (*method_rows[first:], *method_rows[:first])[:ROWS]

    def _draw(self, *parts: str) -> str:
        return hex_of(digest_of_parts("draw", [self._seed, *parts]))


SUITE = "sgd"
_TRUTHS = frozenset({"True", "False"})
_FROM_USER = frozenset({"user", "carried"})
"""The provenances of values that the user states in a turn."""


def candidates(files: Sequence[SourceObject], seed: int) -> Iterator[Candidate]:
    """Yield a candidate for each dialogue that has turns and a plan, and can be replayed.

    A release merges equal plans of several dialogues into a plan of the first dialogue, so the
    others have no plan. `seed` determines the services and rows that are added to a world.

    Raises:
        RunError: a file is damaged, or is not a table.
    """
    tables = Tables(files)
    words = {
        (dialogue_words.source_uri, dialogue_words.source_id): dialogue_words
        for dialogue_words in tables.words()
    }
    plans = {(plan.source_uri, plan.source_id): plan for plan in tables.plans()}
    recorded_dialogues: list[tuple[RecordedDialogue, tuple[RecordedCall, ...]]] = []
    redactor = CellRedactor()
    for dialogue in tables.dialogues():
        try:
            calls = tuple(recorded_call(_redact(row, redactor)) for row in dialogue.results)
            if not differences_of("", calls, tables.methods):
                recorded_dialogues.append((dialogue, calls))
        except RejectedInputError:
            continue  # `replay` reports the reason
    extra = SplitServices(
        ((dialogue.split, calls) for dialogue, calls in recorded_dialogues), tables.methods, seed
    )
    for dialogue, calls in recorded_dialogues:
        key = (dialogue.source_uri, dialogue.source_id)
        if key in plans and key in words and words[key].utterances:
            turns = {turn.turn: redactor.public(turn.text)[0] for turn in words[key].utterances}
            candidate = _candidate(dialogue, calls, plans[key], turns, tables.methods, extra=extra)
            if candidate is not None:
                yield candidate


def _candidate(
    dialogue: RecordedDialogue,
    calls: Sequence[RecordedCall],
    plan: PlanningPath,
    turns: Mapping[int, str],
    methods: Methods,
    *,
    extra: SplitServices,
) -> Candidate | None:
    if [(step.app, step.api) for step in plan.steps] != [(c.service, c.method) for c in calls]:
        return None
    call_numbers = [number for number in range(len(calls)) if _is_in_plan(number, calls, methods)]
    if not call_numbers:
        return None
    own = methods.of_services(calls)
    added = extra.services(dialogue.split, dialogue.source_id, (call.service for call in calls))
    world = tuple(sorted((*own, *added), key=lambda method: (method.service, method.name)))
    start = start_of(calls, world, extra.rows(dialogue.split, dialogue.source_id, world))
    writes = [number for number in call_numbers if methods.called(calls[number]).takes_effect]
    return Candidate(
        suite=SUITE,
        start=written(start),
        turns=tuple(turns.values()),
        calls=tuple(
            PlannedCall(
                f"{calls[number].service}.{calls[number].method}",
                dict(calls[number].arguments),
                _wording_turns(calls[number], plan.steps[number], start, turns),
            )
            for number in call_numbers
        ),
        asked=None if writes else _requested_fields([calls[number] for number in call_numbers]),
        source=SUITE,
        source_id=dialogue.source_id,
        source_uri=dialogue.source_uri,
        license=dialogue.results[0].licence,
        split=dialogue.split or "",
    )


def _redact(row: ServiceResult, redactor: CellRedactor) -> ServiceResult:
    return msgspec.structs.replace(
        row,
        arguments=redactor.public(row.arguments)[0],
        wordings=tuple(
            msgspec.structs.replace(wording, words=redactor.public(wording.words)[0])
            for wording in row.wordings
        ),
        rows=tuple(
            msgspec.structs.replace(result_row, values=redactor.public(result_row.values)[0])
            for result_row in row.rows
        ),
    )


def _is_in_plan(number: int, calls: Sequence[RecordedCall], methods: Methods) -> bool:
    """Whether a call belongs to the plan, because it returned rows or a later call corrects it."""
    call = calls[number]
    if not methods.called(call).takes_effect or call.outcome == "ok":
        return bool(call.rows)
    return any(
        later.outcome == "ok"
        and (later.service, later.method) == (call.service, call.method)
        and later.arguments != call.arguments
        for later in calls[number + 1 :]
    )


def _requested_fields(calls: Sequence[RecordedCall]) -> RequestedAnswer:
    """Return the requested answer, which consists of the fields that the user asked about last.

    If the user asked about no field, the answer is empty, and the candidate does not become a task.
    """
    for number in range(len(calls) - 1, -1, -1):
        for rank in range(len(calls[number].requested) - 1, -1, -1):
            fields = calls[number].requested[rank]
            row = calls[number].rows[rank]
            plain = tuple(field for field in fields if row[field] not in _TRUTHS)
            if fields:
                chosen = plain or fields[:1]
                return RequestedAnswer(number, (rank, chosen[0] if len(chosen) == 1 else chosen))
    return RequestedAnswer(len(calls) - 1, (0, ()))


def _wording_turns(
    call: RecordedCall, step: Step, start: Start, turns: Mapping[int, str]
) -> dict[str, str]:
    """Return a mapping from arguments of a call to the user's words for their values.

    If the user chose a value from a list, the dataset has no words for the value, so the mapping
    contains the whole turn with the choice.
    """
    choices = {
        argument.name
        for method in start.methods
        if (method.service, method.name) == (call.service, call.method)
        for argument in method.arguments
        if argument.values
    }
    meanings = {(w.service, w.argument, w.words): w.value for w in start.wordings}
    texts: dict[str, str] = {}
    for argument in step.arguments:
        for words in call.wordings.get(argument.name, ()):
            value = meanings.get((call.service, argument.name, fold(words)))
            if value == argument.value and any(
                fold(words) in fold(turn) for turn in turns.values()
            ):
                texts.setdefault(argument.name, words)
        turn = turns.get(-1 if argument.turn is None else argument.turn)
        if argument.name in choices and argument.provenance in _FROM_USER and turn is not None:
            texts.setdefault(argument.name, turn)
    return texts
