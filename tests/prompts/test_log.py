"""Check the digests, verification, export and versions of the completion log."""

import sqlite3
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.core.records import Completion
from benchloom.storage.tables import iter_records, write_table
from prompts.exchange import Message, Parameters, Reply, Request
from prompts.ledger.budget import Governor
from prompts.ledger.log import (
    CompletionLog,
    count_completions,
    read_completions,
    verify_log,
)
from prompts.ledger.prices import Price
from prompts.ledger.store import Store

REQUEST = Request("m", (Message("user", "hello"),), Parameters(max_tokens=5))


def write_log(path: Path) -> Path:
    """Write a log with three completions and return its path."""
    with Store(path) as store:
        governor = Governor(store, "job", Price(1.0, 1.0))
        for number in range(3):
            request = Request("m", (Message("user", f"hello {number}"),), Parameters(max_tokens=5))
            reply = Reply("answered", f"hi {number}", 3, 2, 5, "m-1")
            CompletionLog(store).keep(governor.reserve(request), request, reply)
    return path


def test_request_digest_covers_model_messages_and_parameters() -> None:
    others = [
        Request("n", REQUEST.messages, REQUEST.parameters),
        Request("m", (Message("system", "hello"),), REQUEST.parameters),
        Request("m", REQUEST.messages, Parameters(max_tokens=6)),
        Request("m", REQUEST.messages, Parameters(max_tokens=5, temperature=0.0)),
        Request("m", REQUEST.messages, Parameters(max_tokens=5, reply_schema="{}")),
    ]
    assert len({REQUEST.digest(), *(other.digest() for other in others)}) == 6
    assert REQUEST.digest().startswith("request:sha256:")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE completions SET content = 'else'",
        "UPDATE completions SET tokens_out = tokens_out + 1",
        "UPDATE completions SET model = 'other'",
        "UPDATE completions SET request = replace(request, 'hello', 'hullo')",
        "UPDATE completions SET request = 'no json'",
    ],
)
def test_verification_finds_every_changed_completion(tmp_path: Path, change: str) -> None:
    path = write_log(tmp_path / "log.sqlite")
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(f"{change} WHERE content = 'hi 1'")
    connection.close()
    assert len(verify_log(path)) == 1


def test_first_reply_is_kept_and_the_second_is_charged(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        governor = Governor(store, "job", Price(1.0, 1.0))
        log = CompletionLog(store)
        answers = [
            log.keep(governor.reserve(REQUEST), REQUEST, Reply("answered", text, 1, 1, 7))
            for text in ("first", "second")
        ]
        assert answers[0] == answers[1] == CompletionLog(store).find(REQUEST.digest())
        assert governor.spending().settled_usd == pytest.approx(14e-9)


def test_export_is_a_reproducible_table(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.sqlite")
    assert verify_log(path) == []
    assert count_completions(path) == 3
    for name in ("a", "b"):
        count = write_table("completions", read_completions(path), tmp_path / f"{name}.parquet")
        assert count == 3
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    (tmp_path / "a.parquet").rename(tmp_path / "completions.parquet")
    rows = list(iter_records(tmp_path, "completions", Completion))
    assert [row.request_digest for row in rows] == sorted(row.request_digest for row in rows)
    assert {row.content for row in rows} == {"hi 0", "hi 1", "hi 2"}


@pytest.mark.parametrize("content", [b"", b"no database at all, but longer than a header" * 9])
def test_file_that_is_not_a_log_raises_an_error(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.sqlite"
    path.write_bytes(content)
    with pytest.raises(RunError, match="not a completion log"):
        verify_log(path)
    if content:
        with pytest.raises(RunError, match="not a completion log"):
            Store(path)
    with pytest.raises(RunError, match="does not exist; pass the log"):
        verify_log(tmp_path / "missing.sqlite")


def test_log_of_an_unknown_version_is_refused(tmp_path: Path) -> None:
    path = write_log(tmp_path / "log.sqlite")
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version=99")
    connection.close()
    with pytest.raises(RunError, match="version is 99"):
        Store(path)
