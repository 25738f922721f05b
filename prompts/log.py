"""The completion log: every request and reply, on disk before the reply is used.

A reply is addressed by the digest of its request (model, messages, parameters), so a rerun is
free, and a crash loses at most the replies that were in flight.
"""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from benchloom.errors import RunError
from benchloom.records import Completion, PromptMessage
from prompts.exchange import Answer, Reply, Request
from prompts.store import Store
from prompts.wire import Dialect

_REPLY_COLUMNS = "status, content, tokens_in, tokens_out, usd_nano, served_model"
_NANO = 1_000_000_000


class CompletionLog:
    """Completions in one SQLite file.

    Raises:
        RunError: the file is no completion log, or another run is writing to it.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self._on_the_way: set[str] = set()

    def find(self, request_digest: str) -> Answer | None:
        """The logged answer to a request, None when there is none on disk."""
        if request_digest in self._on_the_way:
            return None
        row = self.store.look_up(
            f"SELECT completion_digest, {_REPLY_COLUMNS} FROM completions "  # noqa: S608  # constants
            "WHERE request_digest = ?",
            request_digest,
        )
        return None if row is None else Answer(request_digest, row[0], Reply(*row[1:]))

    def keep(self, attempt: int, request: Request, reply: Reply) -> Answer:
        """Write a reply and settle its attempt in one transaction, which outlives a kill.

        Use it only after `on_disk`.
        """
        digest = request.digest()
        self._on_the_way.add(digest)
        return self.store.write(
            lambda connection: record(connection, attempt, request, digest, reply)
        )

    async def on_disk(self, kept: Answer) -> Answer:
        """The answer once it outlives a power cut; from then on it may be used, and is found."""
        await self.store.on_disk()
        self._on_the_way.discard(kept.request_digest)
        return kept

    async def keep_unbilled(self, request: Request, reply: Reply) -> Answer:
        """Write a final answer that cost nothing, such as a prompt that is too long."""
        digest = request.digest()
        self._on_the_way.add(digest)
        kept = self.store.write(lambda connection: insert(connection, request, digest, reply))
        return await self.on_disk(kept)

    def dialect(self, endpoint: str, model: str) -> Dialect:
        """What the endpoint was found to understand for this model."""
        row = self.store.reading.execute(
            "SELECT dialect FROM dialects WHERE endpoint = ? AND model = ?", (endpoint, model)
        ).fetchone()
        return Dialect() if row is None else msgspec.json.decode(row[0], type=Dialect)

    def keep_dialect(self, endpoint: str, model: str, dialect: Dialect) -> None:
        """Remember what the endpoint understands, so a rerun makes the same requests.

        Writes reach the disk in their order, so it is there before any reply to such a request.
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
    """Insert a completion and settle its attempt; call it inside a transaction."""
    settle(connection, attempt, reply.status, reply.usd_nano)
    return insert(connection, request, digest, reply)


def insert(connection: sqlite3.Connection, request: Request, digest: str, reply: Reply) -> Answer:
    """Insert a completion; call it inside a transaction.

    The first reply of a request stands: a second one (after a crash in flight) is charged, and
    not used, so that what was read from the log before never changes.
    """
    connection.execute(
        "INSERT OR IGNORE INTO completions VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            digest,
            reply.digest(digest),
            request.model,
            *msgspec.structs.astuple(reply),
            time.time(),
            request.body(),
        ),
    )
    row = connection.execute(
        f"SELECT completion_digest, {_REPLY_COLUMNS} FROM completions WHERE request_digest = ?",  # noqa: S608  # constants
        (digest,),
    ).fetchone()
    return Answer(digest, row[0], Reply(*row[1:]))


def settle(connection: sqlite3.Connection, attempt: int, outcome: str, charged_nano: int) -> None:
    """Close an attempt with what it really cost; call it inside a transaction."""
    row = connection.execute(
        "SELECT job, reserved_nano FROM attempts WHERE id = ? AND outcome IS NULL", (attempt,)
    ).fetchone()
    if row is None:
        raise RunError(f"attempt {attempt} is unknown or was settled before")
    connection.execute(
        "UPDATE attempts SET outcome = ?, charged_nano = ?, ended_at = ? WHERE id = ?",
        (outcome, charged_nano, time.time(), attempt),
    )
    connection.execute(
        "UPDATE jobs SET committed_nano = committed_nano - ? + ? WHERE job = ?",
        (row[1], charged_nano, row[0]),
    )


def verify_log(path: Path) -> list[str]:
    """Re-derive both digests of every completion; one line per row that does not fit.

    Raises:
        RunError: the file is missing or is no completion log.
    """
    findings: list[str] = []
    for row in _rows(path):
        digest, completion_digest, model, *reply_fields, _, body = row
        reply = Reply(*reply_fields)
        try:
            request = msgspec.json.decode(body, type=Request)
        except (msgspec.DecodeError, UnicodeError) as error:
            findings.append(f"{digest}: the request cannot be read: {error}")
            continue
        if request.digest() != digest:
            findings.append(f"{digest}: the request has digest {request.digest()}")
        if reply.digest(digest) != completion_digest:
            findings.append(f"{digest}: the reply has digest {reply.digest(digest)}")
        if request.model != model:
            findings.append(f"{digest}: model is {model}, the request says {request.model}")
    return findings


def count_completions(path: Path) -> int:
    """Completions in a log that is read only."""
    return sum(1 for _ in _rows(path))


def read_completions(path: Path) -> Iterator[Completion]:
    """The completions as rows of a release, ordered by request; no clock times in them."""
    for digest, completion_digest, _, *reply_fields, _, body in _rows(path):
        reply = Reply(*reply_fields)
        request = msgspec.json.decode(body, type=Request)
        yield Completion(
            completion_digest=completion_digest,
            request_digest=digest,
            model=request.model,
            served_model=reply.served_model,
            messages=tuple(PromptMessage(m.role, m.content) for m in request.messages),
            parameters=msgspec.json.encode(request.parameters).decode(),
            status=reply.status,
            content=reply.content,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            usd=reply.usd_nano / _NANO,
        )


def _rows(path: Path) -> Iterator[tuple[Any, ...]]:
    """Every completion in the order of request digests, read without owning the log."""
    if not path.is_file():
        raise RunError(f"{path}: no completion log here")
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        yield from connection.execute("SELECT * FROM completions ORDER BY request_digest")
    except sqlite3.Error as error:
        raise RunError(f"{path}: not a completion log: {error}") from error
    finally:
        connection.close()
