"""Texts read from a file, stored by target row until the row is processed."""

import hashlib
from pathlib import Path

import msgspec

from benchloom.core.identity import ALGORITHM, tagged_digest
from benchloom.core.records import Query, Rejected
from benchloom.core.records.texts import GIVEN
from prompts.inputs.supplied_texts import STAGE, SuppliedText, read_supplied
from prompts.results.rows import SORTING, AnyCase, query_row, text_fault
from prompts.steps import AnyStep, Written


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
