"""A client's moves in an attempt: words for each turn of the user, and calls before the last."""

from collections.abc import Mapping

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.runs.scoring import AgentRun, RunCall, score_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task


class Moves(msgspec.Struct, frozen=True):
    """`texts` answer the user's turns in order; the calls, by offered names, precede the last."""

    texts: tuple[str, ...]
    calls: tuple[tuple[str, Mapping[str, Plain]], ...] = ()


def gold(task: Task) -> Moves:
    """Return the moves that follow the plan of a task and say its answer."""
    calls = tuple((call.tool.replace(".", "__"), call.arguments) for call in task.calls)
    return Moves(("And?",) * _turns_left(task) + (task.last_words,), calls)


def nothing(task: Task) -> Moves:
    """Return moves without calls and words."""
    return Moves(("",) * (1 + _turns_left(task)))


def _turns_left(task: Task) -> int:
    # The user of a dialogue ends it at the first message that asks nothing.
    return 0 if task.kind == "dialogue" else len(task.turns) - 1


def own_score(task: Task, moves: Moves) -> float:
    """Return our own scorer's reward of the same moves."""
    turn = len(moves.texts) - 1
    calls = tuple(
        RunCall(name.replace("__", ".", 1), arguments, turn=turn) for name, arguments in moves.calls
    )
    world = SUITES.find(task.suite).world(task.start)
    return float(score_of(task, world, AgentRun(calls, moves.texts)).solved)
