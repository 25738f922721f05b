"""Trials: what becomes of a plan when it is made otherwise, without what it then cannot know."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec

from benchloom.records.values import Plain
from benchloom.worlds.digests import digest_of
from benchloom.worlds.proving.ground import Ground
from benchloom.worlds.proving.leaves import Key, at, key_of, leaves
from benchloom.worlds.session import Outcome
from benchloom.worlds.task import Asked, PlannedCall

NO_ANSWER = ""
"""What stands for an answer that is not given; JSON is never empty."""


class End(msgspec.Struct, frozen=True):
    """How a run ended: digests of the tables that it changed, and the answer as JSON."""

    tables: tuple[tuple[str, str], ...]
    answer: str


class Gold(msgspec.Struct, frozen=True):
    """What the plan itself does."""

    outcomes: tuple[Outcome, ...]
    end: End
    digest: str


class Trials:
    """Runs of one plan on one ground; each is taken back.

    `needed` are, by call, the values that only results tell: a call is made where the results of
    the trial hold all of them, and left out where they do not, as nobody could make it.
    """

    def __init__(self, ground: Ground, calls: Sequence[PlannedCall], asked: Asked | None) -> None:
        self.ground = ground
        self.calls = tuple(calls)
        self.asked = asked
        self.needed: Sequence[frozenset[Key]] = [frozenset()] * len(self.calls)
        self._touched: set[str] = set()
        self._told: list[Key] = []
        self._answer: str = NO_ANSWER

    def gold(self) -> Gold:
        """Run the plan as it is."""
        with self.begun():
            outcomes = tuple(
                self._made(number, call.tool, call.arguments)
                for number, call in enumerate(self.calls)
            )
            end = self.end()
        tables = {**self.ground.start, **dict(end.tables)}
        return Gold(outcomes, end, digest_of(tables))

    @contextmanager
    def begun(self) -> Iterator[None]:
        """A trial, or a branch of the one that is going on."""
        touched, told, answer = set(self._touched), len(self._told), self._answer
        try:
            with self.ground.session.trial():
                yield
        finally:
            self._touched, self._answer = touched, answer
            del self._told[told:]

    def make(self, number: int) -> bool:
        """Make a call of the plan; False where what it needs is not told."""
        call = self.calls[number]
        if not self.needed[number] <= set(self._told):
            return False
        self._made(number, call.tool, call.arguments)
        return True

    def make_other(self, number: int, tool: str, arguments: Mapping[str, Plain]) -> Outcome:
        """Make another call in the place of one of the plan."""
        return self._made(number, tool, arguments)

    def rest(self, numbers: Iterable[int]) -> None:
        """Make those of some calls that are possible, in order."""
        for number in numbers:
            self.make(number)

    def end(self) -> End:
        """How the trial stands now."""
        digest = self.ground.session.table_digest
        tables = ((name, digest(name)) for name in sorted(self._touched))
        start = self.ground.start
        return End(tuple((name, one) for name, one in tables if start[name] != one), self._answer)

    def ends_alike(self, gold: End) -> bool:
        """Whether the trial stands where the plan ends."""
        if self._answer != gold.answer or not {name for name, _ in gold.tables} <= self._touched:
            return False
        return self.end() == gold

    def _made(self, number: int, tool: str, arguments: Mapping[str, Plain]) -> Outcome:
        outcome = self.ground.session.call(tool, arguments)
        self._touched.update(one.table for one in outcome.effects)
        self._touched &= self.ground.counted
        if outcome.refused is None:
            self._told += [key_of(leaf) for _, leaf in leaves(outcome.result)]
            if self.asked is not None and self.asked.call == number:
                self._answer = answer_in(outcome.result, self.asked)
        return outcome


def answer_in(result: Plain, asked: Asked) -> str:
    """The answer in a result, as JSON."""
    there, value = at(result, asked.path)
    return msgspec.json.encode(value, order="deterministic").decode() if there else NO_ANSWER
