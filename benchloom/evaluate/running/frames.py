"""Messages between processes: the length in four bytes, followed by the content."""

import os
import select
import time

_WIDTH = 4
_PIECE = 1 << 20


def read_frame(reading: int) -> bytes | None:
    """Read the next message; return None if the other end is closed."""
    head = _bytes(reading, _WIDTH)
    if len(head) < _WIDTH:
        return None
    return _bytes(reading, int.from_bytes(head, "big"))


def write_frame(writing: int, content: bytes) -> None:
    """Send a message; BrokenPipeError if the other end is closed."""
    frame = len(content).to_bytes(_WIDTH, "big") + content
    while frame:
        frame = frame[os.write(writing, frame) :]


def receive_frame(reading: int, end: float, most: int) -> bytes | None:
    """Read a message of at most `most` bytes that arrives before `end` on the monotonic clock.

    Return None if the other end is closed or sends a longer message.

    Raises:
        TimeoutError: no message arrives in time.
    """
    buffer = b""
    waiting = select.poll()
    waiting.register(reading, select.POLLIN)
    while len(buffer) < _WIDTH or len(buffer) < _WIDTH + int.from_bytes(buffer[:_WIDTH], "big"):
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        if not waiting.poll(left * 1000):
            continue
        piece = os.read(reading, _PIECE)
        buffer += piece
        if not piece or len(buffer) > most + _WIDTH:
            return None
    return buffer[_WIDTH:]


def _bytes(reading: int, count: int) -> bytes:
    pieces: list[bytes] = []
    while count and (piece := os.read(reading, min(count, _PIECE))):
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)
