"""Convert tasks to conversations, with the results of the calls after each turn of the user.

The known solution of a task is replayed in its simulated world, so that results, refusals and the
answer are real.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec

from benchloom.core.records import Rejected
from benchloom.core.records.values import Plain
from benchloom.worlds.runs.task_reader import read_tasks
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.suites import SUITES
from benchloom.worlds.task import GoldCall, Task
from benchloom.worlds.task_kinds import TASK_KINDS
from prompts.inputs.plan_parameters import label_of

AGREEMENT = "agreement in the words"
UNCHANGED = "nothing was changed"
MAX_ROWS = 5
"""Maximum number of rows shown of a result that is a list; further rows are only counted."""
Duty = Literal["answer", "ask", "confirm", "refuse"]


class TaskCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool call with its result, or with the message by which the tool refused it.

    `rows` is the number of all rows if the result is a list that was cut.
    """

    tool: str
    arguments: Mapping[str, Plain]
    result: Plain = None
    rows: int | None = None
    refused: str | None = None


class TaskTurn(msgspec.Struct, frozen=True):
    """One turn: the user's words, the calls that follow, and what the assistant has to do then.

    `values` are the user's words that the calls need. `about` is the missing value that the
    assistant asks for, the reason of a refusal, or the answer as JSON; `field` is the field of a
    result that contains the answer.
    """

    user: str
    values: tuple[str, ...]
    calls: tuple[TaskCall, ...]
    duty: Duty
    about: str = ""
    field: str = ""


class TaskTalk(msgspec.Struct, frozen=True):
    """One task as a conversation; `tools` describes the tools that are called.

    `rules` are the instructions that the assistant has to follow.
    """

    task_id: str
    suite: str
    turns: tuple[TaskTurn, ...]
    tools: dict[str, str]
    rules: tuple[str, ...] = ()


def read_talks(folder: Path) -> Iterator[tuple[Task, TaskTalk | Rejected]]:
    """Yield every task as a conversation, or a rejected row with the reason.

    Tasks with rules come in pairs, one of which ends with the user's "no". About half of the
    conversations that end with a "no" are left out, so that these are about a third of the
    conversations with rules.
    """
    agreed = declined = 0
    for task in read_tasks(folder):
        message = ""
        if len(task.turns) == 1 and not task.declines:
            message = "the user has only one turn"
        elif TASK_KINDS.find(task.kind).answers_questions:
            message = "its user answers questions, which are not recorded"
        elif any(call.turn is None for call in task.calls):
            message = "the turns of the calls are unknown"
        elif task.policy and not task.calls and 2 * declined > agreed:
            message = "a third of the conversations with rules already end in a 'no'"
        elif task.policy:
            agreed, declined = agreed + bool(task.calls), declined + (not task.calls)
        if message:
            yield task, Rejected("generate", task.task_id, "no_conversation", message, task.task_id)
        else:
            yield task, _talk(task)


def _talk(task: Task) -> TaskTalk:
    world = SUITES.find(task.suite).world(task.start)
    broken = _broken_rule(task)
    # An assistant looks things up before it asks or declines, whatever the user says then.
    reads = [call for call in task.forbidden if world.tools[call.tool].reads]
    looked_up = [GoldCall(call.tool, call.arguments, turn=0) for call in reads]
    task = msgspec.structs.replace(task, calls=(*task.calls, *looked_up))
    with Session(world) as session:
        outcomes = [session.call(call.tool, call.arguments) for call in task.calls]
    turns = []
    call_turns = list(_call_turns(task))
    for number, user in enumerate(task.turns):
        positions = [position for position, turn in enumerate(call_turns) if turn == number]
        duty, about = _duty(task, outcomes, number, positions)
        if broken and len(task.turns) == 1:
            duty, about = "refuse", broken
        turns.append(
            TaskTurn(
                user,
                tuple(_values(task, number, user)),
                tuple(
                    _task_call(task.calls[position], outcomes[position]) for position in positions
                ),
                duty,
                about,
                _answer_field(task) if duty == "answer" else "",
            )
        )
    tools = {call.tool: world.tools[call.tool].about for call in task.calls}
    rules = tuple(rule.text for rule in task.policy)
    return TaskTalk(task.task_id, task.suite, tuple(turns), tools, rules)


