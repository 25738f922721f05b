"""Fuzz completion logs: a damaged log gets every operation that a run uses."""

import tempfile
from functools import cache
from pathlib import Path
from random import Random

from prompts.exchange import Dialect, Message, Parameters, Reply, Request
from prompts.ledger.budget import Governor
from prompts.ledger.log import CompletionLog, read_completions, record, verify_log
from prompts.ledger.prices import Price
from prompts.ledger.store import Store
from tests.fuzz import Target

_MAGIC = b"SQLite format 3\x00"
_WORDS = (b"CREATE TABLE", b"completions", b"sha256:", b"answered", b'"limit_field"', b"\xff" * 9)
_JOB, _ENDPOINT = "job:fuzz", "http://127.0.0.1/v1"
_PRICE = Price(1.0, 4.0)


@cache
def _requests() -> tuple[Request, ...]:
    chance = Random(7)
    words = ("water", "the", "tomatoes", "at", "dawn", "naïve", "日本", "🌱")
    return tuple(
        Request(
            "m",
            (Message("user", " ".join(chance.choices(words, k=20 + 60 * number))),),
            Parameters(max_tokens=50, temperature=0.5 if number % 2 else None),
        )
        for number in range(24)
    )


@cache
def seeds() -> list[bytes]:
    """Return a log with one reply and a log with 24 replies, some of them on overflow pages."""
    return [_log(1), _log(len(_requests()))]


def _log(count: int) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.sqlite"
        with Store(path) as store:
            governor = Governor(store, _JOB, _PRICE, 1.0)
            CompletionLog(store).keep_dialect(_ENDPOINT, "m", Dialect(structured=False))
            for request in _requests()[:count]:
                _answer(store, governor, request)
        return path.read_bytes()


def _answer(store: Store, governor: Governor, request: Request) -> None:
    attempt = governor.reserve(request)
    reply = Reply("answered", request.messages[0].content[::-1], 9, 7, 37, "m-1")
    store.write(lambda connection: record(connection, attempt, request, request.digest(), reply))


def read(data: bytes) -> int:
    """Export, verify and continue a damaged log; return the number of rows and faults."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.sqlite"
        path.write_bytes(data)
        rows = len(list(read_completions(path))) + len(verify_log(path))
        with Store(path) as store:
            governor = Governor(store, _JOB, _PRICE, 1.0)
            log = CompletionLog(store)
            log.dialect(_ENDPOINT, "m")
            for request in _requests():
                if log.find(request.digest()) is None:
                    _answer(store, governor, request)
            governor.spending()
    return rows


TARGET = Target(
    "completion-log",
    seeds,
    read,
    words=_WORDS,
    accepts=lambda data: data.startswith(_MAGIC),
)
