"""Recorded dialogues, each made again in a world of its own, call by call."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby

import msgspec

from benchloom.errors import RejectedInputError, RunError
from benchloom.inputs import SourceObject
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suite import Difference, Replay
from benchloom.worlds.suites.sgd.matching import MOST_ROWS
from benchloom.worlds.suites.sgd.reading import Tables, Told
from benchloom.worlds.suites.sgd.recorded import Methods, Recorded
from benchloom.worlds.suites.sgd.start import Row, canonical, written
from benchloom.worlds.suites.sgd.starts import start_of
from benchloom.worlds.suites.sgd.tools import refusal
from benchloom.worlds.suites.sgd.world import world

_ENCODER = msgspec.json.Encoder(order="deterministic")


class Made(msgspec.Struct, frozen=True):
    """What came of a dialogue: calls that can be made again, and those that give something else."""

    calls: int
    differences: tuple[Difference, ...]


def make_again(
    place: str, calls: Sequence[Recorded], methods: Methods, beside: Iterable[Row] = ()
) -> Made:
    """Make the calls of a dialogue in the world that they tell of.

    Raises:
        RejectedInputError: missing_definition, or bad_values where no world can be made of them.
    """
    start = start_of(calls, methods.of_services(calls), beside)
    try:
        made = world(written(start))
    except RunError as error:
        raise RejectedInputError("bad_values", f"{place}: {error}") from error
    differences: list[Difference] = []
    earlier: dict[str, Recorded] = {}
    with Session(made) as session:
        for number, call in enumerate(calls):
            name = f"{call.service}.{call.method}"
            outcome = session.call(name, dict(call.arguments))
            takes_effect = methods.called(call).takes_effect
            given = f"{name} {canonical(call.arguments)}"
            if not _is_equal(call, outcome, takes_effect=takes_effect):
                differences.append(
                    Difference(
                        f"{place}, call {number}",
                        name,
                        _reason(call, outcome, earlier.get(given)),
                        _told({"outcome": call.outcome, "rows": list(call.rows)}),
                        _told({"refused": outcome.refused, "result": outcome.result}),
                    )
                )
            earlier.setdefault(given, call)
    return Made(len(calls), tuple(differences))


def differs(calls: Sequence[Recorded], methods: Methods) -> bool:
    """Whether a call of a dialogue gives something else in the world that they tell of.

    Raises:
        RejectedInputError: as `make_again`.
    """
    return bool(make_again("", calls, methods).differences)


def _is_equal(call: Recorded, outcome: Outcome, *, takes_effect: bool) -> bool:
    rows = [dict(row) for row in call.rows]
    if call.outcome == "failed" and takes_effect:
        return outcome.refused == "unavailable" and outcome.message == refusal(rows)
    if outcome.refused is not None:
        return False
    return outcome.result == (rows[0] if takes_effect else rows)


def _reason(call: Recorded, outcome: Outcome, earlier: Recorded | None) -> str:
    """Why a call gives something else; `earlier` is the same call, made before.

    refused_here; answer_changed: the same call was answered otherwise before, and nothing in
    between could have changed that; full_result: more than ten rows agree and their order cannot
    be told; more_rows: rows of other calls agree as well, which were not found; other_order; and
    other_rows.
    """
    if outcome.refused is not None:
        return "refused_here"
    if earlier is not None and (earlier.outcome, earlier.rows) != (call.outcome, call.rows):
        return "answer_changed"
    found = outcome.result if isinstance(outcome.result, list) else [outcome.result]
    here = Counter(map(_told, found))
    there = Counter(map(_told, call.rows))
    if here == there:
        return "other_order"
    if len(call.rows) == MOST_ROWS:
        return "full_result"
    return "more_rows" if there <= here else "other_rows"


def _told(value: object) -> str:
    return _ENCODER.encode(value).decode()


def replay(files: Sequence[SourceObject]) -> Iterator[Replay]:
    """The dialogues of some tables, a replay for each file that they were recorded in.

    What the conversion rejected counts as a call excluded; so does every call of a dialogue of
    which no world can be made.

    Raises:
        RunError: a file of a table is damaged or none.
    """
    tables = Tables(files)
    rejected = Counter(row.reason for row in tables.rejected())
    if rejected:
        yield Replay(0, 0, 0, 0, rejected.total(), dict(rejected))
    for place, dialogues in groupby(tables.dialogues(), key=lambda one: one.source_uri):
        yield _of_file(place, dialogues, tables.methods)


def _of_file(place: str, dialogues: Iterable[Told], methods: Methods) -> Replay:
    made: list[Made] = []
    reasons: Counter[str] = Counter()
    excluded = 0
    for one in dialogues:
        try:
            made.append(make_again(f"{place}#{one.source_id}", one.calls(), methods))
        except RejectedInputError as error:
            excluded += len(one.results)
            reasons[error.reason] += 1
    differences = tuple(chain.from_iterable(one.differences for one in made))
    reasons.update(one.reason for one in differences)
    calls = sum(one.calls for one in made)
    return Replay(
        dialogues=len(made),
        dialogues_equal=sum(not one.differences for one in made),
        calls=calls,
        calls_equal=calls - len(differences),
        excluded=excluded,
        reasons=dict(sorted(reasons.items())),
        differences=differences,
    )
