"""Simulate the user of a dialogue, who states requested facts and confirms planned changes."""

import datetime
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec

from benchloom.core.records.values import Plain
from benchloom.worlds.answers.reply import Reply
from benchloom.worlds.answers.values.moments import days_in
from benchloom.worlds.answers.values.times import numbers_beside, times_in
from benchloom.worlds.proofs.leaves import leaves
from benchloom.worlds.session import Session
from benchloom.worlds.task import Task
from benchloom.worlds.user.facts import facts_of
from benchloom.worlds.user.first_turn import to_do
from benchloom.worlds.user.goals import goal_of
from benchloom.worlds.user.questions import Fact, requested, stems_in
from benchloom.worlds.user.words import words_of
from benchloom.worlds.world import World

YES = "Yes, please."
NO = "No, that is not what I want."
UNKNOWN = "I don't know, and I have no preference."
_PROPOSED = re.compile(
    r"^(?:(?:so|ok|okay|then|great|now),? )*"
    r"(?:(?:shall|should) i\b|(?:may|can|could) i\b(?! (?:know|ask|have|get)\b)"
    r"|do you want me to\b|would you like me to\b)"
    r"|\b(?:is|are) (?:that|this|these|it|everything) (?:all )?(?:right|correct|ok|okay|fine)\b"
    r"|^(?:correct|right|ok|okay)$|\bdo you confirm\b|\b(?:please|can you) confirm\b"
)
_CLOSING = re.compile(r"\banything else\b")


class _Write(msgspec.Struct, frozen=True):
    """A call of the plan that changes data, in a form in which messages can be compared with it.

    `stems` are the stems of words for the call, and `texts` contain its values.
    """

    stems: frozenset[str]
    texts: tuple[str, ...]


class User:
    """The user of a task of kind `dialogue`; equal messages get equal answers."""

    def __init__(self, task: Task, world: World) -> None:
        facts = facts_of(task.calls, world.goals) or {}
        statements = set(task.turns[1:])
        self.facts = tuple(fact for fact in facts.values() if fact.statement in statements)
        self.now = world.now
        self._write_stems = {
            tool: stems_in(f"{world.tools[tool].name} {goal_of(tool, world)}")
            for tool in world.tools
            if not world.tools[tool].reads
        }
        with Session(world) as session:
            results = [session.call(call.tool, call.arguments).result for call in task.calls]
        self._results = tuple(str(leaf) for result in results for _, leaf in leaves(result))
        fact_texts = tuple(fact.statement for fact in self.facts)
        self._writes = tuple(
            _Write(
                self._write_stems[call.tool] | stems_in(to_do(call, task.calls, world)),
                (*fact_texts, *_texts(call.arguments)),
            )
            for call in task.calls
            if call.tool in self._write_stems and call.refused is None
        )

    def answer(self, text: str) -> str | None:
        """Return the answer to a message, or None if the message asks nothing."""
        reply = Reply(text)
        sentences = [reply.lower[part.start : part.end].strip() for part in reply.sentences]
        proposals = [sentence for sentence in sentences if _PROPOSED.search(sentence)]
        text_left = "\n".join(
            reply.text[part.start : part.end] + ("?" if part.is_question else "")
            for part, sentence in zip(reply.sentences, sentences, strict=True)
            if sentence not in proposals and not _CLOSING.search(sentence)
        )
        request = requested(text_left, self.facts)
        proposed = [fact for fact in self.facts if _is_proposed(fact, proposals)]
        answers = [fact.statement for fact in self.facts if fact in (*request.facts, *proposed)]
        if proposals:
            is_planned = (
                any(self._fits(reply, write) for write in self._writes)
                if proposed
                else self._is_planned(reply, proposals)
            )
            answers[:0] = [] if is_planned and proposed else [YES if is_planned else NO]
        if request.unclear:
            answers.append(_which(request.unclear))
        if request.unknown and not request.unclear:
            answers.append(UNKNOWN)
        return " ".join(answers) or None

    def _is_planned(self, reply: Reply, proposals: Sequence[str]) -> bool:
        stems = stems_in(" ".join(proposals))
        counts = {tool: len(stems & words) for tool, words in self._write_stems.items()}
        planned = max((len(stems & write.stems) for write in self._writes), default=0)
        if planned < max(counts.values(), default=0):
            return False
        if not planned and any(
            re.match(r"(?:\w+,? )*(?:shall|should|can|may) i\b", p) for p in proposals
        ):
            return False
        return any(
            self._fits(reply, write)
            for write in self._writes
            if len(stems & write.stems) == planned
        )

    def _fits(self, reply: Reply, write: _Write) -> bool:
        own_text = "\n".join(write.texts).lower()
        texts = "\n".join((*write.texts, *self._results))
        minutes = [time.minutes for time in times_in(own_text)]
        if any(not any(map(time.minutes.intersection, minutes)) for time in times_in(reply.lower)):
            return False
        if not _days(reply.lower, self.now) <= _days(own_text, self.now):
            return False
        if not _numbers(reply.lower) <= _numbers(texts.lower()) | {Decimal(1)}:
            return False
        words = set(re.findall(r"[^\W_]+", texts.lower())) | write.stems
        return all(name.opens or not name.words.isdisjoint(words) for name in reply.names) and all(
            quote.lower() in texts.lower() for quote in re.findall(r'"([^"\n]+)"', reply.text)
        )


def _is_proposed(fact: Fact, proposals: Sequence[str]) -> bool:
    """Whether the agent proposes a yes-or-no fact, as in `shall I make it a shared ride?`."""
    names = fact.names() if fact.is_truth else []
    return any(names and all(name & stems_in(text) for name in names) for text in proposals)


def _texts(arguments: Mapping[str, Plain]) -> list[str]:
    return [str(leaf) for _, leaf in leaves(dict(arguments))]


def _days(lower: str, now: str) -> set[datetime.date | None]:
    today = datetime.date.fromisoformat(now[:10])
    return {day.date(today) for day in days_in(lower)}


def _numbers(lower: str) -> set[Decimal]:
    return {number.value for number in numbers_beside(lower, [*days_in(lower), *times_in(lower)])}


def _which(facts: Sequence[Fact]) -> str:
    names = [f"the {words_of(fact.slot)} {fact.scope}".strip() for fact in facts]
    return f"Which do you mean: {', '.join(names[:-1])} or {names[-1]}?"
