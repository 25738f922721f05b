"""Tasks: what a user wants of a world, the calls that do it, and proofs that they do."""

from collections.abc import Mapping

import msgspec

from benchloom.records.values import Plain


class GoldCall(msgspec.Struct, frozen=True):
    """One call of the plan: `tool` is its full name (`app.tool`).

    `redundant` where leaving it out changes neither the digest nor the answer.
    """

    tool: str
    arguments: Mapping[str, Plain]
    redundant: bool = False


class Proofs(msgspec.Struct, frozen=True, kw_only=True):
    """What replays showed of a task; a task is released when all of them hold.

    Args:
        repeated: two runs of the plan, in two processes, ended alike and no call was refused
            that the plan does not recover from.
        needed: doing nothing is not enough.
        dropped: calls that are needed, by leaving out each.
        changed: arguments that matter, by changing each.
        derived: every literal stands in the user's text, the clock or an earlier result.
        orders: orders of the calls that end alike, the plan's own among them.
        harmless: distractors that do not end alike in the place of a call.
    """

    repeated: bool
    needed: bool
    dropped: int
    changed: int
    derived: bool
    orders: int
    harmless: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One task.

    Args:
        task_id: follows from everything else.
        suite: the name of its suite, which makes the world from `start`.
        start: the start, as JSON.
        start_digest: the digest of the state before any call.
        turns: what the user says, in order; the first opens the task, the next ones are answers.
        tools: full names of the tools that are offered, sorted.
        distractors: those of them that the plan does not use.
        calls: the plan.
        gold_digest: the digest of the state after it.
        answer: what the user wants to be told, as JSON; none where nothing is.
        source, source_id, source_uri, license: where it comes from.
        split: its split; a task of a dialogue has that of the dialogue.
    """

    task_id: str
    suite: str
    start: str
    start_digest: str
    turns: tuple[str, ...]
    tools: tuple[str, ...]
    distractors: tuple[str, ...]
    calls: tuple[GoldCall, ...]
    gold_digest: str
    answer: str | None = None
    proofs: Proofs
    source: str
    source_id: str
    source_uri: str = ""
    license: str = ""
    split: str = ""
