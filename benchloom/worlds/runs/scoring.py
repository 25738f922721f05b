"""What a run is worth that was to do a task: the state, the answer, and what else was touched."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers import Question, decide
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.task import Task
from benchloom.worlds.world import World

MOST_TEXT = 64 * 1024
"""Characters of one message to the user; what lies behind is not said."""


class MadeCall(msgspec.Struct, frozen=True):
    """A call of a run: `tool` is a full name; `problem` says why no tool could be called."""

    tool: str
    arguments: Mapping[str, Plain]
    problem: str = ""


class Made(msgspec.Struct, frozen=True):
    """What a run did: its calls in order, and what it told the user."""

    calls: tuple[MadeCall, ...] = ()
    told: tuple[str, ...] = ()


class _Call(msgspec.Struct, frozen=True):
    tool: str
    arguments: dict[str, Any]
    problem: str = ""


class _Made(msgspec.Struct, frozen=True):
    calls: tuple[_Call, ...] = ()
    told: tuple[str, ...] = ()


def made_of(encoded_run: Plain) -> Made:
    """What `msgspec.to_builtins` told of a run.

    Raises:
        ValidationError: it is no run.
    """
    run = msgspec.convert(encoded_run, _Made)
    return Made(tuple(MadeCall(*msgspec.structs.astuple(call)) for call in run.calls), run.told)


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended.

    Args:
        digest: the state is the one after the plan.
        answer: what the user wants to be told was told; true where nothing is.
        asked: whether the user wants to be told something.
        collateral: rows that were touched and that the plan does not touch, as table and key.
        calls: calls that were made.
        refused: those of them that were refused.
    """

    digest: bool
    answer: bool
    asked: bool
    collateral: tuple[tuple[str, str], ...]
    calls: int
    refused: int

    @property
    def solved(self) -> bool:
        """Whether the task is done: state and answer are right."""
        return self.digest and self.answer


class Traces:
    """What the calls of a run left behind: how many they were, how many refused, what they touched.

    Bounded by the rows that were touched, whatever calls gave back.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.refused = 0
        self._rows: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, outcome: Outcome) -> None:
        """Count a call, in the order in which calls were made."""
        self.calls += 1
        self.refused += outcome.refused is not None
        for effect in outcome.effects:
            row = (effect.table, effect.key)
            first, _ = self._rows.get(row, (effect.kind, effect.kind))
            self._rows[row] = (first, effect.kind)

    def touched(self, counted: Collection[str]) -> set[tuple[str, str]]:
        """The rows of some tables that were touched; one that was added and removed was not."""
        return {
            row
            for row, kinds in self._rows.items()
            if row[0] in counted and kinds != ("added", "removed")
        }


def score_of(task: Task, world: World, run: Made) -> Score:
    """What a run is worth: its calls are made again in the world of the task."""
    traces = Traces()
    with Session(world) as session:
        for call in run.calls:
            if call.problem:
                traces.add(Outcome(refused="invalid_argument", message=call.problem))
            else:
                traces.add(session.call(call.tool, call.arguments))
        return score_session(task, session, traces, run.told)


def score_session(task: Task, session: Session, traces: Traces, messages: Sequence[str]) -> Score:
    """What a run is worth whose calls were made in a session of the task's world."""
    world = session.world
    return Score(
        digest=session.digest() == task.gold_digest,
        answer=_tells(task, messages, world),
        asked=task.answer is not None,
        collateral=tuple(sorted(traces.touched(session.counted) - _gold_rows(task, world))),
        calls=traces.calls,
        refused=traces.refused,
    )


def _gold_rows(task: Task, world: World) -> set[tuple[str, str]]:
    with Session(world) as session:
        for call in task.calls:
            session.call(call.tool, call.arguments)
        return {(effect.table, effect.key) for each in session.log for effect in each.effects}


def _tells(task: Task, messages: Sequence[str], world: World) -> bool:
    """Whether the messages to the user tell the answer that the task asks for."""
    if task.answer is None:
        return True
    if not any(text.strip() for text in messages):
        return False
    path = () if task.asked is None else task.asked.path
    call = None if task.asked is None else task.calls[task.asked.call]
    names = [name for name in path if isinstance(name, str)]
    question = Question(
        turns=task.turns,
        field=names[-1] if names else "",
        answer=msgspec.json.decode(task.answer),
        arguments={} if call is None else call.arguments,
        now=world.now,
    )
    return decide(question, "\n".join(messages)).right
