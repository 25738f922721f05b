"""Texts that people or other tools wrote: a JSON line each, `{"target_id": ..., "text": ...}`."""

from collections.abc import Callable, Iterator

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import Rejected

STAGE = "judge"
MAX_LINE = 128 * 1024
"""Bytes of a line: the longest text there may be, every character of it escaped, fits."""
MAX_LINES = 200_000
MAX_BYTES = 256 * 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class SuppliedText(msgspec.Struct, frozen=True, gc=False):
    """One line: the row the text is about, and the text. Other keys are ignored.

    `category` is the category that a text of kind category assigns to its shortcut.
    """

    target_id: str
    text: str
    category: str | None = None


def read_supplied(
    readline: Callable[[int], bytes], name: str
) -> Iterator[tuple[str, SuppliedText | Rejected]]:
    """Yield every non-blank line with its location, as a text or as a rejected row.

    `readline` returns at most the requested number of bytes of the next line.

    Raises:
        RunError: more lines or bytes than one run takes, as of a pipe that never ends.
    """
    read = 0
    for number in range(1, MAX_LINES + 1):
        line = readline(MAX_LINE + 1)
        if not line:
            return
        read += len(line)
        location = f"{name}:{number}"
        if len(line) > MAX_LINE and not line.endswith(b"\n"):
            digest = tagged_digest("line", line)
            read = _skip_line(readline, name, read)
            yield location, _rejection(location, "line_too_long", f"over {MAX_LINE} bytes", digest)
        elif line.strip():
            yield location, _read_line(line.removeprefix(_BYTE_ORDER_MARK), location)
        _refuse_endless(read, name)
    if readline(1):
        raise RunError(f"{name}: more than {MAX_LINES} lines; judge it in parts")


def _skip_line(readline: Callable[[int], bytes], name: str, read: int) -> int:
    """Skip the rest of a line; return the total bytes read up to its end."""
    while True:
        rest = readline(MAX_LINE)
        read += len(rest)
        _refuse_endless(read, name)
        if not rest or rest.endswith(b"\n"):
            return read


def _refuse_endless(read: int, name: str) -> None:
    if read > MAX_BYTES:
        raise RunError(f"{name}: more than {MAX_BYTES >> 20} MiB; judge it in parts")


def _read_line(line: bytes, location: str) -> SuppliedText | Rejected:
    digest = tagged_digest("line", line)
    try:
        line.decode()
        return msgspec.json.decode(line, type=SuppliedText)
    except UnicodeError:
        return _rejection(
            location, "not_utf8", "bytes that are no UTF-8, or half a character", digest
        )
    except msgspec.ValidationError as error:
        return _rejection(location, "wrong_shape", f"not target_id and text: {error}", digest)
    except (msgspec.DecodeError, RecursionError) as error:
        return _rejection(location, "not_json", f"{error}", digest)


def _rejection(location: str, reason: str, message: str, digest: str) -> Rejected:
    return Rejected(STAGE, location, reason, message, digest)
