"""The program of the sandboxed process, which runs each prediction in a fork of itself.

The worker imports the modules that tools need, compiles their sources, reads requests and writes
replies. It never runs tools itself: a fork runs the calls of one prediction, and then ends.
"""

import encodings.idna  # noqa: F401 - so that looking up a host is reported, not a missing codec
import gc
import json
import os
import signal
import time
from types import CodeType
from typing import Any

from .frames import read_frame, write_frame
from .replies import MAX_REPLY, reply_of
from .sources import compile_source
from .system_calls import Filter, limit

_LAST = 0.05  # seconds for a process to end by itself after its reply
_BROKEN = 70  # exit status of a process that fails outside the prediction


def main() -> None:
    """Reply to each request that arrives on standard input, until the input ends."""
    refused = Filter()
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    codes: dict[str, CodeType | str] = {}
    gc.disable()
    while (content := read_frame(requests)) is not None:
        request = json.loads(content)
        for key, text in request["sources"].items():
            codes[key] = compile_source(text, key)
        if request["sources"]:
            # Collections skip frozen objects, so that forks share the pages of imported modules.
            gc.collect()
            gc.freeze()
        if not request["calls"]:
            write_frame(replies, b"{}")
        else:
            write_frame(replies, _reply_of_fork(request, codes, refused))


def _reply_of_fork(
    request: dict[str, Any], codes: dict[str, CodeType | str], refused: Filter
) -> bytes:
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        leave = os._exit
        how = _BROKEN
        try:
            _answer(request, codes, refused, writing)
            how = 0
        finally:
            leave(how)
    os.close(writing)
    status = None
    try:
        reply = read_frame(reading, time.monotonic() + request["seconds"], MAX_REPLY)
        status = None if reply else _status(child)
    except TimeoutError:
        reply = b'{"error":"timeout","message":"it took too long"}'
    finally:
        os.close(reading)
        if status is None:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    if reply:
        return reply
    is_own = status is not None and os.WIFEXITED(status) and os.WEXITSTATUS(status) != _BROKEN
    word = "exited" if is_own else "died"
    return f'{{"error":"{word}","message":"its process ended"}}'.encode()


def _status(child: int) -> int | None:
    end = time.monotonic() + _LAST
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.001)
    return None


def _answer(
    request: dict[str, Any], codes: dict[str, CodeType | str], refused: Filter, writing: int
) -> None:
    # The order matters: limits and filter forbid opening, copying and limiting anything afterwards.
    first_free = 3
    os.dup2(writing, first_free)
    os.closerange(first_free + 1, 1024)
    limit(int(request["seconds"]) + 1, request["memory"])
    refused.apply()
    write_frame(first_free, reply_of(request, codes))
