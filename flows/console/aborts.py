"""Print a last line when a library aborts the process, as C++ does when memory runs out.

No Python code runs after an abort, and the exit code would be that of a signal.
"""

import ctypes
import os
import signal

from flows.errors import AGAIN

_LINE = (
    f"benchloom: a library aborted the run, most likely because memory ended; {AGAIN}\n".encode()
)
_EXIT_CODE = 2
_WITHIN = 5
"""Seconds after which a process that cannot say its last line is ended without it."""
_handlers: list[object] = []
"""What the C library calls has to stay in memory."""


def say_when_aborted() -> None:
    """Have an abort of this process end in one line and exit code 2."""
    library = ctypes.CDLL(None)
    handler_of = ctypes.CFUNCTYPE(None, ctypes.c_int)

    def handle(number: int) -> None:
        del number
        signal.alarm(_WITHIN)
        os.write(2, _LINE)
        os._exit(_EXIT_CODE)

    handler = handler_of(handle)
    _handlers.append(handler)
    library.signal.argtypes = [ctypes.c_int, handler_of]
    library.signal.restype = ctypes.c_void_p
    library.signal(signal.SIGABRT, handler)
