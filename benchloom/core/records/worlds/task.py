"""A task in a world as the table `tasks` holds it; see `benchloom.worlds.task`."""

import msgspec


class TaskWording(msgspec.Struct, frozen=True, gc=False):
    """The words of a turn that say the value of an argument."""

    argument: str
    words: str


class TaskOrigin(msgspec.Struct, frozen=True, gc=False):
    """The origin of a value of a call; `kind` is turn, words, clock, result or default."""

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
    said: tuple[TaskWording, ...]
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
    """A call that would do what has to be declined; `arguments` is a JSON object."""

    tool: str
    arguments: str
    said: tuple[TaskWording, ...]


class TaskAnswerPath(msgspec.Struct, frozen=True, gc=False):
    """The location of the answer: `path` is a JSON list of names and list indices."""

    call: int
    path: str


class TaskProofs(msgspec.Struct, frozen=True, gc=False):
    """The results of replaying a task."""

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
