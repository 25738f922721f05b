"""Records of worlds: tasks, recorded service results, and runs of shortcuts on a device.

A task is the row that the table `tasks` contains; see `benchloom.worlds.task`.
"""

from typing import Literal, TypeAlias

import msgspec


class Wording(msgspec.Struct, frozen=True, gc=False):
    """The user's words for the value of an argument."""

    argument: str
    words: str


class TaskOrigin(msgspec.Struct, frozen=True, gc=False):
    """The origin of an argument's value; `kind` is turn, words, clock, result or default."""

    argument: str
    kind: str
    place: int
    told: str


class TaskCall(msgspec.Struct, frozen=True):
    """One call of the plan; `arguments` is a JSON object."""

    tool: str
    arguments: str
    redundant: bool
    refused: str | None
    idle: tuple[str, ...]
    said: tuple[Wording, ...]
    origins: tuple[TaskOrigin, ...]
    turn: int | None = None


class TaskRule(msgspec.Struct, frozen=True, gc=False):
    """A rule of a task's policy; `value` is JSON."""

    text: str
    tool: str
    argument: str
    test: str
    value: str
    column: str


class TaskForbiddenCall(msgspec.Struct, frozen=True):
    """A call that would do what the agent must decline; `arguments` is a JSON object."""

    tool: str
    arguments: str
    said: tuple[Wording, ...]


class TaskAnswerPath(msgspec.Struct, frozen=True, gc=False):
    """Where a call's result contains the answer: `path` is a JSON list of names and indices."""

    call: int
    path: str


class TaskProofs(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The results of the replays of a task; a task is released only if all proofs hold.

    Args:
        repeated: two runs of the plan, in two processes, ended in the same state, and the plan
            recovers from every refused call.
        needed: doing nothing is not enough.
        dropped: number of necessary calls; one replay leaves out each call.
        changed: number of arguments that matter; one replay changes each argument.
        derived: every literal is in the user's text, the clock or an earlier result.
        orders: number of call orders that end in the same state, including the plan's own.
        orders_tried: number of orders that were tried: all possible orders, or a random sample.
        harmless: number of offered distractors; none of them can do the work of a needed call.
    """

    repeated: bool
    needed: bool
    dropped: int
    changed: int
    derived: bool
    orders: int
    orders_tried: int
    harmless: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table `tasks`."""

    task_id: str
    suite: str
    split: str | None
    turns: tuple[str, ...]
    calls: tuple[TaskCall, ...]
    asked: TaskAnswerPath | None
    answer: str | None
    start: str
    start_digest: str
    gold_digest: str
    results_digest: str
    tools: tuple[str, ...]
    distractors: tuple[str, ...]
    alternatives: tuple[str, ...]
    proofs: TaskProofs
    source: str
    source_id: str
    source_uri: str
    licence: str
    kind: str = "request"
    policy: tuple[TaskRule, ...] = ()
    forbidden: tuple[TaskForbiddenCall, ...] = ()


ServiceOutcome: TypeAlias = Literal["ok", "empty", "failed"]


class ResultRow(msgspec.Struct, frozen=True, gc=False):
    """A row of a service's result: its position from 0, and its values by slot as JSON.

    `requested` are the slots whose values in this row the user asked for and was given, sorted.
    """

    rank: int
    values: str
    requested: tuple[str, ...] = ()


class ServiceResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One recorded call of a dialogue, and the result its service returned.

    `dialogue_id`, `source`, `source_id`, `source_uri`, `split`, `path_id`, `licence` and
    `attribution` are those of the dialogue, as in its row of `dialogues`. `call` is the index
    of the call from 0, `turn` the index of its turn. `service` and `method` are the source's
    names; `definition_id` refers to the definition of the method. `arguments` are JSON with
    canonical values, sorted by name. `outcome` is ok, empty (a query without matches) or failed
    (a transaction that the service did not do; `rows` then contain the alternatives that the
    service offers). `wordings` are the user's words for values of arguments, if they differ.
    """

    dialogue_id: str
    source: str
    source_id: str
    source_uri: str
    split: str | None
    path_id: str
    call: int
    turn: int
    service: str
    method: str
    definition_id: str
    arguments: str
    outcome: ServiceOutcome
    rows: tuple[ResultRow, ...]
    licence: str
    attribution: str
    wordings: tuple[Wording, ...] = ()


class ExecutedStep(msgspec.Struct, frozen=True, gc=False):
    """An executed step; `shortcut` names the nested shortcut that contains it, if any."""

    step: int
    shortcut: str
    identifier: str
    output: str


class ExecutionQuestion(msgspec.Struct, frozen=True, gc=False):
    """A question to a person, the web or another app, and the simulated answer as text."""

    step: int
    shortcut: str
    prompt: str
    choices: tuple[str, ...]
    answer: str


class ExecutionEffect(msgspec.Struct, frozen=True, gc=False):
    """A step's change of the device, or data that it would have sent out; `details` are JSON."""

    step: int
    kind: str
    details: str


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the table `executions`; the first three fields identify the shortcut's row."""

    shortcut_id: str
    source_digest: str
    source_uri: str
    split: str | None
    execution_id: str
    outcome: str
    reason: str
    steps: int
    trace: tuple[ExecutedStep, ...]
    questions: tuple[ExecutionQuestion, ...]
    effects: tuple[ExecutionEffect, ...]
    output: str
    everyday: str | None
