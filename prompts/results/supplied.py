"""Texts that people or other tools wrote: a JSON line each, `{"target_id": ..., "text": ...}`."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import ALGORITHM, tagged_digest
from benchloom.core.records import Query, Rejected
from benchloom.core.records.texts import GIVEN
from prompts.results.rows import SORTING, AnyCase, query_row, text_fault
from prompts.steps import AnyStep, Written

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


class _Line(msgspec.Struct, frozen=True):
    """A text from the file, waiting for its target row."""

    location: str
    text: SuppliedText


class SuppliedTexts:
    """The valid texts of a file by target row, in file order, and the rejected lines.

    Raises:
        RunError: the file is endless, or has more lines than one run accepts.
    """

    def __init__(self, path: Path) -> None:
        self.lines = 0
        self.rejected: list[Rejected] = []
        self._waiting: dict[str, dict[str, _Line]] = {}
        read = hashlib.sha256()
        with path.open("rb") as file:

            def readline(most: int) -> bytes:
                line = file.readline(most)
                read.update(line)
                return line

            for location, parsed_line in read_supplied(readline, path.name):
                self.lines += 1
                if isinstance(parsed_line, Rejected):
                    self.rejected.append(parsed_line)
                else:
                    self._add(location, parsed_line)
        self.digest = f"file:{ALGORITHM}:{read.hexdigest()}"

    def _add(self, location: str, supplied_text: SuppliedText) -> None:
        line = _Line(location, supplied_text)
        first = self._waiting.setdefault(supplied_text.target_id, {}).setdefault(
            supplied_text.text.strip(), line
        )
        if first is not line:
            self.reject((line,), "duplicate_line", f"{first.location} says the same of this row")

    def about(self, case: AnyCase | Rejected) -> tuple[_Line, ...]:
        """Remove and return the texts about a row; if the row is rejected, reject the texts."""
        target = case.digest if isinstance(case, Rejected) else case.target_id
        lines = tuple(self._waiting.pop(target or "", {}).values())
        if isinstance(case, Rejected):
            self.reject(lines, case.reason, case.message)
            return ()
        return lines

    def reject_rest(self, source: Path) -> None:
        """Reject the remaining texts, whose target is not a row of the input."""
        for lines in self._waiting.values():
            self.reject(tuple(lines.values()), "unknown_target", f"no row of {source.name} has it")
        self._waiting.clear()

    def reject(self, lines: tuple[_Line, ...], reason: str, message: str) -> None:
        """Reject lines, all for the same reason."""
        for line in lines:
            digest = tagged_digest("text", msgspec.json.encode(line.text))
            self.rejected.append(Rejected(STAGE, line.location, reason, message, digest))


def supplied_row(
    step: AnyStep, case: AnyCase, supplied_text: SuppliedText, location: str
) -> Query | Rejected:
    """Return the row of a text read from a file; `location` is the text's line in the file."""
    written = Written(supplied_text.text.strip(), category=supplied_text.category)
    fault = text_fault(written.text, "empty_text", "text_too_long")
    if fault is None and (step.kind == SORTING) != (written.category is not None):
        fault = "wrong_category", f"a text of kind {step.kind} with category {written.category}"
    if fault is not None:
        return Rejected(STAGE, location, *fault, case.target_id)
    return query_row(step, case, written, GIVEN)


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
