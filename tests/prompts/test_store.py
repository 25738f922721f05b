"""Check what the store of a completion log guarantees after a commit and after a flush."""

import asyncio
import os
import signal
import sqlite3
import threading
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from prompts.endpoint.client import ChatClient
from prompts.endpoint.limits import open_endpoint
from prompts.exchange import Answer, Message, Parameters, Reply, Request
from prompts.ledger import store as store_module
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog
from prompts.ledger.prices import Price
from prompts.ledger.store import WRITES_PER_CHECKPOINT, Store
from tests.support.llm.server import LlmServer
from tests.support.llm.world import FAST, child_context, wait_until

REQUEST = Request("m", (Message("user", "hello"),), Parameters(max_tokens=5))


class SlowDisk:
    """A disk that performs each real flush only after the test releases it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._real = store_module._sync
        self._gate = threading.Semaphore(0)
        self.flush_count = 0
        monkeypatch.setattr(store_module, "_sync", self._sync)

    def _sync(self, descriptor: int) -> None:
        self.flush_count += 1
        assert self._gate.acquire(timeout=20)
        self._real(descriptor)

    def release(self, flushes: int) -> None:
        self._gate.release(flushes)


def add_job(store: Store, name: str) -> None:
    store.write(lambda connection: connection.execute("INSERT INTO jobs (job) VALUES (?)", (name,)))


def count_jobs(path: Path) -> int:
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    (count,) = connection.execute("SELECT count(*) FROM jobs").fetchone()
    connection.close()
    return int(count)


def test_commit_is_visible_immediately_and_failures_roll_back(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"

    def insert_and_fail(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO jobs (job) VALUES ('half')")
        raise RunError("no")

    with Store(path) as store:
        add_job(store, "first")
        assert count_jobs(path) == 1
        with pytest.raises(RunError, match="no"):
            store.write(insert_and_fail)
        with pytest.raises(RunError, match="cannot be written"):
            add_job(store, "first")
        add_job(store, "second")
    assert count_jobs(path) == 2


def test_requests_and_replies_wait_for_a_flush(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    disk.release(1)  # for opening the store
    server = LlmServer(fixed="hi")

    async def ask(store: Store) -> Answer:
        log = CompletionLog(store)
        governor = Governor(store, "job", Price(1.0, 4.0))
        client = ChatClient(open_endpoint(server.url, 10.0), log, governor, FAST, "m")
        first_answer = asyncio.ensure_future(client.answer(REQUEST))
        await asyncio.to_thread(wait_until, lambda: disk.flush_count == 2)
        assert governor.spending().open_attempts == 1
        assert not server.arrivals
        disk.release(1)
        await asyncio.to_thread(wait_until, lambda: disk.flush_count == 3)
        # The reply is committed, so a kill cannot lose it, but unusable until it is flushed.
        assert governor.spending().outcomes == {"answered": 1}
        assert log.find(REQUEST.digest()) is None
        second = asyncio.ensure_future(client.answer(REQUEST))
        await asyncio.sleep(0.05)
        assert not first_answer.done()
        assert not second.done()
        disk.release(1)
        assert await first_answer == await second == log.find(REQUEST.digest())
        await client.close()
        return await first_answer

    with server.running(), Store(tmp_path / "log.sqlite") as store:
        assert asyncio.run(ask(store)).reply.status == "answered"
    assert server.billing.billed == 1


def test_writers_continue_during_a_flush_and_waiters_share_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    disk.release(1)

    async def write_on(store: Store) -> None:
        add_job(store, "first")
        first = asyncio.ensure_future(store.on_disk())
        await asyncio.to_thread(wait_until, lambda: disk.flush_count == 2)
        for number in range(50):
            add_job(store, str(number))
        rest = [asyncio.ensure_future(store.on_disk()) for _ in range(50)]
        disk.release(2)
        await asyncio.gather(first, *rest)

    with Store(tmp_path / "log.sqlite") as store:
        asyncio.run(write_on(store))
    assert disk.flush_count == 3


def test_failed_flush_fails_every_later_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = [OSError(5, "the disk is gone")]

    def fail_once(descriptor: int) -> None:
        if faults:
            raise faults.pop()
        os.fsync(descriptor)

    async def wait_twice(store: Store) -> None:
        for _ in range(2):
            with pytest.raises(RunError, match="the disk is gone"):
                await store.on_disk()

    with Store(tmp_path / "log.sqlite") as store:
        monkeypatch.setattr(store_module, "_sync", fail_once)
        asyncio.run(wait_twice(store))


def test_journal_size_stays_bounded_during_writes(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    rounds = 6

    async def write_on(store: Store) -> None:
        for number in range(rounds * WRITES_PER_CHECKPOINT):
            add_job(store, str(number))
            if number % 50 == 0:
                await store.on_disk()

    with Store(path) as store:
        asyncio.run(write_on(store))
        journal = (tmp_path / "log.sqlite-wal").stat().st_size
        assert count_jobs(path) == rounds * WRITES_PER_CHECKPOINT
    # A write takes two or three pages of 4 KiB; all of them together would take six times as much.
    assert journal < 2 * WRITES_PER_CHECKPOINT * 3 * 4_120


def commit_and_die(path: Path) -> None:
    """Commit a reply without a flush, and kill this child process."""
    store = Store(path)
    governor = Governor(store, "job", Price(1.0, 1.0))
    attempt = store.write(lambda c: governor.reserve_in(c, REQUEST.digest(), 100))
    CompletionLog(store).keep(attempt, REQUEST, Reply("answered", "hi", 3, 2, 5, "m"))
    os.kill(os.getpid(), signal.SIGKILL)


def test_committed_reply_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    child = child_context().Process(target=commit_and_die, args=(path,))
    child.start()
    child.join(20)
    assert child.exitcode == -signal.SIGKILL
    with Store(path) as store:
        answer = CompletionLog(store).find(REQUEST.digest())
    assert answer is not None
    assert answer.reply.content == "hi"
