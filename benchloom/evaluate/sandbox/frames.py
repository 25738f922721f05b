"""Send messages between processes: each is its length in four bytes, followed by its content."""

import os
import select
import time
from math import inf

_WIDTH = 4
_PIECE = 1 << 20


def write_frame(writing: int, content: bytes) -> None:
    """Send a message; raise BrokenPipeError if the other end is closed."""
    frame = len(content).to_bytes(_WIDTH, "big") + content
    while frame:
        frame = frame[os.write(writing, frame) :]


def read_frame(reading: int, end: float = inf, most: float = inf) -> bytes | None:
    """Read a message of at most `most` bytes, or return None if it is longer or the pipe is closed.

    `end` is the time on the monotonic clock by which the message must have arrived. Each process
    waits for the reply before it sends another message, so only one message is in the pipe.

    Raises TimeoutError if the message does not arrive in time.
    """
    buffer = b""
    waiting = select.poll()
    waiting.register(reading, select.POLLIN)
    while len(buffer) < _WIDTH or len(buffer) < _WIDTH + int.from_bytes(buffer[:_WIDTH], "big"):
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if not waiting.poll(None if left == inf else left * 1000):
            continue
        piece = os.read(reading, _PIECE)
        buffer += piece
        if not piece or len(buffer) > most + _WIDTH:
            return None
    return buffer[_WIDTH:]
