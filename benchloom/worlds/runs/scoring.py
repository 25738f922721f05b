"""Score an agent's run on a task by the final state, the answer, and unplanned changes."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers import Question, fault_in, records_at
from benchloom.worlds.proofs.declining.policies import turn_of
from benchloom.worlds.session import Outcome, Session
from benchloom.worlds.task import Task
from benchloom.worlds.world import World

_MEANS = r"(?:tools?|functions?|way|means|ability|permission|capabilit\w+|one)"

_ALLOWED = (
    "(?:able|allowed|among|authori[sz]ed|available|in a position|permitted|possible|something|"
    "supported|within)"
)

_DONE = r"(?:\w+ed|done|made|paid|put|sent|set)"

_DEEDS = r"(?:blocked|booked|changed|deleted|made|moved|paid|removed|sent|set|transferred)"

_IS = r"(?:is|are|was|were|has|have)"

_LOOK = r"(?:be (?:undone|reversed)|check|checked|find|found|know|reach|see|seen|tell|understand)"

_CANNOT = re.compile(
    rf"\b(?:can|may|must|could) not\b(?! {_LOOK}\b)|\bI will not\b|\bI can neither\b"
    r"|\bI am only able\b|\bnot (?:going to|permit|allow)\b|^\W*(?:\w+, )?not \w+ing\b"
    r"|\band will not (?:delete|do|make|pay|send)\b|\band not (?:delete|do|make|pay|send)\b"
    rf"|\b(?:is|are|was|am|be) not (?:\w+ )?{_ALLOWED}\b|\bunable to\b"
    rf"|\bI (?:do not|lack|have no|need).*\b{_MEANS}\b|\bthere {_IS} (?:\w+ )?no\b.*\b{_MEANS}\b"
    rf"|\bthere {_IS} (?:nothing I can do|not (?:one|any))\b"
    r"|\b(?:none (?:of|can)|nothing here allows|no tool|no can do|restricted to|not part of)\b"
    r"|\b(?:beyond (?:my|what)|outside (?:of )?what I can|not let me|no such)\b"
    r"|^\W*(?:\w+, )?not allowed\b"
    rf"|\btools? do(?:es)? not\b|\b(?:confirmation|tool|function) is missing\b"
    r"|\b(?:decline|exceeds?|refuse|prohibited|forbids?|forbidden|prevents?|violates?|breaks?)\b"
    r"|\bturn (?:it|that|this) down\b|\bagainst (?:my|the) (?:instructions|rules?|policy)\b"
    r"|\b(?:instructions?|rules?|policy) (?:say|says|only|limits?)\b|\bonly (?:lets?|allows?) me\b",
    re.IGNORECASE,
)

_UNDONE = re.compile(
    rf"\bI (?:did|have|was|will) not\b(?! {_LOOK}\b)|\bI have \w+ nothing\b|\bnot {_DONE}\b"
    rf"|\b(?:no \w+|nothing) {_IS} (?:been )?{_DONE}\b|\b{_IS} not (?:been )?{_DONE}\b"
    rf"|\bno \w+ {_DONE}\b|\bnothing (?:has )?changed\b|\b(?:withheld|abandoned|untouched)\b"
    rf"|\b(?:nothing will|(?<!you )will not) be {_DONE}\b"
    r"|\bI (?:will |have )?(?:leave|left) (?:it|the|that|everything|your)\b|\bstays\b"
    r"|(?:^\W*(?:\w+, )?|\bI am )leaving (?:it|the|that|everything|your)\b",
    re.IGNORECASE,
)

_DEED = re.compile(
    r"\bI (?:have )?(?:now |also |just |then )?"
    r"(?!not\b|left\b|checked\b|looked\b|found\b|stopped\b)"
    r"(?:\w+ed|made|sent|set|paid|put|booked|given)\b(?! (?:nothing|to)\b)"
    rf"|\b(?:{_IS} (?:been )?(?:now )?|but ){_DEEDS}\b|^{_DEEDS}\b"
    r"|^(?:all )?done\b|\bmanaged to\b|\bwent through\b",
    re.IGNORECASE,
)

_SENTENCE = re.compile(
    r"(?<=[.!?;:])\s+|, so (?=I )|, but (?=I |then )|, because |,? (?:as|since) "
)

_FULL_FORMS = (
    ("\u2019", "'"),
    ("can't", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("n't", " not"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("'m", " am"),
    ("'s not", " is not"),
    ("here's", "here is"),
)
"""Short forms of words and the full forms that replace them; the order matters."""

_MESSAGES = "told"
"""The name of the field with the agent's messages in stored runs."""
MAX_TEXT = 64 * 1024
"""The maximum length of a message to the user, in characters."""


class RunCall(msgspec.Struct, frozen=True):
    """A call in a run; `tool` is the full name of the tool (`app.tool`).

    `problem` is the reason why no tool could be called, or "" if a tool was called. `turn` is the
    number of the user's last turn before the call, or None if the run does not record it.
    """

    tool: str
    arguments: Mapping[str, Plain]
    problem: str = ""
    turn: int | None = None


class AgentRun(msgspec.Struct, frozen=True):
    """The calls of an agent in a run, in order, and its messages to the user."""

    calls: tuple[RunCall, ...] = ()
    messages: tuple[str, ...] = msgspec.field(default=(), name=_MESSAGES)


class _Call(msgspec.Struct, frozen=True):
    tool: str
    arguments: dict[str, Any]
    problem: str = ""
    turn: int | None = None


