"""Run conversations in order, with answers from the log if possible, and else from the client."""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Generic, TypeVar

import msgspec

from prompts.errors import EndpointError, ReplyError, UnstructuredEndpointError
from prompts.exchange import Answer, Repair, Request
from prompts.talks import UNKNOWN_FORM, UNREADABLE, Asker, Conversation
from prompts.talks.interrupts import interrupts_by_the_loop

if TYPE_CHECKING:
    from prompts.endpoint.client import ChatClient

C = TypeVar("C")
T = TypeVar("T")
Find = Callable[[str], Answer | None]

MAX_CUT = 4
"""Maximum consecutive replies that reach the token limit before their first word. More of them mean
that the limit is too low."""
BUFFERED = 1_024
"""Maximum finished conversations that wait for an earlier, slower conversation."""


class Spent(msgspec.Struct, frozen=True, gc=False):
    """The cost of one conversation; an answer from the log counts at its original cost."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    usd_nano: int = 0
    tokens_cached: int = 0

    def plus(self, other: "Spent") -> "Spent":
        """Return the sum of two costs."""
        pairs = zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True)
        return Spent(*(mine + theirs for mine, theirs in pairs))


class Talk(Generic[T]):
    """One conversation in progress; `requested` is the pending request, or None at the end.

    At the end, `value` is the result of the conversation, or `fault` tells why it has no result.
    `answers` contains the answer to each of the `requests`, except the pending one.
    """

    def __init__(self, conversation: Conversation[T]) -> None:
        self._conversation = conversation
        self.requested: Request | None = None
        self.value: T | None = None
        self.fault: ReplyError | None = None
        self.requests: list[Request] = []
        self.answers: list[Answer] = []
        self.spent = Spent()
        self._advance(None)

    def _advance(self, answer: Answer | None) -> None:
        try:
            if answer is None:
                self.requested = next(self._conversation)
            else:
                self.requested = self._conversation.send(answer)
            self.requests.append(self.requested)
        except StopIteration as over:
            self.requested = None
            self.value = over.value
        except ReplyError as fault:
            self.fail(fault)

    def receive(self, answer: Answer) -> None:
        """Pass an answer to the pending request on to the conversation."""
        reply = answer.reply
        self.answers.append(answer)
        self.spent = self.spent.plus(
            Spent(1, reply.tokens_in, reply.tokens_out, reply.usd_nano, reply.tokens_cached)
        )
        self._advance(answer)

    @property
    def last(self) -> Answer | None:
        """The last answer, or None before the first answer."""
        return self.answers[-1] if self.answers else None

    @property
    def misread(self) -> bool:
        """Whether the last answer was unreadable."""
        lost = self.fault is not None and self.fault.reason in {*UNREADABLE, UNKNOWN_FORM}
        return lost or isinstance(self.requested, Repair)

    @property
    def cut_early(self) -> bool:
        """Whether the last reply reached its token limit before it contained any text."""
        reply = None if self.last is None else self.last.reply
        return reply is not None and reply.status == "truncated" and not reply.content.strip()

    def fail(self, fault: ReplyError) -> None:
        """End the conversation with a fault instead of a result."""
        self.requested = None
        self.fault = fault

    def replay(self, find: Find) -> None:
        """Continue the conversation as long as `find` returns answers to its requests."""
        while self.requested is not None:
            answer = find(self.requested.digest())
            if answer is None:
                return
            self.receive(answer)


class Driver(Generic[C, T]):
    """A loop that runs one conversation for each case, several of them at the same time.

    Args:
        start: returns the conversation for a case.
        asker: returns the settings of the requests; structured outputs are turned off if the
            endpoint has none.
        find: returns the answer to a request by its digest, usually from the log, or None.
        open_client: None to use `find` alone; a case that needs more answers then fails with
            not_in_log.
        at_once: the maximum number of conversations that wait for the endpoint at the same time.
        gives_up_after: the run ends after this many consecutive new replies that cannot be read;
            None means no limit. Replies from the log do not count, so that a rerun continues
            after them.
        tell: called if an interrupt comes while replies are pending.
    """

    def __init__(
        self,
        start: Callable[[C, Asker], Conversation[T]],
        asker: Callable[[], Asker],
        find: Find,
        open_client: Callable[[], "ChatClient"] | None = None,
        at_once: int = 16,
        *,
        gives_up_after: int | None = None,
        tell: Callable[[str], object] | None = None,
    ) -> None:
        self._start = start
        self._tell = tell
        self._asker = asker()
        self._find = find
        self._open_client = open_client
        self._client: ChatClient | None = None
        self._at_once = at_once
        self._gives_up_after = gives_up_after
        self._misread_in_a_row = 0
        self._cut_in_a_row = 0
        self._running: set[asyncio.Task[Talk[T]]] = set()
        self._room = asyncio.Event()
        self._fault: BaseException | None = None

    async def talks(self, cases: Iterable[C]) -> AsyncGenerator[tuple[C, Talk[T]]]:
        """Yield every case with its finished conversation, in the order of the cases.

        If the run must end early (budget, endpoint, interrupt), the requests in flight are first
        finished and logged, because they are paid for. Close the generator in the task that runs
        it: until then, the event loop handles interrupts.
        """
        waiting: deque[tuple[C, Talk[T] | asyncio.Task[Talk[T]]]] = deque()
        with ExitStack() as stack:
            if self._open_client is not None:
                self._client = self._open_client()
                structured = self._client.dialect.structured
                self._asker = msgspec.structs.replace(self._asker, structured=structured)
                stack.enter_context(interrupts_by_the_loop(self._tell))
            try:
                for case in cases:
                    waiting.append((case, self._begin(case)))
                    # While the endpoint has its maximum of requests, finished talks are yielded.
                    while len(self._running) >= self._at_once or len(waiting) >= BUFFERED:
                        # With BUFFERED conversations waiting, a slow first one is awaited, to bound
                        # the memory.
                        if self._is_ready(waiting[0][1]) or len(waiting) >= BUFFERED:
                            yield await self._result_of(waiting.popleft())
                            # Awaiting a finished task does not run other tasks, so this lets
                            # requests be sent.
                            await asyncio.sleep(0)
                        else:
                            self._room.clear()
                            await self._room.wait()
                    while waiting and not self._running:
                        yield await self._result_of(waiting.popleft())
                    if self._fault is not None:
                        raise self._fault
                while waiting:
                    yield await self._result_of(waiting.popleft())
            finally:
                await self._wind_down()

    def _begin(self, case: C) -> Talk[T] | asyncio.Task[Talk[T]]:
        talk = Talk(self._start(case, self._asker))
        talk.replay(self._find)
        if talk.requested is None:
            return talk
        if self._client is None:
            talk.fail(ReplyError("not_in_log", "the completion log has no answer to a request"))
            return talk
        task = asyncio.ensure_future(self._finish(case, talk, self._client))
        self._running.add(task)
        task.add_done_callback(self._end)
        return task

    def _end(self, task: asyncio.Task[Talk[T]]) -> None:
        self._running.discard(task)
        self._room.set()
        fault = None if task.cancelled() else task.exception()
        self._fault = self._fault or fault

    async def _finish(self, case: C, talk: Talk[T], client: "ChatClient") -> Talk[T]:
        while talk.requested is not None:
            try:
                talk.receive(await client.answer(talk.requested))
                self._count(talk)
            except ReplyError as fault:
                talk.fail(fault)
            except UnstructuredEndpointError:
                self._asker = msgspec.structs.replace(self._asker, structured=False)
                talk = Talk(self._start(case, self._asker))
                talk.replay(self._find)
        return talk

    def _count(self, talk: Talk[T]) -> None:
        """Count consecutive unreadable replies; raise if there are too many."""
        self._misread_in_a_row = self._misread_in_a_row + 1 if talk.misread else 0
        self._cut_in_a_row = self._cut_in_a_row + 1 if talk.cut_early else 0
        most = self._gives_up_after
        if most is not None and self._cut_in_a_row >= min(most, MAX_CUT):
            raise EndpointError(
                f"{self._cut_in_a_row} replies in a row were cut before their first word: the "
                "model thinks for longer than the limit of a reply; set reply_tokens in [generate] "
                "(--reply-tokens 8000), or reasoning_effort (--reasoning-effort low)"
            )
        if most is not None and self._misread_in_a_row >= most:
            fault_text = "not in the requested form" if talk.fault is None else talk.fault.message
            raise EndpointError(
                f"{most} replies in a row could not be read, the last one with '{fault_text}'; "
                "run again to continue, or choose another --model"
            )

    async def _result_of(
        self, pair: tuple[C, Talk[T] | asyncio.Task[Talk[T]]]
    ) -> tuple[C, Talk[T]]:
        case, talk = pair
        return case, talk if isinstance(talk, Talk) else await talk

    @staticmethod
    def _is_ready(talk: Talk[T] | asyncio.Task[Talk[T]]) -> bool:
        return isinstance(talk, Talk) or talk.done()

    async def _wind_down(self) -> None:
        """Cancel the waiting conversations; replies that are already paid for are still logged."""
        for task in self._running:
            task.cancel()
        if self._running:
            await asyncio.wait(self._running)
        if self._client is not None:
            await self._client.close()
