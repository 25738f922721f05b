"""A task is a user's request to a world, calls that fulfil the request, and evidence of this.

A generator of requests and calls creates a `Candidate`; `benchloom.worlds.proofs` replays it and
turns it into a `Task`, or raises with the reason.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from benchloom.core.records.values import Plain
from benchloom.core.records.worlds import TaskProofs
from benchloom.worlds.state import RefusalKind

OriginKind: TypeAlias = Literal["turn", "words", "clock", "result", "default"]
"""The source of a value: `turn` (a turn contains the value), `words` (words of a turn express it),
`clock`, `result` (of an earlier call), or `default` (the argument's default, or an empty text)."""


_OBEY = (
    " Obey these rules. If one of them forbids what the user asks for, say so and change nothing:"
)


AnswerPath: TypeAlias = tuple[str | int | tuple[str, ...], ...]


RuleTest: TypeAlias = Literal["at_most", "at_least", "between", "none_of", "not_weekday", "said"]


class Rule(msgspec.Struct, frozen=True):
    """A rule that an agent must obey, as a text for the agent and as a test of calls.

    The rule applies to calls of `tool`. `test` is the name of the comparison between the value of
    `argument` and the `value` of the rule. With a `column` (`table.column`), the comparison uses
    this column of the row whose key is the argument. The test `said` needs no argument: the user
    must say the words `value` in a turn after the request.

    Args:
        value: the limit, the required words, or a list, which contains the two limits of a range,
            or the forbidden weekdays, or the forbidden values.
    """

    text: str
    tool: str
    argument: str
    test: RuleTest
    value: Plain
    column: str = ""


class RequestedAnswer(msgspec.Struct, frozen=True):
    """The location of the requested answer: the `path` in the result of the call number `call`.

    `path` consists of field names and list positions; an empty path is the whole result. If the
    last part of the path is a list of names, the answer is an object with these fields.
    """

    call: int
    path: AnswerPath = ()


class PlannedCall(msgspec.Struct, frozen=True):
    """A call in the plan of a candidate; `tool` is the full name of a tool (`app.tool`).

    `said` maps an argument to the words of a turn that express its value, if the turn does not
    contain the value itself: `{"enabled": "switch off"}`. A turn must contain the words literally.
    `turn` is the number of the turn that requests the call, or None.
    """

    tool: str
    arguments: Mapping[str, Plain]
    said: Mapping[str, str] = {}
    turn: int | None = None


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The fields that tasks and candidates have in common; a candidate is an unchecked task.

    They contain the user's words, the rules that the agent must follow, and the source of the
    words.
    """

    suite: str
    start: str
    turns: tuple[str, ...]
    kind: str = "request"
    policy: tuple[Rule, ...] = ()
    forbidden: tuple[PlannedCall, ...] = ()
    asked: RequestedAnswer | None = None
    source: str
    source_id: str
    source_uri: str = ""
    license: str = ""
    split: str = ""

    def request_fields(self) -> dict[str, Any]:
        """Return a mapping from the common fields of tasks and candidates to their values."""
        return {name: getattr(self, name) for name in Request.__struct_fields__}


class Candidate(Request, frozen=True, kw_only=True):
    """A request with a plan that may become a task.

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
        start: the initial state, as JSON for `Suite.world`.
        turns: the user's turns, in order.
        calls: the plan, which is a sequence of calls with literal values. An id in it must be the
            id that an earlier call of the plan returns. A call may be refused if a later call of
            the same tool with other arguments succeeds.
        kind: the name of a kind of tasks; in a `dialogue` the later turns are facts that the user
            states only when asked.
        policy: the rules that the agent must obey.
        forbidden: the plan that would fulfil the request, if the request must be declined;
            `calls` is empty then.
        asked: the requested answer; None if only the changes count.
        exact: whether to reject the candidate if an argument or a call, except a refused call, has
            no effect.
        source, source_id, source_uri, license, split: as in `Task`.
    """

    calls: tuple[PlannedCall, ...]
    exact: bool = False


class Origin(msgspec.Struct, frozen=True, gc=False):
    """The origin of a value in the arguments of a call.

    `argument` is the name of the argument, or a dotted path if the value is nested. `place` is the
    index of the turn or the call from which the value comes, or -1. `told` contains the words of
    the turn, or the path in the result of the call.
    """

    argument: str
    kind: OriginKind
    place: int = -1
    told: str = ""


class GoldCall(msgspec.Struct, frozen=True):
    """A call in the plan of a task, with what replays of the plan showed.

    `said` and `turn` are copied from the planned call. `refused` is the kind of a refusal from
    which a later call recovers. `redundant` is true if the final state and the answer are the same
    without the call, as for a refused call whose result is not needed. `idle` lists the arguments
    for which another value leads to the same final state and answer. `origins` lists where the
    values of the arguments come from.
    """

    tool: str
    arguments: Mapping[str, Plain]
    redundant: bool = False
    said: Mapping[str, str] = {}
    refused: RefusalKind | None = None
    idle: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    turn: int | None = None


class Task(Request, frozen=True, kw_only=True):
    """A task that was checked by replaying its plan; see `benchloom.worlds.proofs`.

    Args:
        task_id: a digest of suite, start, turns, policy, calls and the location of the answer.
        suite: the name of the suite that makes the world from `start`.
        start: the initial state, as JSON.
        start_digest: the digest of the state before any call.
        turns: the user's turns, in order; the first is the request, later turns are replies to the
            agent. In a task of kind `dialogue` they are facts, stated only when asked.
        tools: full names of the offered tools, sorted.
        distractors: offered tools that the plan does not use; a run gets the first 3, 10 or 20.
        alternatives: tools that lead to the same state if they replace a call of the plan; they
            are never distractors.
        calls: the plan.
        gold_digest: the digest of the state after the plan.
        results_digest: the digest of all results of the plan's calls.
        kind: the name of the task's kind.
        policy: the rules that the agent must obey, a part of its instructions.
        forbidden: the plan that would fulfil the request. If it is not empty, the agent must
            decline the request and change nothing.
        asked: the location of the answer in the results.
        answer: the requested answer, as JSON, or None.
        source, source_id, source_uri, license: the origin of the task.
        split: the split; a task made from a recorded dialogue has the split of the dialogue.
        proofs: the results of the replays that showed that the task is right.
    """

    task_id: str
    start_digest: str
    tools: tuple[str, ...]
    distractors: tuple[str, ...]
    alternatives: tuple[str, ...] = ()
    calls: tuple[GoldCall, ...]
    gold_digest: str
    results_digest: str = ""
    answer: str | None = None
    proofs: TaskProofs

    @property
    def declines(self) -> bool:
        """Whether the agent must decline the request and change nothing."""
        return bool(self.forbidden)

    def candidate(self) -> Candidate:
        """Return the candidate from which the task was made."""
        calls = [
            PlannedCall(call.tool, call.arguments, call.said, call.turn) for call in self.calls
        ]
        return Candidate(calls=tuple(calls), **self.request_fields())

    @property
    def last_words(self) -> str:
        """A right final message of an agent.

        It is the answer, or it says that the request is done or declined.
        """
        if self.declines:
            return "I cannot do that, so I changed nothing."
        answer = "Done." if self.answer is None else msgspec.json.decode(self.answer)
        return answer if isinstance(answer, str) else msgspec.json.encode(answer).decode()

    def instructions(self, now: str) -> str:
        """Return the agent's instructions before the first turn: the time and the policy."""
        rules = "".join(f"\n- {rule.text}" for rule in self.policy)
        return f"It is {now}." + (rules and f"{_OBEY}{rules}")
