"""Send requests to an endpoint, and get one logged answer for each, despite faults."""

import asyncio
import time
from contextlib import suppress

import httpx2
import msgspec
import openai

from benchloom.core.errors import BenchloomError, StoppedError
from prompts.endpoint.faults import Fault, fault_of
from prompts.endpoint.limits import Limits
from prompts.endpoint.wire import is_context_fault, other_dialect, read_body, request_fields
from prompts.errors import BudgetError, EndpointError, ReplyError, UnstructuredEndpointError
from prompts.exchange import Answer, Reply, Request, answer_to
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog

CHARS_PER_TOKEN = 4
SECONDS_PER_MINUTE = 60.0


class Pace:
    """A limit of `rate` units per minute, evenly spaced; a rate of None means no limit."""

    def __init__(self, rate: float | None) -> None:
        self._seconds = 0.0 if rate is None else SECONDS_PER_MINUTE / rate
        self._next = 0.0

    async def wait(self, units: float = 1.0) -> None:
        """Wait until `units` may be used; waiting callers continue in the order of their calls."""
        if not self._seconds:
            return
        now = time.monotonic()
        start = max(now, self._next)
        self._next = start + units * self._seconds
        if start > now:
            await asyncio.sleep(start - now)

    def give_back(self, units: float) -> None:
        """Give back `units` that were reserved but not used; a negative number takes more units."""
        self._next -= units * self._seconds


