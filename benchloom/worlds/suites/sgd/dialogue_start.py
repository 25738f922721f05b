"""Build the initial state of a world in which a dialogue's recorded calls can be repeated."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from benchloom.worlds.suites.sgd.calls import RecordedCall
from benchloom.worlds.suites.sgd.queries import RecordedQuery, fits, ranked
from benchloom.worlds.suites.sgd.spellings import wordings_of
from benchloom.worlds.suites.sgd.start import Answer, Method, Row, Start, canonical, completed

Key: TypeAlias = tuple[str, str]
"""The name of a service and the name of one of its methods."""


class _MethodRows:
    """The queries of a method in a dialogue, and the distinct rows that they returned, in order."""

    def __init__(self) -> None:
        self.rows: dict[str, Mapping[str, str]] = {}
        self.queries: dict[str, RecordedQuery] = {}

    def learn(self, call: RecordedCall) -> None:
        """Add a query and its rows, unless a query with the same arguments was added before."""
        query_key = canonical(call.arguments)
        if query_key not in self.queries:
            positions: list[int] = []
            for row in call.rows:
                self.rows.setdefault(canonical(row), row)
                positions.append(list(self.rows).index(canonical(row)))
            self.queries[query_key] = RecordedQuery(call.arguments, tuple(dict.fromkeys(positions)))


def start_of(
    calls: Sequence[RecordedCall], methods: Sequence[Method], added_rows: Iterable[Row] = ()
) -> Start:
    """Return the initial state from which a dialogue's calls return the recorded results.

    `methods` are the methods of the world, including all called methods. `added_rows` come after
    the dialogue's rows; added rows that match a query of the dialogue are left out, because they
    would change its result.
    """
    by_key = {(world_method.service, world_method.name): world_method for world_method in methods}
    query_logs: dict[Key, _MethodRows] = {}
    for call in calls:
        method = by_key[call.service, call.method]
        if not method.takes_effect:
            query_logs.setdefault((call.service, call.method), _MethodRows()).learn(call)
    rows: list[Row] = []
    for (service, name), query_log in sorted(query_logs.items()):
        dialogue_rows = list(query_log.rows.values())
        order = ranked(dialogue_rows, tuple(query_log.queries.values()), by_key[service, name])
        rows += [Row(service, name, dialogue_rows[index]) for index in order]
    rows_by_method = {
        (dialogue_row.service, dialogue_row.method, canonical(dialogue_row.values))
        for dialogue_row in rows
    }
    for row in added_rows:
        key = (row.service, row.method, canonical(row.values))
        if key not in rows_by_method and not _answers(row, query_logs, by_key):
            rows_by_method.add(key)
            rows.append(row)
    unavailable, receipts = _answers_of(calls, by_key)
    return Start(tuple(methods), tuple(rows), unavailable, receipts, wordings_of(calls))


def _answers(row: Row, query_logs: Mapping[Key, _MethodRows], by_key: Mapping[Key, Method]) -> bool:
    method = by_key.get((row.service, row.method))
    query_log = query_logs.get((row.service, row.method))
    if method is None or query_log is None:
        return method is None
    return any(fits(row.values, query.arguments, method) for query in query_log.queries.values())


def _answers_of(
    calls: Sequence[RecordedCall], by_key: Mapping[Key, Method]
) -> tuple[tuple[Answer, ...], tuple[Answer, ...]]:
    answers: dict[tuple[str, str, str], tuple[RecordedCall, dict[str, str]]] = {}
    for call in calls:
        arguments = completed(by_key[call.service, call.method], call.arguments)
        key = (call.service, call.method, canonical(arguments))
        answers.setdefault(key, (call, arguments))  # a replay reports a later, different answer
    unavailable: list[Answer] = []
    receipts: list[Answer] = []
    for _, (call, arguments) in sorted(answers.items(), key=lambda entry: entry[0]):
        answer = Answer(call.service, call.method, arguments, call.rows)
        takes_effect = by_key[call.service, call.method].takes_effect
        if call.outcome == "failed" or (call.outcome == "empty" and not takes_effect):
            unavailable.append(answer)
        elif takes_effect:
            receipts.append(msgspec.structs.replace(answer, rows=call.rows[:1]))
    return tuple(unavailable), tuple(receipts)
