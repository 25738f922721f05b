"""Read texts that people or other tools wrote, as JSON lines with `target_id` and `text`."""

import hashlib
from codecs import BOM_UTF8
from io import BytesIO
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
"""Maximum bytes of a line. The longest text fits even if every character is escaped."""
MAX_LINES = 200_000
MAX_BYTES = 256 * 1024 * 1024


class SuppliedText(msgspec.Struct, frozen=True, gc=False):
    """One line of a file of texts: a text, and the id of the row that it is about.

    `category` is the category that a label assigns to its shortcut. Other keys are ignored.
    """

    target_id: str
    text: str
    category: str | None = None


class _Line(msgspec.Struct, frozen=True):
    """A text with its file and line number, stored until the row that it is about is read."""

    location: str
    text: SuppliedText


class SuppliedTexts:
    """The texts of a file, found by the rows that they are about, and the rejected lines.

    Raises:
        RunError: the file has more lines or bytes than one run accepts.
    """

    def __init__(self, path: Path) -> None:
        self.lines = 0
        self.rejected: list[Rejected] = []
        self._waiting: dict[str, dict[str, _Line]] = {}
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise RunError(
                f"{path.name} has more than {MAX_BYTES >> 20} MiB; divide it, and judge each part"
            )
        self.digest = f"file:{ALGORITHM}:{hashlib.sha256(content).hexdigest()}"
        for number, line in enumerate(BytesIO(content), start=1):
            if number > MAX_LINES:
                raise RunError(
                    f"{path.name} has more than {MAX_LINES} lines; divide it, and judge each part"
                )
            if line.strip():
                self.lines += 1
                self._read(line.removeprefix(BOM_UTF8), f"{path.name}:{number}")

    def _read(self, line: bytes, location: str) -> None:
        """Add the text of a line, or the rejected row of an invalid line."""
        digest = tagged_digest("line", line)
        try:
            if len(line.removesuffix(b"\n")) > MAX_LINE:
                fault = "line_too_long", f"over {MAX_LINE} bytes"
            else:
                line.decode()
                self._add(location, msgspec.json.decode(line, type=SuppliedText))
                return
        except UnicodeError:
            fault = "not_utf8", "bytes that are no UTF-8, or half a character"
        except msgspec.ValidationError as error:
            fault = "wrong_shape", f"not target_id and text: {error}"
        except (msgspec.DecodeError, RecursionError) as error:
            fault = "not_json", f"{error}"
        self.rejected.append(Rejected(STAGE, location, *fault, digest))

    def _add(self, location: str, supplied_text: SuppliedText) -> None:
        line = _Line(location, supplied_text)
        first = self._waiting.setdefault(supplied_text.target_id, {}).setdefault(
            supplied_text.text.strip(), line
        )
        if first is not line:
            self.reject((line,), "duplicate_line", f"{first.location} says the same of this row")

    def about(self, case: AnyCase | Rejected) -> tuple[_Line, ...]:
        """Remove and return the texts about a row; if the row is rejected, reject its texts."""
        target = case.digest if isinstance(case, Rejected) else case.target_id
        lines = tuple(self._waiting.pop(target or "", {}).values())
        if isinstance(case, Rejected):
            self.reject(lines, case.reason, case.message)
            return ()
        return lines

    def reject_rest(self, source: Path) -> None:
        """Reject the texts that remain after all rows were read, because no row has their id."""
        for lines in self._waiting.values():
            self.reject(tuple(lines.values()), "unknown_target", f"no row of {source.name} has it")
        self._waiting.clear()

    def reject(self, lines: tuple[_Line, ...], reason: str, message: str) -> None:
        """Add a rejected row with this reason and message for each of the lines."""
        for line in lines:
            digest = tagged_digest("text", msgspec.json.encode(line.text))
            self.rejected.append(Rejected(STAGE, line.location, reason, message, digest))


def supplied_row(
    step: AnyStep, case: AnyCase, supplied_text: SuppliedText, location: str
) -> Query | Rejected:
    """Return the row for a text from a file; `location` is the text's file and line number."""
    written = Written(supplied_text.text.strip(), category=supplied_text.category)
    fault = text_fault(written.text, "empty_text", "text_too_long")
    if fault is None and (step.kind == SORTING) != (written.category is not None):
        fault = "wrong_category", f"a text of kind {step.kind} with category {written.category}"
    if fault is not None:
        return Rejected(STAGE, location, *fault, case.target_id)
    return query_row(step, case, written, GIVEN)
