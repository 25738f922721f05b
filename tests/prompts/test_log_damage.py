"""Check that damage to a completion log raises a one-line error or changes nothing."""

import random
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from prompts.exchange import Message, Parameters, Reply, Request
from prompts.ledger.log import CompletionLog, insert, read_completions, verify_log
from prompts.ledger.store import Store
from tests.prompts.log_damage import DamagedLogs, damage
from tests.support.llm.server import LlmServer

REQUEST = Request("m", (Message("user", "hello"),), Parameters(max_tokens=5))
DIGEST = REQUEST.digest()


def test_random_damage_is_found_or_harmless(tmp_path: Path) -> None:
    rng = random.Random(1)
    with LlmServer().running() as server:
        logs = DamagedLogs(tmp_path, server)
        assert logs.outcome(logs.log) == "harmless"
        outcomes = Counter(logs.outcome(damage(logs.log, rng)) for _ in range(40))
    assert outcomes["found"] >= 5
    assert outcomes["harmless"] >= 1


def write_log(path: Path) -> Path:
    with Store(path) as store:
        reply = Reply("answered", "hi", 3, 2, 5, "m-1")
        store.write(lambda connection: insert(connection, REQUEST, DIGEST, reply))
    return path


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE completions SET content = 'ho'",
        "UPDATE completions SET usd_nano = 6",
        "UPDATE completions SET tokens_in = 'three'",
        "UPDATE completions SET tokens_cached = 1",
        "UPDATE completions SET content = CAST(x'ff' AS TEXT)",
        "DROP TABLE attempts; CREATE TABLE attempts (id)",
        "CREATE TABLE notes (id)",
    ],
)
def test_changed_row_or_table_raises_an_error_before_use(tmp_path: Path, change: str) -> None:
    path = write_log(tmp_path / "log.sqlite")
    connection = sqlite3.connect(path)
    connection.executescript(change)
    connection.close()
    with (
        pytest.raises(RunError, match=r"log\.sqlite is .*restore it from a copy"),
        Store(path) as store,
    ):
        CompletionLog(store).find(DIGEST)


@pytest.mark.parametrize("version", [1, 2])
def test_log_of_an_earlier_version_is_migrated(tmp_path: Path, version: int) -> None:
    path = write_log(tmp_path / "log.sqlite")
    connection = sqlite3.connect(path)
    for column in ("seal", "tokens_cached")[version - 1 :]:
        connection.execute(f"ALTER TABLE completions DROP COLUMN {column}")
    connection.execute(f"PRAGMA user_version={version}")
    connection.commit()
    connection.close()
    assert verify_log(path) == []
    assert [row.content for row in read_completions(path)] == ["hi"]
    with Store(path) as store:
        answer = CompletionLog(store).find(DIGEST)
    assert answer is not None
    assert answer.reply.content == "hi"