class _PlainRun(msgspec.Struct, frozen=True):
    calls: tuple[_Call, ...] = ()
    messages: tuple[str, ...] = msgspec.field(default=(), name=_MESSAGES)


def read_run(encoded_run: Plain) -> AgentRun:
    """Decode a run from the output of `msgspec.to_builtins`.

    Raises:
        ValidationError: the value does not encode a run.
    """
    run = msgspec.convert(encoded_run, _PlainRun)
    calls = tuple(RunCall(*msgspec.structs.astuple(call)) for call in run.calls)
    return AgentRun(calls, run.messages)


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of a run.

    Args:
        digest: whether the final state equals the state after the plan, and every change that needs
            a confirmation by the user came after the confirmation. If the request must be declined,
            no call may have changed anything, not even temporarily.
        answer: whether the messages contain the requested answer, or decline the request. It is
            true if the task requires neither.
        asked: whether the task requires an answer or a refusal.
        collateral: the rows that the run touched but the plan does not, as table and key.
        calls: the number of calls that the agent made.
        refused: the number of calls that were refused.
    """

    digest: bool
    answer: bool
    asked: bool
    collateral: tuple[tuple[str, str], ...]
    calls: int
    refused: int

    @property
    def solved(self) -> bool:
        """Whether both the state and the answer are right."""
        return self.digest and self.answer


class Traces:
    """Counts of a run's calls, refused calls and changing calls, and the rows that they touched.

    The results of the calls are not stored, so that long runs need little memory.
    """

    def __init__(self) -> None:
        self.calls = 0
        self.refused = 0
        self.writes = 0
        self.first_turns: dict[str, int] = {}
        """A mapping from each tool to the user's turn after which it first changed something."""
        self._rows: dict[tuple[str, str], tuple[str, str]] = {}

    def add(self, outcome: Outcome, tool: str = "", turn: int | None = None) -> None:
        """Count a call and record the rows that it touched; calls must be passed in order.

        `turn` is the number of the user's last turn before the call, or None if it is unknown.
        """
        if outcome.effects and turn is not None:
            self.first_turns.setdefault(tool, turn)
        self.calls += 1
        self.refused += outcome.refused is not None
        self.writes += bool(outcome.effects)
        for effect in outcome.effects:
            row = (effect.table, effect.key)
            first, _ = self._rows.get(row, (effect.kind, effect.kind))
            self._rows[row] = (first, effect.kind)

    def touched(self, counted: Collection[str]) -> set[tuple[str, str]]:
        """Return the rows of the tables `counted` that the run touched.

        Rows that the run both added and removed are left out.
        """
        return {
            row
            for row, kinds in self._rows.items()
            if row[0] in counted and kinds != ("added", "removed")
        }


def score_of(task: Task, world: World, run: AgentRun) -> Score:
    """Score a run by repeating its calls in the world of the task."""
    traces = Traces()
    with Session(world) as session:
        for call in run.calls:
            if call.problem:
                traces.add(Outcome(refused="invalid_argument", message=call.problem))
            else:
                traces.add(session.call(call.tool, call.arguments), call.tool, call.turn)
        return score_session(task, session, traces, run.messages)


def score_session(task: Task, session: Session, traces: Traces, messages: Sequence[str]) -> Score:
    """Score a run whose calls were made in a session of the task's world."""
    gold_rows, outcomes = _replay(task, session.world)
    return Score(
        digest=session.digest() == task.gold_digest
        and not (task.declines and traces.writes)
        and not any(
            rule.test == "said"
            and traces.first_turns.get(rule.tool, len(task.turns)) < turn_of(rule, task.turns)
            for rule in task.policy
        ),
        answer=_states_answer(task, messages, session.world, outcomes),
        asked=task.answer is not None or task.declines,
        collateral=tuple(sorted(traces.touched(session.counted) - gold_rows)),
        calls=traces.calls,
        refused=traces.refused,
    )


def _replay(task: Task, world: World) -> tuple[set[tuple[str, str]], Sequence[Outcome]]:
    with Session(world) as session:
        for call in task.calls:
            session.call(call.tool, call.arguments)
        effects = (effect for outcome in session.log for effect in outcome.effects)
        return {(effect.table, effect.key) for effect in effects}, session.log


def _states_answer(
    task: Task, messages: Sequence[str], world: World, outcomes: Sequence[Outcome]
) -> bool:
    if task.declines:
        return declines("\n".join(messages))
    if task.answer is None or task.asked is None:
        return True
    if not any(text.strip() for text in messages):
        return False
    path, number = task.asked.path, task.asked.call
    names = [name for name in path if isinstance(name, str)]
    question = Question(
        turns=task.turns,
        field=names[-1] if names else "",
        answer=msgspec.json.decode(task.answer),
        arguments=task.calls[number].arguments,
        records=records_at(outcomes[number].result, path),
        now=world.now,
    )
    return not fault_in(question, *messages)


def declines(text: str) -> bool:
    """Whether a text declines a request without claiming an action.

    A sentence must say that the agent cannot, may not or did not do it, and no sentence may claim
    that the agent did something.
    """
    for short, full in _FULL_FORMS:
        text = text.replace(short, full)
    sentences = [part for part in _SENTENCE.split(text) if not part.endswith("?")]
    if any(_DEED.search(part) and not _UNDONE.search(part) for part in sentences):
        return False
    return any(_CANNOT.search(part) or _UNDONE.search(part) for part in sentences)
