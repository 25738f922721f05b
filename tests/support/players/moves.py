"""The moves of a client in an attempt: messages to the user, and calls before the last message."""

from collections.abc import Mapping

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.runs.scoring import AgentRun, RunCall, score_of
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import Task


class Moves(msgspec.Struct, frozen=True):
    """Messages that answer the user's turns in order, and calls that precede the last message.

    Calls use the offered names of tools.
    """

    texts: tuple[str, ...]
    calls: tuple[tuple[str, Mapping[str, Plain]], ...] = ()


def gold_moves(task: Task) -> Moves:
    """Return moves that carry out the plan of a task and state its answer."""
    calls = tuple((call.tool.replace(".", "__"), call.arguments) for call in task.calls)
    return Moves(("And?",) * _later_turns(task) + (task.last_words,), calls)


def no_moves(task: Task) -> Moves:
    """Return moves with empty messages and without calls."""
    return Moves(("",) * (1 + _later_turns(task)))


def _later_turns(task: Task) -> int:
    # The user of a dialogue ends it at the first message without a question.
    return 0 if task.kind == "dialogue" else len(task.turns) - 1


def score_moves(task: Task, moves: Moves) -> float:
    """Return the reward that our own scorer gives to the moves."""
    turn = len(moves.texts) - 1
    calls = tuple(
        RunCall(name.replace("__", ".", 1), arguments, turn=turn) for name, arguments in moves.calls
    )
    world = SUITES.find(task.suite).world(task.start)
    return float(score_of(task, world, AgentRun(calls, moves.texts)).solved)
