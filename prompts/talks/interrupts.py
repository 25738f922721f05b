"""Handle interrupts in the event loop, so that no interrupt is lost or delayed.

Python runs a signal handler in the main thread when this thread returns to Python code. If another
thread received the signal, the main thread keeps waiting for its next event, which may be the reply
of a slow model. A handler of the loop wakes the loop, whichever thread received the signal.
"""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

WAITING = (
    "interrupted: waiting for replies to the requests already sent; press again to abandon them"
)


@contextmanager
def interrupts_by_the_loop(tell: Callable[[str], object] | None = None) -> Iterator[None]:
    """Run the existing interrupt handler as a callback of the running event loop.

    The effect of an interrupt is unchanged: with `asyncio.run`, the first interrupt cancels the
    main task and the second interrupt ends the loop. `tell` is called for the first interrupt.
    Outside the main thread, or where interrupts are ignored, nothing changes.
    """
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    loop = asyncio.get_running_loop()
    pressed = 0

    def restore() -> None:
        if loop.remove_signal_handler(signal.SIGINT):
            signal.signal(signal.SIGINT, before)

    def handle() -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            restore()  # the loop ends now, and nothing in it is closed before
        elif tell is not None:
            tell(WAITING)
        before(signal.SIGINT, None)

    loop.add_signal_handler(signal.SIGINT, handle)
    try:
        yield
    finally:
        restore()