class ChatClient:
    """A client that sends requests to one endpoint and logs each reply before it returns it.

    While a request is in flight, an equal request waits for the same reply. Always close the
    client.
    """

    def __init__(
        self,
        endpoint: openai.AsyncOpenAI,
        log: CompletionLog,
        governor: Governor,
        limits: Limits,
        model: str,
    ) -> None:
        self._endpoint = endpoint
        self._log = log
        self._governor = governor
        self._limits = limits
        self._model = model
        self._slots = asyncio.Semaphore(limits.concurrency)
        self._requests = Pace(limits.requests_per_minute)
        self._tokens = Pace(limits.tokens_per_minute)
        self._pause_end = 0.0
        self._flights: dict[str, asyncio.Task[Answer]] = {}
        self._paid: set[asyncio.Task[Answer | Fault]] = set()
        self._draining = asyncio.Event()
        self._open = 0
        self._room = asyncio.Event()
        self._failed_in_a_row = 0
        self.dialect = log.dialect(str(endpoint.base_url), model)

    async def answer(self, request: Request) -> Answer:
        """Return the logged answer to a request; send the request only if it is not in the log.

        Raises:
            ReplyError: endpoint_failed after the maximum number of retries.
            UnstructuredEndpointError: the endpoint has no structured outputs; ask without a schema.
            BudgetError: the cap could be exceeded, or the quota is used up.
            EndpointError: the endpoint refuses the whole run.
        """
        digest = request.digest()
        logged_answer = self._log.find(digest)
        if logged_answer is not None:
            return logged_answer
        flight = self._flights.get(digest)
        if flight is None:
            flight = asyncio.ensure_future(self._fetch(request, digest))
            self._flights[digest] = flight
            flight.add_done_callback(lambda _: self._flights.pop(digest, None))
            flight.add_done_callback(_retrieve)
        return await flight

    async def _fetch(self, request: Request, digest: str) -> Answer:
        failures, limited = 0, 0
        while True:
            result = await self._attempt(request)
            if isinstance(result, Answer):
                self._failed_in_a_row = 0
                return result
            if result.name == "not_accepted":
                answer = await self._not_accepted(request, digest, result)
                # Not counted as a failure: each dialect has one feature less, so this ends by
                # itself.
                if answer is None:
                    continue
                return answer
            if result.name == "rate_limited":
                limited += 1
            else:
                failures += 1
            if failures >= self._limits.tries or limited >= self._limits.patience:
                self._count_failure(result)
                raise ReplyError("endpoint_failed", f"no reply after all retries: {result.message}")
            await self._wait(result, failures + limited, digest)

    async def _attempt(self, request: Request) -> Answer | Fault:
        """Make one paid attempt; an interrupt cannot cancel it after the cost is reserved."""
        await self._requests.wait()
        expected = sum(len(message.content) for message in request.messages) / CHARS_PER_TOKEN
        expected += request.parameters.max_tokens
        await self._tokens.wait(expected)
        paid = asyncio.ensure_future(self._pay_and_send(request, expected))
        self._paid.add(paid)
        paid.add_done_callback(self._paid.discard)
        paid.add_done_callback(_retrieve)
        return await asyncio.shield(paid)

    async def _pay_and_send(self, request: Request, expected_tokens: float) -> Answer | Fault:
        """Reserve a request's highest possible cost, send it once, and record the actual cost.

        The cost is reserved only when there is a slot among the requests in flight, and the slot is
        released only after the outcome is committed. So if the process is killed, it leaves at most
        as many attempts open, and loses at most as many replies, as there are slots. The flush to
        disk, which only protects against a power cut, comes later.
        """
        async with self._slots:
            attempt = await self._reserve(request)
            try:
                await self._log.store.on_disk()
                try:
                    result = await self._send(request)
                except BenchloomError:
                    self._governor.give_up(attempt, "not_sent", 0)
                    raise
                if isinstance(result, Fault):
                    self._governor.give_up(attempt, result.name, self._charge(request, result))
                    return result
                cost = self._governor.cost_nano(
                    result.tokens_in, result.tokens_out, result.tokens_cached
                )
                # Before the reply is logged: a logged request is never sent again, and would leave
                # the attempts of killed runs open.
                self._governor.bound_lost(request, result.tokens_in)
                log_entry = self._log.keep(
                    attempt, request, msgspec.structs.replace(result, usd_nano=cost)
                )
            finally:
                self._open -= 1
                self._room.set()
        self._tokens.give_back(expected_tokens - result.tokens_in - result.tokens_out)
        return await self._log.on_disk(log_entry)

    def _charge(self, request: Request, fault: Fault) -> int:
        if fault.maybe_billed:
            return self._governor.most_nano(request)
        return self._governor.cost_nano(fault.tokens_in, fault.tokens_out, fault.tokens_cached)

    async def _reserve(self, request: Request) -> int:
        """Reserve the highest possible cost of an attempt, and return the attempt's number.

        Requests in flight reserve more than they will cost. So if the cap refuses a reservation, it
        is tried again until no request of this run is in flight; only then is the cap reached.

        Raises:
            StoppedError: the client is closing, and must not send any more requests.
        """
        while True:
            await self._until(self._pause_end - time.monotonic())
            self._room.clear()
            try:
                attempt = self._governor.reserve(request)
            except BudgetError:
                if not self._open:
                    raise
                await self._room.wait()
            else:
                self._open += 1
                return attempt

    async def _until(self, seconds: float) -> None:
        """Wait some seconds; raise if the client is closing, because it then sends nothing more."""
        if seconds > 0 and not self._draining.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._draining.wait()
        if self._draining.is_set():
            raise StoppedError("the run is ending, so no more requests are sent")

    async def close(self) -> None:
        """Stop sending, wait until every paid reply is in the log, and close the connection."""
        self._draining.set()
        while self._paid:
            await asyncio.wait(self._paid)
        await self._endpoint.close()

    async def _send(self, request: Request) -> Reply | Fault:
        # Bytes out and the raw response in: the wire forms are typed here, for direct requests
        # and batch files alike, and the package's own models would double the work.
        content = msgspec.json.encode(request_fields(request, self.dialect))
        try:
            async with asyncio.timeout(self._limits.timeout):
                response = await self._endpoint.post(
                    "/chat/completions", cast_to=httpx2.Response, content=content
                )
            return read_body(response.content, request)
        except (openai.APIError, TimeoutError) as error:
            return fault_of(error)
        except ReplyError as error:
            return Fault("unreadable_body", error.message, maybe_billed=True)

    async def _not_accepted(self, request: Request, digest: str, fault: Fault) -> Answer | None:
        """Interpret an HTTP error 400; return the final answer, or None if a retry may succeed.

        A retry leaves out the optional field of the chat API that the endpoint did not accept.
        """
        if is_context_fault(fault.code, fault.message):
            return await self._log.keep_unbilled(request, Reply("too_long", ""))
        dialect = other_dialect(fault.message, fault.parameter, self.dialect)
        if dialect is not None:
            self.dialect = dialect
            self._log.keep_dialect(str(self._endpoint.base_url), self._model, dialect)
        if not self.dialect.structured and request.parameters.reply_schema is not None:
            raise UnstructuredEndpointError
        if dialect is not None:
            return None
        self._count_failure(fault)
        # Not logged: it was not billed, and the endpoint may accept it another day.
        return answer_to(digest, Reply("not_accepted", fault.message))

    def _count_failure(self, fault: Fault) -> None:
        self._failed_in_a_row += 1
        if self._failed_in_a_row >= self._limits.gives_up_after:
            raise EndpointError(
                f"{self._failed_in_a_row} rows in a row failed, the last one with "
                f"'{fault.message}'; run again to continue"
            )

    async def _wait(self, fault: Fault, number: int, digest: str) -> None:
        """Wait before a retry; if the endpoint requests a delay, all requests wait for it."""
        if fault.retry_after is not None:
            self._pause_end = max(self._pause_end, time.monotonic() + fault.retry_after)
            await self._until(fault.retry_after)
            return
        wait = min(self._limits.backoff * 2 ** (number - 1), self._limits.most_backoff)
        # Requests that failed together must not come back together.
        spread = int(digest[-4:], 16) / 0xFFFF
        await self._until(wait * (0.5 + spread / 2))


def _retrieve(task: asyncio.Task[Answer] | asyncio.Task[Answer | Fault]) -> None:
    """Retrieve a task's exception, so that asyncio reports none if no caller awaits the task."""
    if not task.cancelled():
        task.exception()
