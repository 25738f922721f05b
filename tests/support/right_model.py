"""A scripted model that solves tasks of services with several spellings of their values.

The model knows the plan. It leaves out defaults, spells times, numbers and names as people do, and
tells the user only what the task asks for.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.proofs.open_worlds import open_world
from benchloom.worlds.proofs.parameters import parameters_of
from benchloom.worlds.proofs.trials import answer_in
from benchloom.worlds.runs.scoring import AgentRun, RunCall, score_of
from benchloom.worlds.session import Session
from benchloom.worlds.task import GoldCall, Task

SPELLINGS = 3
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
]


def unsolved_tasks(tasks: Sequence[Task]) -> list[tuple[str, int]]:
    """Return the id and the spelling of every task that the model does not solve."""
    return [
        (task.source_id, spelling)
        for task in tasks
        for spelling in range(SPELLINGS)
        if not solves(task, spelling)
    ]


def solves(task: Task, spelling: int) -> bool:
    """Return whether the model solves a task with one of the spellings 0 to 2."""
    calls = tuple(_spelled_call(call, task, spelling) for call in task.calls)
    with Session(open_world(task.suite, task.start)) as session:
        results = [session.call(call.tool, call.arguments).result for call in calls]
    answer = "" if task.asked is None else answer_in(results[task.asked.call], task.asked)
    return _is_solved(task, calls, _answer(msgspec.structs.replace(task, answer=answer or None)))


def wrong_solutions(task: Task) -> Iterator[str]:
    """Yield wrong runs that count as solved, with another value of a write or another answer."""
    tools = open_world(task.suite, task.start).tools
    calls = [RunCall(call.tool, call.arguments) for call in task.calls]
    for number, call in enumerate(task.calls):
        for name, value in call.arguments.items():
            if tools[call.tool].reads or call.redundant or call.refused or name in call.idle:
                continue
            changed_arguments = {**call.arguments, name: _other_value(str(value))}
            changed = (*calls[:number], RunCall(call.tool, changed_arguments), *calls[number + 1 :])
            if _is_solved(task, changed, _answer(task)):
                yield f"{call.tool} {name} {value}"
    if task.answer is not None and _is_solved(task, tuple(calls), _wrong_answer(task)):
        yield f"answer {task.answer}"


def _is_solved(task: Task, calls: tuple[RunCall, ...], answer: str) -> bool:
    world = open_world(task.suite, task.start)
    return score_of(task, world, AgentRun(calls, (answer,))).solved


def _spelled_call(call: GoldCall, task: Task, spelling: int) -> RunCall:
    defaults = parameters_of(open_world(task.suite, task.start).tools[call.tool])
    words = {origin.argument: origin.told for origin in call.origins if origin.kind == "words"}
    arguments: dict[str, Plain] = {}
    for name, value in call.arguments.items():
        is_choice = bool(defaults[name].values)
        if value == defaults[name].default:
            continue
        if spelling == 1 and name in words and not is_choice:
            arguments[name] = words[name]
        else:
            arguments[name] = _spelled_value(str(value), spelling)
    return RunCall(call.tool, arguments)


def _spelled_value(value: str, spelling: int) -> Plain:
    """Return a value as people write it, for example 11:30 am, two or san jose."""
    if spelling == 0:
        return int(value) if re.fullmatch(r"[1-9]\d{0,8}", value) else value
    if (time := _TIME.fullmatch(value)) is not None:
        hour, day_half = int(time[1]), "am" if int(time[1]) < 12 else "pm"
        if spelling == 1:
            return f"{hour % 12 or 12}:{time[2]} {day_half}"
        return f"{hour}:{time[2]}:00"
    if re.fullmatch(r"\d|10", value):
        return _NUMBER_WORDS[int(value)] if spelling == 1 else f" {value} "
    return value.lower() if spelling == 1 else value.upper()


def _other_value(value: str) -> str:
    position = next((n for n, letter in enumerate(value) if letter.isalnum()), 0)
    letter = value[position]
    changed = str((int(letter) + 1) % 10) if letter.isdigit() else "z" if letter in "qQ" else "q"
    return value[:position] + changed + value[position + 1 :]


def _answer(task: Task) -> str:
    return " ".join(
        f"The {_spoken_name(name)} is {value}." for name, value in _requested_values(task)
    )


def _wrong_answer(task: Task) -> str:
    opposite = {
        _answer_words("True"): _answer_words("False"),
        _answer_words("False"): _answer_words("True"),
    }
    return " ".join(
        f"The {_spoken_name(name)} is {opposite.get(value, 'unknown')}."
        for name, value in _requested_values(task)
    )


def _requested_values(task: Task) -> list[tuple[str, str]]:
    if task.answer is None or task.asked is None:
        return []
    answer = msgspec.json.decode(task.answer)
    if isinstance(answer, dict):
        return [(name, _answer_words(value)) for name, value in answer.items()]
    return [(str(task.asked.path[-1]), _answer_words(answer))]


def _answer_words(value: object) -> str:
    return {"True": "true, yes", "False": "not true, no"}.get(str(value), str(value))


def _spoken_name(name: str) -> str:
    return name.replace("_", " ")
