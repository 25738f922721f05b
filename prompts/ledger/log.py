"""Store every request and reply in the completion log, on disk before the reply is used.

A reply is looked up by the digest of its request (model, messages, parameters). So a rerun costs
nothing, and a crash loses at most the replies that were in flight.
"""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Completion, PromptMessage
from benchloom.storage.inputs import nothing_in
from prompts.exchange import Answer, Dialect, Reply, Request
from prompts.ledger.prices import NANO
from prompts.ledger.schema import (
    ADDED_COLUMNS,
    REMEDY,
    SQLITE_FAULTS,
    check_pages,
    columns_of,
)
from prompts.ledger.store import Store

_REPLY_COLUMNS = "status, content, tokens_in, tokens_out, usd_nano, served_model, tokens_cached"
_ROW_COLUMNS = "request_digest, completion_digest, model, request"
LOST = "lost"
"""The outcome of an attempt whose run was killed before the reply; its cost is an upper limit."""


class CompletionLog:
    """The requests and replies in an open log file, looked up by the digest of the request."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._on_the_way: set[str] = set()

    def find(self, request_digest: str) -> Answer | None:
        """Return the logged answer to a request, or None if no answer is on disk.

        Raises:
            RunError: the row's digests show that it was changed or damaged.
        """
        if request_digest in self._on_the_way:
            return None
        row = self.store.look_up(
            f"SELECT completion_digest, seal, {_REPLY_COLUMNS} FROM completions "  # noqa: S608  the inserted texts are constants
            "WHERE request_digest = ?",
            request_digest,
        )
        if row is None:
            return None
        completion_digest, seal, *fields = row
        reply = Reply(*fields)
        if fault := _reply_fault(request_digest, completion_digest, reply, seal):
            raise RunError(f"{self.store.path} is damaged at {request_digest}: {fault}; {REMEDY}")
        return Answer(request_digest, completion_digest, reply)

    def keep(self, attempt: int, request: Request, reply: Reply) -> Answer:
        """Write a reply and the cost of its attempt in one transaction.

        The answer survives a kill of the process. Use it only after `on_disk`, when it also
        survives a power cut.
        """
        digest = request.digest()
        self._on_the_way.add(digest)
        return self.store.write(
            lambda connection: record(connection, attempt, request, digest, reply)
        )

    async def on_disk(self, answer: Answer) -> Answer:
        """Wait until a written answer survives a power cut, and return the answer.

        Before that, the answer must not be used and cannot be looked up.
        """
        await self.store.on_disk()
        self._on_the_way.discard(answer.request_digest)
        return answer

    async def keep_unbilled(self, request: Request, reply: Reply) -> Answer:
        """Write a final answer that cost nothing, for a prompt that is too long, for example."""
        digest = request.digest()
        self._on_the_way.add(digest)
        answer = self.store.write(lambda connection: insert(connection, request, digest, reply))
        return await self.on_disk(answer)

    def dialect(self, endpoint: str, model: str) -> Dialect:
        """Return the features of the chat API that the endpoint accepts for a model.

        All features are assumed if the log has no entry.

        Raises:
            RunError: the entry is damaged.
        """
        rows = self.store.rows(
            "SELECT dialect FROM dialects WHERE endpoint = ? AND model = ?", endpoint, model
        )
        try:
            return msgspec.json.decode(rows[0][0], type=Dialect) if rows else Dialect()
        except (msgspec.DecodeError, UnicodeError, TypeError) as error:
            raise RunError(
                f"{self.store.path} is damaged at the features of {model}: {error}; {REMEDY}"
            ) from error

    def keep_dialect(self, endpoint: str, model: str, dialect: Dialect) -> None:
        """Store the features of the chat API that the endpoint accepts for a model.

        A rerun then sends equal requests. Writes reach the disk in order, so the features are there
        before any reply to a request that uses them.
        """
        row = (endpoint, model, msgspec.json.encode(dialect))
        self.store.write(
            lambda connection: connection.execute(
                "INSERT OR REPLACE INTO dialects VALUES (?,?,?)", row
            )
        )


def record(
    connection: sqlite3.Connection, attempt: int, request: Request, digest: str, reply: Reply
) -> Answer:
    """Write a reply, and the actual cost of the attempt that got it, inside a transaction."""
    settle(connection, attempt, reply.status, reply.usd_nano)
    return insert(connection, request, digest, reply)


def insert(connection: sqlite3.Connection, request: Request, digest: str, reply: Reply) -> Answer:
    """Insert a completion into the log, inside a transaction.

    If the log already has a reply to the request (from before a crash), the first reply is kept and
    returned. The second one is charged but not used, so that an answer that was already read from
    the log never changes.
    """
    completion_digest = reply.digest(digest)
    connection.execute(
        f"INSERT OR IGNORE INTO completions ({_ROW_COLUMNS}, seal, logged_at, {_REPLY_COLUMNS}) "  # noqa: S608  the inserted texts are constants
        "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (
            digest,
            completion_digest,
            request.model,
            request.body(),
            _seal(completion_digest, reply),
            time.time(),
            *msgspec.structs.astuple(reply),
        ),
    )
    row = connection.execute(
        f"SELECT completion_digest, {_REPLY_COLUMNS} FROM completions WHERE request_digest = ?",  # noqa: S608  the inserted texts are constants
        (digest,),
    ).fetchone()
    return Answer(digest, row[0], Reply(*row[1:]))


def settle(connection: sqlite3.Connection, attempt: int, outcome: str, charged_nano: int) -> None:
    """Close an attempt and record its cost in billionths of a dollar, inside a transaction.

    The attempt may be one that another run took for lost; its actual cost then replaces the upper
    limit.

    Raises:
        RunError: the attempt was never started, or its cost was recorded before.
    """
    row = connection.execute(
        "SELECT job, coalesce(charged_nano, reserved_nano) FROM attempts "
        "WHERE id = ? AND (outcome IS NULL OR outcome = ?)",
        (attempt, LOST),
    ).fetchone()
    if row is None:
        raise RunError(f"attempt {attempt} was never started, or its cost was recorded before")
    connection.execute(
        "UPDATE attempts SET outcome = ?, charged_nano = ?, ended_at = ? WHERE id = ?",
        (outcome, charged_nano, time.time(), attempt),
    )
    connection.execute(
        "UPDATE jobs SET committed_nano = committed_nano - ? + ? WHERE job = ?",
        (row[1], charged_nano, row[0]),
    )


def verify_log(path: Path) -> list[str]:
    """Recompute the digests of all completions; return one line per row that does not match.

    Raises:
        RunError: the file is missing, is not a completion log, or its pages are damaged.
    """
    return [
        f"{row.digest}: {fault}" for row in _rows(path) if (fault := _row_fault(row)) is not None
    ]


def count_completions(path: Path) -> int:
    """Open a log read-only, and count its completions.

    Raises:
        RunError: the file is missing, is not a completion log, or its pages are damaged.
    """
    return sum(1 for _ in _rows(path))


def read_completions(path: Path) -> Iterator[Completion]:
    """Yield the completions as rows of a release, sorted by the digest of the request.

    The time of a request is left out, so that equal logs give equal rows.

    Raises:
        RunError: the file is missing or damaged (see `verify_log`), or a row is invalid.
    """
    for row in _rows(path):
        if fault := _row_fault(row):
            raise RunError(f"{path} is damaged at {row.digest}: {fault}; {REMEDY}")
        request = msgspec.json.decode(row.body, type=Request)
        reply = row.reply
        yield Completion(
            completion_digest=row.completion_digest,
            request_digest=row.digest,
            model=request.model,
            served_model=reply.served_model,
            messages=tuple(PromptMessage(m.role, m.content) for m in request.messages),
            parameters=msgspec.json.encode(request.parameters).decode(),
            status=reply.status,
            content=reply.content,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            usd=reply.usd_nano / NANO,
            tokens_cached=reply.tokens_cached,
        )


class _Row(msgspec.Struct, frozen=True):
    """One row of the table `completions`."""

    digest: str
    completion_digest: str
    model: str
    reply: Reply
    body: bytes
    seal: str


def _row_fault(row: _Row) -> str | None:
    """Return how a row's content contradicts its digests, or None if it does not."""
    try:
        request = msgspec.json.decode(row.body, type=Request)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        return f"the request cannot be read: {error}"
    if request.digest() != row.digest:
        return f"the stored request has another digest: {request.digest()}"
    if request.model != row.model:
        return f"the column model contains {row.model}, but the request is for {request.model}"
    return _reply_fault(row.digest, row.completion_digest, row.reply, row.seal)


