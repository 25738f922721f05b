"""Tasks: what a user wants of a world, the calls that do it, and proofs that they do.

Whoever has a request and calls makes a `Candidate`; `benchloom.worlds.proving` replays it and
makes a `Task` of it, or says why not.
"""

from collections.abc import Mapping
from typing import Literal, TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.refusals import RefusalKind

OriginKind: TypeAlias = Literal["turn", "words", "clock", "result", "default"]
"""Where a value is known from: a turn of the user says it, or says it in other words; the clock
tells it; an earlier call gave it back; or it is the tool's own default, and an empty one."""


class Asked(msgspec.Struct, frozen=True):
    """What the user wants to be told: the value at `path` in what call `call` gave back.

    `path` is names of fields and places in lists; an empty one is the whole result.
    """

    call: int
    path: tuple[str | int, ...] = ()


class PlannedCall(msgspec.Struct, frozen=True):
    """One call of a candidate: `tool` is its full name (`app.tool`).

    `said` gives, by argument, the words of a turn that say its value where the value itself does
    not stand there: `{"enabled": "switch off"}`. They have to stand in a turn letter for letter.
    """

    tool: str
    arguments: Mapping[str, Plain]
    said: Mapping[str, str] = {}


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """What may become a task.

        Candidate(
            suite="everyday",
            start="{}",
            turns=("Please wake me at 07:05 for the market.",),
            calls=(PlannedCall("alarms.create_alarm", {"time": "07:05", "label": "market"}),),
            source="everyday",
            source_id="7",
        )

    Args:
        suite: the name of the suite, with dashes.
        start: the start, as `Suite.world` takes it.
        turns: what the user says, in order.
        calls: the plan, with the values as they are: an id is the id that an earlier call of the
            plan gives back, which the proof finds. A call may be refused if a later one of the
            same tool with other arguments is not.
        asked: what the user wants to be told; none where only what is done counts.
        exact: no call that is not refused may be redundant, and no argument idle.
        source, source_id, source_uri, license, split: as in `Task`.
    """

    suite: str
    start: str
    turns: tuple[str, ...]
    calls: tuple[PlannedCall, ...]
    asked: Asked | None = None
    exact: bool = False
    source: str
    source_id: str
    source_uri: str = ""
    license: str = ""
    split: str = ""


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a value of a call is known from.

    `argument` is dotted where it lies inside another. `place` is the turn or the call, from 0, or
    -1; `told` the words of the turn, or where in the result it stands.
    """

    argument: str
    kind: OriginKind
    place: int = -1
    told: str = ""


class GoldCall(msgspec.Struct, frozen=True):
    """One call of the plan.

    `said` is that of the planned call. `refused` is why it is refused, where it is and a later
    call recovers from it. `redundant` where leaving it out changes neither the digest nor the
    answer, as it is for every refused call that nothing is learned from; `idle` names arguments of
    which another value changes neither.
    """

    tool: str
    arguments: Mapping[str, Plain]
    redundant: bool = False
    said: Mapping[str, str] = {}
    refused: RefusalKind | None = None
    idle: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()


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
        orders_tried: orders that were tried: all that are possible, or a drawn part.
        harmless: distractors that do not end alike in the place of a call.
    """

    repeated: bool
    needed: bool
    dropped: int
    changed: int
    derived: bool
    orders: int
    orders_tried: int = 1
    harmless: int


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """One task.

    Args:
        task_id: follows from suite, start, turns, calls and what is asked.
        suite: the name of its suite, which makes the world from `start`.
        start: the start, as JSON.
        start_digest: the digest of the state before any call.
        turns: what the user says, in order; the first opens the task, the next ones are answers.
        tools: full names of the tools that are offered, sorted.
        distractors: those of them that the plan does not use; the first 3, 10, 20 are the rungs
            of a ladder.
        alternatives: tools that end alike in the place of a call; none of them is a distractor.
        calls: the plan.
        gold_digest: the digest of the state after it.
        results_digest: the digest of all that its calls gave back.
        asked: where the answer stands.
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
    alternatives: tuple[str, ...] = ()
    calls: tuple[GoldCall, ...]
    gold_digest: str
    results_digest: str = ""
    asked: Asked | None = None
    answer: str | None = None
    proofs: Proofs
    source: str
    source_id: str
    source_uri: str = ""
    license: str = ""
    split: str = ""
