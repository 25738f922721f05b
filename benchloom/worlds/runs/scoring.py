"""Score a run on a task: the final state, the answer, and which other rows were touched."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers import Question, decide
from benchloom.worlds.proving.declining.policies import turn_of
from benchloom.worlds.runs.refusal import declines
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.task import Task
from benchloom.worlds.world import World

MAX_TEXT = 64 * 1024
"""Characters of one message to the user; what lies behind is not said."""


class RunCall(msgspec.Struct, frozen=True):
    """A call of a run: `tool` is a full name; `problem` says why no tool could be called.

    `turn` is the number of the user's last turn before the call; None in runs that were stored
    without it.
    """

    tool: str
    arguments: Mapping[str, Plain]
    problem: str = ""
    turn: int | None = None


class AgentRun(msgspec.Struct, frozen=True):
    """What an agent did in a run: its calls in order, and its messages to the user."""

    calls: tuple[RunCall, ...] = ()
    told: tuple[str, ...] = ()


class _Call(msgspec.Struct, frozen=True):
    tool: str
    arguments: dict[str, Any]
    problem: str = ""
    turn: int | None = None


class _PlainRun(msgspec.Struct, frozen=True):
    calls: tuple[_Call, ...] = ()
    told: tuple[str, ...] = ()


def read_run(encoded_run: Plain) -> AgentRun:
    """Decode a run from the output of `msgspec.to_builtins`.

    Raises:
        ValidationError: the value does not encode a run.
    """
    run = msgspec.convert(encoded_run, _PlainRun)
    return AgentRun(tuple(RunCall(*msgspec.structs.astuple(call)) for call in run.calls), run.told)


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a run.

    Args:
        digest: whether the final state equals the state after the plan, and nothing was changed
            before the user confirmed it where a rule demands that; for a request that has to be
            declined, whether no call changed anything, even for a moment.
        answer: whether the user received the requested answer, or was told that the request is
            declined; true if the task asks for neither.
        asked: whether the task asks for either.
        collateral: rows touched by the run but not by the plan, as table and key.
        calls: number of calls made.
        refused: number of calls that were refused.
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
    """Counters for the calls of a run: how many, refused, and changing; which rows they touched.

    Memory is bounded by the number of touched rows, whatever the calls returned.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.refused = 0
        self.writes = 0
        self.first_turns: dict[str, int] = {}
        """The turn of the user after which a tool first changed something, by tool."""
        self._rows: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, outcome: Outcome, tool: str = "", turn: int | None = None) -> None:
        """Count a call, in the order in which calls were made; see `RunCall`."""
        if outcome.effects and turn is not None:
            self.first_turns.setdefault(tool, turn)
        self.calls += 1
        self.refused += outcome.refused is not None
        self.writes += bool(outcome.effects)
        for effect in outcome.effects:
            row = (effect.table, effect.key)
            first, _ = self._rows.get(row, (effect.kind, effect.kind))
            self._rows[row] = (first, effect.kind)

    def touched(self, counted: Collection[str]) -> set[tuple[str, str]]:
        """Return the touched rows of some tables, without rows both added and removed."""
        return {
            row
            for row, kinds in self._rows.items()
            if row[0] in counted and kinds != ("added", "removed")
        }


def score_of(task: Task, world: World, run: AgentRun) -> Score:
    """Score a run by making its calls again in the world of the task."""
    traces = Traces()
    with Session(world) as session:
        for call in run.calls:
            if call.problem:
                traces.add(Outcome(refused="invalid_argument", message=call.problem))
            else:
                traces.add(session.call(call.tool, call.arguments), call.tool, call.turn)
        return score_session(task, session, traces, run.told)


def score_session(task: Task, session: Session, traces: Traces, messages: Sequence[str]) -> Score:
    """Score a run whose calls were made in a session of the task's world."""
    world = session.world
    return Score(
        digest=session.digest() == task.gold_digest
        and not (task.declines and traces.writes)
        and not any(
            rule.test == "said"
            and traces.first_turns.get(rule.tool, len(task.turns)) < turn_of(rule, task.turns)
            for rule in task.policy
        ),
        answer=_tells(task, messages, world),
        asked=task.answer is not None or task.declines,
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
    """Whether the messages to the user contain what the task asks for."""
    if task.declines:
        return declines("\n".join(messages))
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