def _reply_fault(digest: str, completion_digest: str, reply: Reply, seal: str) -> str | None:
    if reply.digest(digest) != completion_digest:
        return f"the stored reply has another digest: {reply.digest(digest)}"
    if seal and seal != _seal(completion_digest, reply):
        return "the price differs from the price that was booked"
    return None


def _seal(completion_digest: str, reply: Reply) -> str:
    """Return a digest of a completion's id and its price, because the id omits the price."""
    parts: tuple[str | int, ...] = (completion_digest, reply.usd_nano)
    if reply.tokens_cached:
        parts = (*parts, reply.tokens_cached)
    return tagged_digest("seal", msgspec.json.encode(parts))


def _rows(path: Path) -> Iterator[_Row]:
    """Yield every completion, sorted by the digest of the request, without locking the log."""
    if not path.is_file():
        message = (
            f"{path} does not exist; pass the log of a workspace: WORKSPACE/completions.sqlite"
        )
        raise nothing_in(path, message)
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        check_pages(connection, path)
        columns = f"{_ROW_COLUMNS}, seal, {_REPLY_COLUMNS}"
        for name, (_, absent) in ADDED_COLUMNS.items():
            if name not in columns_of(connection, "completions"):
                columns = columns.replace(name, absent)
        query = f"SELECT {columns} FROM completions ORDER BY request_digest"  # noqa: S608  the inserted texts are constants
        for digest, completion_digest, model, body, seal, *fields in connection.execute(query):
            yield _Row(digest, completion_digest, model, Reply(*fields), body, seal)
    except SQLITE_FAULTS as error:
        raise NothingReadError(f"{path} is not a completion log: {error}; {REMEDY}") from error
    finally:
        connection.close()
