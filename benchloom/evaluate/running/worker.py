"""The process that runs tools: it imports what they need, and forks once for every prediction.

What one prediction does ends with its process. This one compiles sources and never runs them; it
reads requests and writes replies, each as four bytes of length and JSON.
"""

import gc
import json
import os
import select
import signal
import sys
import time
from types import CodeType, TracebackType
from typing import Any, Self

from .calling import CallError, Calls
from .confining import Filter, limit
from .importing import compiled

MOST_REPLY = 1024 * 1024
_WIDTH = 4


class Telling:
    """Tells how a prediction ended, whatever ended it."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self.reply: dict[str, Any] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.reply["ran"] = self._calls.ran
        if kind is None:
            return True
        word, message = "raised", kind.__name__[:100]
        if isinstance(error, ModuleNotFoundError | NameError) and isinstance(error.name, str):
            message = f"{message}: {error.name[:100]}"
        if isinstance(error, CallError):
            word, message = error.kind, error.message
        elif issubclass(kind, MemoryError):
            word = "memory"
        elif issubclass(kind, SystemExit):
            word = "exited"
        elif self._calls.loading:
            word = "unloadable_function"
        self.reply.update(error=word, message=message)
        return True


def main() -> None:
    """Serve until the input ends."""
    refused = Filter()
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for one in (0, 1, 2):
        os.dup2(nothing, one)
    codes: dict[str, CodeType | str] = {}
    gc.disable()
    while (request := _read(requests)) is not None:
        for key, text in request["sources"].items():
            codes[key] = compiled(text, key)
        if request["sources"]:
            gc.collect()
            gc.freeze()
        reply = _apart(request, codes, refused) if request["calls"] else b"{}"
        _write(replies, reply)


def _apart(request: dict[str, Any], codes: dict[str, CodeType | str], refused: Filter) -> bytes:
    """The reply of a process of its own to one request."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        leave = os._exit
        try:
            _answer(request, codes, refused, writing)
        finally:
            leave(0)
    os.close(writing)
    try:
        return _heard(reading, time.monotonic() + request["seconds"])
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _answer(
    request: dict[str, Any], codes: dict[str, CodeType | str], refused: Filter, writing: int
) -> None:
    keep = 3
    os.dup2(writing, keep)
    os.closerange(keep + 1, 1024)
    limit(int(request["seconds"]) + 1, request["memory"])
    refused.apply()
    calls = Calls(request, codes)
    telling = Telling(calls)
    with telling:
        telling.reply["value"] = calls.value()
    sys.setrecursionlimit(1000)
    told = _written(telling.reply)
    while told:
        told = told[os.write(keep, told) :]


def _written(reply: dict[str, Any]) -> bytes:
    try:
        return json.dumps(reply, allow_nan=False).encode()
    except (ValueError, TypeError, MemoryError, RecursionError):
        again = {"ran": reply["ran"], "error": "too_large", "message": "a result without a text"}
        return json.dumps(again).encode()


def _heard(reading: int, end: float) -> bytes:
    """What a process says until it is gone; a reply of ours where it takes or says too much."""
    found = b""
    waiting = select.poll()
    waiting.register(reading, select.POLLIN)
    while (left := end - time.monotonic()) > 0:
        if not waiting.poll(left * 1000):
            continue
        piece = os.read(reading, 65536)
        if not piece:
            return found or b'{"error":"died","message":"its process ended"}'
        found += piece
        if len(found) > MOST_REPLY:
            return b'{"error":"too_large","message":"over 1 MiB"}'
    return b'{"error":"timeout","message":"it took too long"}'


def _read(requests: int) -> dict[str, Any] | None:
    head = _bytes(requests, _WIDTH)
    if len(head) < _WIDTH:
        return None
    found: dict[str, Any] = json.loads(_bytes(requests, int.from_bytes(head, "big")))
    return found


def _bytes(requests: int, count: int) -> bytes:
    pieces: list[bytes] = []
    while count and (piece := os.read(requests, min(count, 1 << 20))):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def _write(replies: int, reply: bytes) -> None:
    told = len(reply).to_bytes(_WIDTH, "big") + reply
    while told:
        told = told[os.write(replies, told) :]
