"""Manage the attempts of agents at tasks; each has a separate state and ends with a score."""

import secrets
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Unpack

from benchloom.core.records.values import Plain
from benchloom.worlds.offers import Offer
from benchloom.worlds.runs.conversation import Conversation
from benchloom.worlds.runs.offered_tools import OVER, REPLY, Replies, offer_of_task
from benchloom.worlds.runs.scoring import MAX_TEXT, Score, Traces, score_session
from benchloom.worlds.runs.task_store import TaskStore
from benchloom.worlds.servers.slots import Limits, OpenSlots
from benchloom.worlds.session import MAX_CALLS, Outcome, Session
from benchloom.worlds.task import Task

MAX_ALL_MESSAGES = 1024 * 1024
"""The maximum length of all messages of an attempt, in characters."""
_MAX_SHOWN = 200
_MAX_ENDED = 1000
"""The number of ended attempts whose scores clients can still request."""
_OVER = "the user has nothing more to say: end the attempt"


class Attempt:
    """An agent's run of a task, with a separate state of the task's world.

    `attempt_id` is the key of the client that controls the attempt and gets the score. `agent_key`
    is the key of the agent, which gives access only to the tools.
    """

    def __init__(self, offer: Offer, task: Task, attempt_id: str = "") -> None:
        self.attempt_id = attempt_id or secrets.token_hex(16)
        self.agent_key = secrets.token_hex(16)
        self.offer = offer
        self.task = task
        self._user = Conversation(task, offer.world)
        self._messages: list[str] = []
        self._traces = Traces()
        self._session = Session(offer.world)

    @property
    def is_over(self) -> bool:
        """Whether the dialogue with the user has ended."""
        return self._user.is_over

    @property
    def turn(self) -> int:
        """The number of the agent's messages to which the user has replied."""
        return self._user.turn

    @property
    def calls(self) -> int:
        """The number of calls made, including those that could not be executed."""
        return self._traces.calls

    def call(self, name: str, arguments: Mapping[str, Plain] | None) -> Outcome:
        """Call a tool by its short name; pass None for arguments that cannot be parsed."""
        tool = self.offer.tools.get(name)
        if self.is_over:
            return Outcome(refused="unavailable", message=_OVER)
        if self.calls >= MAX_CALLS:
            return Outcome(
                refused="unavailable", message=f"the attempt has used all of its {MAX_CALLS} calls"
            )
        if tool is None:
            fault = f"unknown tool {name[:_MAX_SHOWN]!r}"
            return self._trace(Outcome(refused="unknown_tool", message=fault))
        if arguments is None:
            fault = "the arguments are not a JSON object"
            return self._trace(Outcome(refused="invalid_argument", message=fault))
        if name == REPLY:
            return self._reply(arguments.get("message"))
        outcome = self._session.call(tool.tool, arguments)
        self._session.log.clear()  # results would fill the memory
        return self._trace(outcome, tool.tool)

    def _reply(self, message: Plain) -> Outcome:
        """Send the user the message of a `reply_to_user` call, which does not count as a call."""
        if not isinstance(message, str):
            return Outcome(refused="invalid_argument", message=f"{REPLY} needs a string 'message'")
        try:
            turn = self.say(message, aside=False)
        except ValueError as error:
            return Outcome(refused="unavailable", message=str(error))
        return Outcome(OVER if turn is None else turn)

    def _trace(self, outcome: Outcome, tool: str = "") -> Outcome:
        self._traces.add(outcome, tool, self.turn)
        return outcome

    def say(self, text: str, *, aside: bool) -> str | None:
        """Send the user a message; return the user's next turn, or None if the user says nothing.

        The user does not answer a message that only accompanies calls (`aside`).

        Raises:
            ValueError: the message is too long, or the dialogue was already over.
        """
        if self.is_over:
            raise ValueError(_OVER)
        if len(text) > MAX_TEXT or sum(map(len, self._messages)) + len(text) > MAX_ALL_MESSAGES:
            raise ValueError(
                f"the message is longer than {MAX_TEXT} characters, or all messages together"
                f" have more than {MAX_ALL_MESSAGES}"
            )
        if text:
            self._messages.append(text)
        return None if aside else self._user.say(text)

    def say_all(self, texts: Sequence[str]) -> None:
        """Send several messages to the user, who answers only the last one.

        Messages are cut at the maximum length. Messages after the end of the dialogue, or above the
        limit of all messages together, are ignored.
        """
        for number, text in enumerate(texts, start=1):
            if self.is_over:
                return
            try:
                self.say(text[:MAX_TEXT], aside=number < len(texts))
            except ValueError:
                return

    def score(self) -> Score:
        """Return the score of the current state."""
        return score_session(self.task, self._session, self._traces, self._messages)

    def digest(self) -> str:
        """Return the digest of the current state of the attempt's world."""
        return self._session.digest()

    def close(self) -> None:
        """Free the memory of the attempt."""
        self._session.close()


class Attempts(OpenSlots[Attempt]):
    """The open attempts at tasks, through which every protocol calls tools and gets scores.

    At most `most` attempts are open; each is closed after `idle` seconds without a request. The
    class is not thread-safe, because an attempt belongs to the thread that opened it.
    """

    def __init__(self, store: TaskStore, **limits: Unpack[Limits]) -> None:
        super().__init__(**limits)
        self.store = store
        self._ended: OrderedDict[str, tuple[str, Score]] = OrderedDict()

    def open(
        self,
        task_id: str,
        *,
        replies: Replies = "none",
        distractors: int | None = None,
        attempt_id: str = "",
    ) -> Attempt | None:
        """Start an agent's attempt at a task; return None if all slots are in use.

        The id of the attempt is random unless the caller sets it.

        Raises:
            RunError: there is no such task.
        """
        task = self.store.find(task_id)
        attempt_id = attempt_id or secrets.token_hex(16)
        return self._open(
            attempt_id,
            lambda: Attempt(offer_of_task(task, distractors, replies=replies), task, attempt_id),
        )

    def of_agent(self, agent_key: str) -> Attempt | None:
        """Return the open attempt of the agent with a key, or None."""
        by_agent = {attempt.agent_key: attempt_id for attempt_id, attempt in self.items()}
        return self.find(by_agent.get(agent_key, ""))

    def call(self, attempt: Attempt, name: str, arguments: Mapping[str, Plain] | None) -> Outcome:
        """Call a tool for an agent; the call changes only the state of the agent's own attempt."""
        self.served.calls += 1
        return attempt.call(name, arguments)

    def end(self, attempt_id: str) -> tuple[str, Score] | None:
        """End an attempt; return its task's id and its score, or None for an unknown attempt.

        An attempt that has already ended gets the same score again.
        """
        attempt = self.find(attempt_id)
        if attempt is not None:
            self._ended[attempt_id] = (attempt.task.task_id, attempt.score())
            self.close(attempt_id)
            if len(self._ended) > _MAX_ENDED:
                self._ended.popitem(last=False)
        return self._ended.get(attempt_id)
