"""Send requests by the Batch API, which accepts many requests as one file.

Before a batch is created, it is announced in the log with a key, which is also in the batch's
metadata. If a run is killed between announcement and creation, the next run looks the batch up by
its key, so that no request is submitted twice. When a batch is collected, all its replies are
charged and logged in one transaction.
"""

import asyncio
import io
import sqlite3
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar, get_args

import httpx2
import msgspec
import openai

from benchloom.core.errors import RunError
from benchloom.core.identity import digest_of_parts, hex_of
from prompts.endpoint.batch_lines import ENDPOINT, Outcome, read_outcomes, reply_in, request_lines
from prompts.endpoint.faults import fault_of
from prompts.endpoint.limits import POLL_SECONDS
from prompts.errors import EndpointError, ReplyError
from prompts.exchange import Answer, BatchEnd, Reply, Request, answer_to
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog, record, settle
from prompts.ledger.schema import REMEDY
from prompts.ledger.store import Operation

if TYPE_CHECKING:
    # The package's response types cost 20 MiB; nothing but a checker needs them here.
    from openai.types import Batch

T = TypeVar("T")

MAX_REQUESTS = 20_000
MAX_BYTES = 100 * 1024 * 1024
METADATA_KEY = "benchloom_batch"
_OVER = frozenset(get_args(BatchEnd))


