"""A confined process shared by many predictions whose functions keep no state between calls.

The process is shared because forking takes longer than running these functions. It ends after
any failure other than an exception, and after a fixed number of predictions; the next
prediction then starts a new process.
"""

import gc
import json
import os
import signal
import time
from collections.abc import Mapping
from types import CodeType

from .answering import MAX_REPLY, reply_of
from .confining import Filter, limit
from .frames import read_frame, receive_frame, write_frame
from .watching import Watch

_MOST = 2000  # predictions of one process
_SECONDS = 600  # processor time of one process; that of a prediction is bounded by the clock
_READING, _WRITING = 3, 4
_HARMLESS = (b'"error": "raised"', b'"error": "bad_arguments"')


class SharedProcess:
    """The confined process that many predictions share; it is started by the first request."""

    def __init__(self, codes: Mapping[str, CodeType | str], refused: Filter) -> None:
        self._codes = codes
        self._refused = refused
        self._child = 0
        self._asked = 0
        self._to = self._from = -1

    def reply(self, content: bytes, seconds: float, memory: int) -> bytes:
        """Return the reply to a request, or an error reply if the process is slow or ends."""
        if not self._child:
            self._begin(memory)
        self._asked += 1
        end = time.monotonic() + seconds
        try:
            write_frame(self._to, content)
            response = receive_frame(self._from, end, MAX_REPLY)
        except (TimeoutError, BrokenPipeError) as error:
            self.end()
            if isinstance(error, TimeoutError):
                return b'{"error":"timeout","message":"it took too long"}'
            response = None
        if response is None:
            self.end()
            return b'{"error":"died","message":"its process ended"}'
        is_sound = b'"error"' not in response or any(marker in response for marker in _HARMLESS)
        if self._asked >= _MOST or not is_sound:
            self.end()
        return response

    def end(self) -> None:
        """End the process."""
        if self._child:
            os.close(self._to)
            os.close(self._from)
            os.kill(self._child, signal.SIGKILL)
            os.waitpid(self._child, 0)
            self._child = self._asked = 0

    def _begin(self, memory: int) -> None:
        reading, self._to = os.pipe()
        self._from, writing = os.pipe()
        self._child = os.fork()
        if not self._child:
            leave = os._exit
            try:
                self._serve(reading, writing, memory)
            finally:
                leave(0)
        os.close(reading)
        os.close(writing)

    def _serve(self, reading: int, writing: int, memory: int) -> None:
        spare = 100  # out of the way of both places
        os.dup2(reading, spare)
        os.dup2(writing, spare + 1)
        os.dup2(spare, _READING)
        os.dup2(spare + 1, _WRITING)
        os.closerange(_WRITING + 1, 1024)
        limit(_SECONDS, memory)
        self._refused.apply()
        watch = Watch()
        while (content := read_frame(_READING)) is not None:
            write_frame(_WRITING, reply_of(json.loads(content), self._codes, watch))
            gc.collect()