def _broken_rule(task: Task) -> str:
    """Return the text of a rule that a forbidden call breaks even if the user agrees, or ""."""
    tools = {call.tool for call in task.forbidden}
    rules = (rule for rule in task.policy if rule.tool in tools and rule.test != "said")
    return next((rule.text for rule in rules), "")


def _call_turns(task: Task) -> Iterator[int]:
    """Yield, for each call, the number of the turn that it follows; calls may wait for consent."""
    turn = 0
    for call in task.calls:
        turn = max(turn, call.turn or 0)
        for rule in task.policy:
            if rule.test == "said" and rule.tool == call.tool:
                agreed = (n for n, text in enumerate(task.turns) if str(rule.value) in text)
                turn = max(turn, next(agreed, turn))
        yield turn


def _agreement(task: Task, reply: str) -> str:
    """Return the words of consent that a rule asks for, or "" if `reply` does not react to it.

    `reply` reacts if it contains the words, or if the user declines, so that no call follows.
    """
    rules = [rule for rule in task.policy if rule.test == "said"]
    declined = {rule.tool for rule in rules}.isdisjoint(call.tool for call in task.calls)
    words = (str(rule.value) for rule in rules)
    return next((said for said in words if declined or said in reply), "")


def _duty(
    task: Task, outcomes: list[Outcome], number: int, positions: list[int]
) -> tuple[Duty, str]:
    """Return the assistant's duty after a turn, with details such as the value to ask for."""
    last = number == len(task.turns) - 1
    refused = [outcomes[position].message for position in positions if outcomes[position].refused]
    if refused:
        return "refuse", refused[-1]
    if task.asked is not None and (task.asked.call in positions or last):
        return "answer", task.answer or ""
    if any(outcomes[position].effects for position in positions):
        return "confirm", ""
    if last:
        return "confirm", UNCHANGED
    words = _agreement(task, task.turns[number + 1])
    return "ask", f'{AGREEMENT} "{words}"' if words else _missing(task, number + 1)


def _answer_field(task: Task) -> str:
    """Return the field of the result that contains the answer, or "" for the whole result."""
    names = [part for part in task.asked.path if isinstance(part, str)] if task.asked else []
    return names[-1] if names else ""


def _missing(task: Task, turn: int) -> str:
    """Return the everyday name of the argument whose value the user gives in turn `turn`."""
    reads = {position for position, call in enumerate(task.calls) if call.turn == turn}
    label = ""
    for call in reversed(task.calls):
        for origin in call.origins if call.turn == turn else ():
            says = origin.kind in {"turn", "words"} and origin.place == turn
            finds = origin.kind == "result" and (
                origin.place in reads or _returns_named(task.calls[origin.place], task.turns[turn])
            )
            if says or finds:
                return label_of(origin.argument)
            # The reads of the previous turn belong to that turn.
            if origin.kind == "result" and task.calls[origin.place].turn != turn - 1:
                label = label or label_of(origin.argument)
    return label


def _returns_named(read: GoldCall, words: str) -> bool:
    """Whether a call that reads data has an argument that occurs in the user's words."""
    return any(isinstance(value, str) and value in words for value in read.arguments.values())


def _values(task: Task, number: int, user: str) -> Iterator[str]:
    """Yield the texts that the user's turn states literally, such as names and titles."""
    for call in task.calls:
        for origin in call.origins:
            value = call.arguments.get(origin.argument)
            is_text = origin.kind == "turn" and origin.place == number and isinstance(value, str)
            if is_text and str(value) in user:
                yield str(value)


def _task_call(call: GoldCall, outcome: Outcome) -> TaskCall:
    if outcome.refused is not None:
        return TaskCall(call.tool, call.arguments, refused=outcome.message)
    if isinstance(outcome.result, list) and len(outcome.result) > MAX_ROWS:
        rows = outcome.result[:MAX_ROWS]
        return TaskCall(call.tool, call.arguments, rows, len(outcome.result))
    return TaskCall(call.tool, call.arguments, outcome.result)
