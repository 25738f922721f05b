"""Replay a plan with changed, omitted or reordered calls, and compare the final states."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs.leaves import Key, at, key_of, leaves
from benchloom.worlds.proofs.open_worlds import OpenWorld
from benchloom.worlds.session import Outcome, digest_of
from benchloom.worlds.task import PlannedCall, RequestedAnswer

_ENCODE = msgspec.json.Encoder(order="deterministic").encode
MAX_OUTCOMES = 1000
"""The maximum number of calls whose outcomes a cache stores."""
NO_ANSWER = ""
"""Placeholder for a missing answer; an answer is JSON, so it is never empty."""
Row: TypeAlias = tuple[str, str]
"""A row of a world, identified by its table and its key."""


class End(msgspec.Struct, frozen=True):
    """The end of a run: the digests of the changed tables, and the answer as JSON."""

    tables: tuple[tuple[str, str], ...]
    answer: str


class Gold(msgspec.Struct, frozen=True):
    """The result of the unchanged plan; `added` contains the rows that the plan creates."""

    outcomes: tuple[Outcome, ...]
    end: End
    digest: str
    added: frozenset[Row] = frozenset()


class Trials:
    """Replays of a plan in a world, with changes to its calls; each replay is rolled back.

    `needed` contains, for each call, the values that an agent can know only from results. A replay
    skips a call if no result so far contains all of them, because no agent could make the call.
    """

    def __init__(
        self, opened: OpenWorld, calls: Sequence[PlannedCall], question: RequestedAnswer | None
    ) -> None:
        self.opened = opened
        self.calls = tuple(calls)
        self.question = question
        self.needed: Sequence[frozenset[Key]] = [frozenset()] * len(self.calls)
        self._at = 0  # number of the current state; 0 is the initial state
        self._states: dict[tuple[int, str, bytes], int] = {}
        self._digests: dict[tuple[int, str], str] = {}
        self._cached: dict[tuple[int, str, bytes], Outcome] = {}
        self._touched: set[Row] = set()
        self._returned: list[Key] = []
        self._answer: str = NO_ANSWER

    def gold(self) -> Gold:
        """Run the plan unchanged, and roll it back; return the result."""
        with self.trial():
            outcomes = tuple(
                self.call(number, call.tool, call.arguments, anew=True)
                for number, call in enumerate(self.calls)
            )
            end = self.end()
        tables = {**self.opened.start, **dict(end.tables)}
        return Gold(outcomes, end, digest_of(tables), _added_rows(outcomes, self.opened.counted))

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Open a trial, which is rolled back at the end of the block; trials may be nested."""
        touched, answer, at = set(self._touched), self._answer, self._at
        value_count = len(self._returned)
        try:
            with self.opened.session.trial():
                yield
        finally:
            self._touched, self._answer, self._at = touched, answer, at
            del self._returned[value_count:]

    def make(self, number: int) -> bool:
        """Make a call of the plan; return False if no result so far has a value the call needs."""
        call = self.calls[number]
        if not self.needed[number] <= set(self._returned):
            return False
        self.call(number, call.tool, call.arguments)
        return True

    def make_all(self, numbers: Iterable[int]) -> None:
        """Make the calls with these numbers, in order; skip calls that `make` cannot make."""
        for number in numbers:
            self.make(number)

    def end(self) -> End:
        """Return the digests of the tables that have changed so far, and the answer."""
        names = sorted({name for name, _ in self._touched})
        tables = [(name, self._digest(name)) for name in names]
        changed = tuple(table for table in tables if self.opened.start[table[0]] != table[1])
        return End(changed, self._answer)

    def ends_alike(self, gold: Gold) -> bool:
        """Whether the trial has reached the final state and the answer of the unchanged plan.

        To save time, digests are computed only if the trial touched all rows that the plan adds and
        all tables that it changes.
        """
        if self._answer != gold.end.answer or not gold.added <= self._touched:
            return False
        touched = {name for name, _ in self._touched}
        return {name for name, _ in gold.end.tables} <= touched and self.end() == gold.end

    def _digest(self, table: str) -> str:
        key = (self._at, table)
        if key not in self._digests:
            self._digests[key] = self.opened.session.table_digest(table)
        return self._digests[key]

    def call(
        self, number: int, tool: str, arguments: Mapping[str, Plain], *, anew: bool = False
    ) -> Outcome:
        """Make a call in place of call `number` of the plan, and return the outcome.

        With `anew`, the outcome is not read from the cache.
        """
        outcome = self._outcome(tool, arguments, anew=anew)
        counted = self.opened.counted
        rows = ((effect.table, effect.key) for effect in outcome.effects if effect.table in counted)
        self._touched.update(rows)
        if outcome.refused is None:
            self._returned += [key_of(leaf) for _, leaf in leaves(outcome.result)]
            if self.question is not None and self.question.call == number:
                self._answer = answer_in(outcome.result, self.question)
        return outcome

    def _outcome(self, tool: str, arguments: Mapping[str, Plain], *, anew: bool) -> Outcome:
        """Call a tool, or return the cached outcome of an equal call that changed nothing.

        The cache distinguishes the states in which calls are made. With `anew`, the tool is called
        in any case, so that two runs of the plan can be compared.
        """
        key = (self._at, tool, _ENCODE(arguments))
        cached_outcomes = self._cached if self._at else self.opened.cached_outcomes
        if not anew and key in cached_outcomes:
            return cached_outcomes[key]
        outcome = self.opened.session.call(tool, arguments)
        if outcome.effects:
            self._at = self._states.setdefault(key, len(self._states) + 1)
        elif len(cached_outcomes) < MAX_OUTCOMES:
            cached_outcomes[key] = outcome
        return outcome


def _added_rows(outcomes: Iterable[Outcome], counted: AbstractSet[str]) -> frozenset[Row]:
    """Return the rows that the calls added and did not remove again."""
    first: dict[Row, str] = {}
    last: dict[Row, str] = {}
    for outcome in outcomes:
        for effect in outcome.effects:
            if effect.table in counted:
                first.setdefault((effect.table, effect.key), effect.kind)
                last[effect.table, effect.key] = effect.kind
    return frozenset(
        row for row, kind in last.items() if kind != "removed" and first[row] == "added"
    )


def answer_in(result: Plain, question: RequestedAnswer) -> str:
    """Return the requested answer from a call's result as JSON, or `NO_ANSWER` without one."""
    path: list[str | int] = []
    fields: tuple[str, ...] | None = None
    for part in question.path:
        if isinstance(part, tuple):
            fields = part
        else:
            path.append(part)
    exists, value = at(result, tuple(path))
    if exists and fields is not None:
        exists = isinstance(value, dict)
        value = {name: at(value, (name,))[1] for name in fields}
    return msgspec.json.encode(value, order="deterministic").decode() if exists else NO_ANSWER
