"""What a run is worth that was to do a task: the state, the answer, and what else was touched."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.records.values import Plain
from benchloom.worlds.proving.leaves import leaves
from benchloom.worlds.proving.saying import Turns
from benchloom.worlds.session import Effect, Outcome, Session
from benchloom.worlds.task import Task
from benchloom.worlds.world import World


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


def made_of(told: Plain) -> Made:
    """What `msgspec.to_builtins` told of a run.

    Raises:
        ValidationError: it is no run.
    """
    found = msgspec.convert(told, _Made)
    return Made(tuple(MadeCall(*msgspec.structs.astuple(one)) for one in found.calls), found.told)


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


def score_of(task: Task, world: World, made: Made) -> Score:
    """What a run is worth: its calls are made again in the world of the task."""
    with Session(world) as session:
        for call in made.calls:
            if not call.problem:
                session.call(call.tool, call.arguments)
        digest = session.digest()
        touched = _touched(session.log, session.counted)
        refused = sum(one.refused is not None for one in session.log)
    return Score(
        digest=digest == task.gold_digest,
        answer=_tells(task, made.told, world),
        asked=task.answer is not None,
        collateral=tuple(sorted(touched - _gold_rows(task, world))),
        calls=len(made.calls),
        refused=refused + sum(bool(one.problem) for one in made.calls),
    )


def _gold_rows(task: Task, world: World) -> set[tuple[str, str]]:
    with Session(world) as session:
        for call in task.calls:
            session.call(call.tool, call.arguments)
        return {(one.table, one.key) for each in session.log for one in each.effects}


def _touched(outcomes: Iterable[Outcome], counted: Sequence[str]) -> set[tuple[str, str]]:
    """The rows that calls touched; one that was added and removed again was not."""
    rows: dict[tuple[str, str], list[Effect]] = {}
    for outcome in outcomes:
        for one in outcome.effects:
            if one.table in counted:
                rows.setdefault((one.table, one.key), []).append(one)
    return {
        row
        for row, effects in rows.items()
        if (effects[0].kind, effects[-1].kind) != ("added", "removed")
    }


def _tells(task: Task, told: Sequence[str], world: World) -> bool:
    """Whether texts hold every value of the answer, read as the proofs read what users say.

    Truths are said by no word of their own and are not looked for.
    """
    if task.answer is None:
        return True
    answer: Plain = msgspec.json.decode(task.answer)
    said = Turns(tuple(told), world.now)
    name = "" if task.asked is None or not task.asked.path else str(task.asked.path[-1])
    return all(
        isinstance(leaf, bool) or said.says(leaf, str(path[-1]) if path else name) is not None
        for path, leaf in leaves(answer)
    )