class BatchClient:
    """A client that sends the requests of one job in batches.

    `failed` contains the requests that the endpoint did not answer in this run. Their rows are
    rejected, and a later run sends the requests again.
    """

    def __init__(
        self,
        endpoint: openai.AsyncOpenAI,
        log: CompletionLog,
        governor: Governor,
        model: str,
        poll_seconds: float = POLL_SECONDS,
    ) -> None:
        self._endpoint = endpoint
        self._log = log
        self._governor = governor
        self._dialect = log.dialect(str(endpoint.base_url), model)
        self._poll_seconds = poll_seconds
        self.failed: dict[str, Answer] = {}

    async def answer_all(self, requests: Sequence[Request]) -> None:
        """Submit the requests that have no reply in the log, and write their replies to the log.

        Raises:
            BudgetError: the next request could exceed the cap; the requests before it were sent.
            EndpointError: the endpoint refuses batches.
        """
        try:
            await self.resume()
            missing = {
                digest: request
                for request in requests
                if (digest := request.digest()) not in self.failed
                and self._log.find(digest) is None
            }
            waiting = list(missing.values())
            while waiting:
                # A cap may leave room for a part now, and for more once that part is settled.
                part = self._governor.fitting(self._first(waiting))
                waiting = waiting[len(part) :]
                await self._collect(*await self._submit(part))
        except openai.APIError as error:
            fault = fault_of(error)
            message = f"a request to the Batch API failed ({fault.message}); run again to continue"
            raise EndpointError(message) from error

    async def resume(self) -> None:
        """Write the replies of batches that earlier runs of this job submitted to the log."""
        rows = self._log.store.rows(
            "SELECT key, batch_id FROM batches WHERE job = ? AND state = 'open' "
            "ORDER BY created_at",
            self._governor.job,
        )
        for key, batch_id in rows:
            remote_id = batch_id or await self._find(key)
            if remote_id is None:
                # Announced, never created: nothing was billed.
                await self._close(key, "never_created")
            else:
                await self._collect(key, remote_id)

    async def _find(self, key: str) -> str | None:
        """Return the endpoint's id of the batch with this key, or None if it was never created."""
        async for batch in self._endpoint.batches.list(limit=100):
            if (batch.metadata or {}).get(METADATA_KEY) == key:
                return str(batch.id)
        return None

    @staticmethod
    def _first(requests: list[Request]) -> list[Request]:
        """Return as many of the first requests as fit into one batch."""
        size = 0
        for count, request in enumerate(requests[:MAX_REQUESTS]):
            # The wire form is a little larger than the canonical one.
            size += len(request.body()) + 1_024
            if size > MAX_BYTES and count:
                return requests[:count]
        return requests[:MAX_REQUESTS]

    async def _submit(self, requests: list[Request]) -> tuple[str, str]:
        """Create one batch of requests, and return its key and the endpoint's id.

        The cost of the requests is reserved in the log before the batch is created.
        """
        digests = [request.digest() for request in requests]
        # The number gives a new key to requests that failed and are submitted again.
        ((number,),) = self._log.store.rows("SELECT count(*) FROM batches")
        # Another log that books in the same ledger may announce the same requests.
        log_path = "" if self._log.store.ledger is None else str(self._log.store.path.resolve())
        key = hex_of(
            digest_of_parts("batch", [self._governor.job, f"{number}{log_path}", *digests])
        )
        await self._in_log(lambda connection: self._announce(connection, key, requests, digests))
        content = io.BytesIO(request_lines(zip(digests, requests, strict=True), self._dialect))
        try:
            file = await self._endpoint.files.create(
                file=("requests.jsonl", content), purpose="batch"
            )
            batch = await self._endpoint.batches.create(
                input_file_id=file.id,
                endpoint=ENDPOINT,
                completion_window="24h",
                metadata={METADATA_KEY: key},
            )
        except openai.APIStatusError:
            # The endpoint said no, so nothing runs there.
            await self._close(key, "not_accepted")
            raise
        await self._in_log(
            lambda connection: connection.execute(
                "UPDATE batches SET batch_id = ? WHERE key = ?", (batch.id, key)
            )
        )
        return key, batch.id

    def _announce(
        self, connection: sqlite3.Connection, key: str, requests: list[Request], digests: list[str]
    ) -> None:
        """Write a new batch to the log, and reserve the cost of each of its requests."""
        for request, digest in zip(requests, digests, strict=True):
            cost = self._governor.most_nano(request, batch=True)
            attempt = self._governor.reserve_in(
                connection, digest, cost, batch=key, purpose=request.purpose
            )
            connection.execute(
                "INSERT INTO batch_requests VALUES (?,?,?)", (attempt, key, request.body())
            )
        connection.execute(
            "INSERT INTO batches VALUES (?,?,NULL,'open',?,?)",
            (key, self._governor.job, len(requests), time.time()),
        )

    async def _collect(self, key: str, batch_id: str) -> None:
        """Wait until a batch has ended, and write its replies to the log."""
        batch = await self._endpoint.batches.retrieve(batch_id)
        while batch.status not in _OVER:
            await asyncio.sleep(self._poll_seconds)
            batch = await self._endpoint.batches.retrieve(batch_id)
        outcomes = await self._outcomes(batch)
        failed = await self._in_log(
            lambda connection: self._settle_batch(connection, key, batch.status, outcomes)
        )
        self.failed.update(failed)

    async def _outcomes(self, batch: "Batch") -> dict[str, Outcome]:
        """Return a mapping from the hexadecimal digest of each request to its outcome."""
        outcomes: dict[str, Outcome] = {}
        for file_id in (batch.output_file_id, batch.error_file_id):
            if file_id is None:
                continue
            response = await self._endpoint.get(
                f"/files/{file_id}/content", cast_to=httpx2.Response
            )
            outcomes |= read_outcomes(response.content)
        return outcomes

    def _settle_batch(
        self,
        connection: sqlite3.Connection,
        key: str,
        status: str,
        outcomes: dict[str, Outcome],
    ) -> dict[str, Answer]:
        """Log the replies of a batch and the cost of each request; return the unanswered requests.

        The keys of the result are request digests, the values are answers with status not_accepted.
        """
        failed: dict[str, Answer] = {}
        rows = connection.execute(
            "SELECT a.id, a.request_digest, r.request FROM attempts a "
            "JOIN batch_requests r ON r.attempt = a.id WHERE a.batch = ? AND a.outcome IS NULL",
            (key,),
        ).fetchall()
        for attempt, digest, body in rows:
            request = self._stored_request(digest, body)
            reply = self._reply(request, outcomes.get(hex_of(digest)), status)
            if reply.status == "not_accepted":
                settle(connection, attempt, f"batch_{status}", reply.usd_nano)
                failed[digest] = answer_to(digest, reply)
            else:
                record(connection, attempt, request, digest, reply)
        _end(connection, key, status)
        return failed

    def _stored_request(self, digest: str, body: bytes) -> Request:
        """Decode a batch's request as the log stores it, and check its digest."""
        fault = "the stored request has another digest"
        try:
            request = msgspec.json.decode(body, type=Request)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            fault = str(error)
        else:
            if request.digest() == digest:
                return request
        raise RunError(f"{self._log.store.path} is damaged at {digest}: {fault}; {REMEDY}")

    def _reply(self, request: Request, outcome: Outcome | None, status: str) -> Reply:
        """Return the reply in an outcome, with its price.

        A failed outcome gives a reply with status `not_accepted`.
        """
        try:
            reply = reply_in(outcome, request, status)
        except ReplyError as error:
            most = self._governor.most_nano(request, batch=True)
            return Reply("not_accepted", error.message, usd_nano=most)
        cost = self._governor.cost_nano(
            reply.tokens_in, reply.tokens_out, reply.tokens_cached, batch=True
        )
        return msgspec.structs.replace(reply, usd_nano=cost)

    async def _close(self, key: str, state: str) -> None:
        """Release the reservations of a batch that never ran, and record its final state."""

        def close(connection: sqlite3.Connection) -> None:
            rows = connection.execute(
                "SELECT id FROM attempts WHERE batch = ? AND outcome IS NULL", (key,)
            ).fetchall()
            for (attempt,) in rows:
                settle(connection, attempt, state, 0)
            _end(connection, key, state)

        await self._in_log(close)

    async def _in_log(self, operation: Operation[T]) -> T:
        value = self._log.store.write(operation)
        await self._log.store.on_disk()
        return value


def _end(connection: sqlite3.Connection, key: str, state: str) -> None:
    """Record the final state of a batch, and delete its requests, which are no longer needed."""
    connection.execute("DELETE FROM batch_requests WHERE batch = ?", (key,))
    connection.execute("UPDATE batches SET state = ? WHERE key = ?", (state, key))
