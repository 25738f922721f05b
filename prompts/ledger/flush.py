"""Flush committed writes to disk in a thread; one flush serves all callers that wait for it."""

import asyncio
from collections.abc import Callable

from benchloom.core.errors import BenchloomError

GATHER_SECONDS = 0.005
"""Seconds that a flush waits for further writes, which is much less than a reply takes."""


class Flusher:
    """A queue of callers that wait for a flush to disk; one flush serves all that wait.

    A caller that arrives during a flush waits for the next one.

    Args:
        flush: blocks until everything written before the call is on disk; it runs in a thread.
    """

    def __init__(self, flush: Callable[[], None]) -> None:
        self._flush = flush
        self._waiting: list[asyncio.Future[None]] = []
        self._rounds: asyncio.Task[None] | None = None
        self._fault: BenchloomError | None = None

    async def on_disk(self) -> None:
        """Wait until everything written before this call survives a power cut.

        Raises:
            BenchloomError: a flush failed; every later call raises the same error. The
                operating system forgets which pages it failed to write, so a second flush that
                succeeds proves nothing.
        """
        if self._fault is not None:
            raise self._fault
        done = asyncio.get_running_loop().create_future()
        self._waiting.append(done)
        if self._rounds is None:
            self._rounds = asyncio.create_task(self._flush_rounds())
        await done

    async def _flush_rounds(self) -> None:
        try:
            while self._waiting and self._fault is None:
                await asyncio.sleep(GATHER_SECONDS)
                group, self._waiting = self._waiting, []
                try:
                    await asyncio.to_thread(self._flush)
                except BenchloomError as fault:
                    self._fault = fault
                    group += self._waiting
                for done in group:
                    # A caller that was cancelled waits no more.
                    if not done.done():
                        _resolve(done, self._fault)
        finally:
            self._rounds = None


def _resolve(done: "asyncio.Future[None]", fault: BenchloomError | None) -> None:
    if fault is None:
        done.set_result(None)
    else:
        done.set_exception(fault)
