"""Records of tasks in simulated worlds, recorded service results, and runs of shortcuts.

A task is a request with the calls that fulfil it; see `benchloom.worlds.task`.
"""

from typing import Literal, TypeAlias

import msgspec


class Wording(msgspec.Struct, frozen=True, gc=False):
    """The user's words for the value of an argument, which differ from the value."""

    argument: str
    words: str


class TaskOrigin(msgspec.Struct, frozen=True, gc=False):
    """Where the agent of a task learns the value of an argument.

    `kind` is turn, words, clock, result or default. `place` is the number of the turn or call, from
    0, or -1 for neither. `told` contains the words of the turn, or the path in the call's result.
    """

    argument: str
    kind: str
    place: int
    told: str


class TaskCall(msgspec.Struct, frozen=True):
    """One call of the plan of a task. `arguments` is a JSON object.

    `redundant` is true if the plan ends in the same state, with the same answer, without the call.
    `refused` is the reason why the world refuses the call, if a later call recovers from this.
    `idle` lists the arguments for which other values change neither the final state nor the answer.
    `said` contains the user's words for values, and `origins` say where values come from. `turn` is
    the number of the turn that asks for the call.
    """

    tool: str
    arguments: str
    redundant: bool
    refused: str | None
    idle: tuple[str, ...]
    said: tuple[Wording, ...]
    origins: tuple[TaskOrigin, ...]
    turn: int | None = None


class TaskRule(msgspec.Struct, frozen=True, gc=False):
    """A rule that the agent of a task must obey.

    `text` is the rule in words. The other fields are the rule as a test of calls: calls of `tool`
    are tested by comparing `argument` with `value`, which is JSON. `test` is at_most, at_least,
    between, none_of, not_weekday or said. If `column` (a table and a column) is set, the value in
    this column is tested, in the row whose key is the argument.
    """

    text: str
    tool: str
    argument: str
    test: str
    value: str
    column: str


class TaskForbiddenCall(msgspec.Struct, frozen=True):
    """A call that would do what the agent of a task must decline. `arguments` is a JSON object."""

    tool: str
    arguments: str
    said: tuple[Wording, ...]


class TaskAnswerPath(msgspec.Struct, frozen=True, gc=False):
    """Where the result of a call contains the answer.

    `path` is a JSON list of names and indices.
    """

    call: int
    path: str


class TaskProofs(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The results of running a task's plan again and again with changes, to prove that it is sound.

    A task is released only if all proofs hold.

    Args:
        repeated: two runs of the plan, in two processes, ended in the same state, and the plan
            recovers from every refused call.
        needed: doing nothing does not solve the task.
        dropped: the number of calls without which the state or the answer differs.
        changed: the number of arguments whose other values change the state or the answer.
        derived: every literal value is in the user's text, the clock or an earlier result.
        orders: the number of orders of the calls that end in the same state, including the plan's
            order.
        orders_tried: the number of orders that were tried: all possible orders, or a random sample.
        harmless: the number of distractors (tools that the plan does not need) that cannot
            replace a needed call.
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
    """A row of the table `tasks`: a request, the calls that fulfil it, and proofs of the plan.

    `suite` and `start` determine the world and its initial state. `turns` are the user's words.
    `asked` is where the results contain the `answer`; both are None if only the final state counts.
    The digests are of the initial state, the state after the plan, and all results of calls.
    `tools` are offered to the agent; `distractors` are tools that the plan does not use, and
    `alternatives` are tools that can replace a call. `policy` are rules that the agent must obey,
    and `forbidden` are calls that it must not make.
    """

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
    """A row of a service's result. `rank` is its position, from 0.

    `values` maps slots to values, as JSON. `requested` are the slots whose values in this row the
    user asked for and received, sorted.
    """

    rank: int
    values: str
    requested: tuple[str, ...] = ()


class ServiceResult(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A row of the table `service_results`: a recorded call of a dialogue and its result.

    `dialogue_id`, `source`, `source_id`, `source_uri`, `split`, `path_id`, `licence` and
    `attribution` are those of the dialogue, as in its row of `dialogues`. `call` is the index of
    the call from 0, `turn` the index of its turn. `service` and `method` are the source's names;
    `definition_id` refers to the definition of the method. `arguments` are JSON with canonical
    values, sorted by name. `outcome` is ok, empty (a query without matches) or failed (a
    transaction that the service did not do; `rows` then contain the alternatives that the service
    offers). `wordings` are the user's words for values of arguments, if they differ.
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
    """A step that ran: the position of an action in its shortcut, its API, and its output as text.

    `shortcut` is the name of the nested shortcut that contains the action, or empty.
    """

    step: int
    shortcut: str
    identifier: str
    output: str


class ExecutionQuestion(msgspec.Struct, frozen=True, gc=False):
    """A question to a person, the web or another app during a run, with a simulated answer."""

    step: int
    shortcut: str
    prompt: str
    choices: tuple[str, ...]
    answer: str


class ExecutionEffect(msgspec.Struct, frozen=True, gc=False):
    """A change of the device by a step, or data that would have left the device.

    `details` are JSON.
    """

    step: int
    kind: str
    details: str


class Execution(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `executions`: what a shortcut did on a simulated device.

    The first three fields identify the row of the shortcut. `execution_id` is equal for runs that
    did the same. `outcome` is finished, failed, unsupported or limit, and `reason` says why the run
    stopped. `everyday` is the digest of the state of the device's apps after the run, or None if it
    is unchanged.
    """

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
