"""Read gold from files of a published format, or from a release."""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

from benchloom.core.errors import NothingReadError, RejectedInputError
from benchloom.core.records import Rejected
from benchloom.evaluate.benchmark import LeftOut, Report, unreported
from benchloom.exchange.examples import Example
from benchloom.exchange.examples.releases import (
    Choice,
    Texts,
    iter_examples,
    read_definitions,
    read_texts,
)
from benchloom.exchange.formats import FORMATS, Reading
from benchloom.release.manifest import MANIFEST
from benchloom.storage.inputs import SourceObject, list_objects
from benchloom.storage.tables.definition import PLANNING_PATHS

HEAD = 64 * 1024  # number of bytes from which a file's format is recognised


def is_release(gold: Path) -> bool:
    """Whether a folder is a benchloom release: it contains a manifest."""
    return (gold / MANIFEST).is_file()


class DamagedRecords:
    """Reports each damaged gold record once; a caller sets `any_read` when it has read a record."""

    def __init__(self, report: Report) -> None:
        self.any_read = False
        self._report = report
        self._seen: dict[str, LeftOut] = {}

    def add(self, record: str, reason: str, message: str) -> None:
        """Report a damaged record as left out, unless it was reported before."""
        if record not in self._seen:
            self._seen[record] = LeftOut(record, reason, message)
            self._report(self._seen[record])

    def require_any(self) -> None:
        """Raise NothingReadError if every record was damaged."""
        if not self.any_read and self._seen:
            first, *others = self._seen.values()
            more = f" (and {len(others)} more)" if others else ""
            raise NothingReadError(f"{first.record}: {first.message}{more}; no record can be read")


def plan_examples(
    gold: Path, formats: Sequence[str], report: Report = unreported, *, passed: Container[str] = ()
) -> Iterator[Example]:
    """Yield the plans (requests with their calls) of a release or of published files.

    Releases are read by `examples_of_release`, and files by `examples_of_files`.

    Raises NothingReadError if there is no plan, or all are damaged; OSError if there is no such
    file.
    """
    if is_release(gold):
        return examples_of_release(gold, PLANNING_PATHS, report)
    return examples_of_files(gold, formats, report, passed=passed)


def unique_name(name: str, used_names: Counter[str], mark: str = "#") -> str:
    """Return a name that is not in `used_names`: a name used before gets `mark` and a number.

    The use is counted in `used_names`.
    """
    used_names[name] += 1
    return name if used_names[name] == 1 else f"{name}{mark}{used_names[name]}"


def examples_of_release(
    release: Path, table: str, report: Report = unreported
) -> Iterator[Example]:
    """Yield the examples in the table `planning_paths` or `shortcuts` of a release, in table order.

    A row gives one example per accepted request, including requests made from templates. If no row
    has a request, every row gives one example. A row with an unreadable value is left out and
    passed to `report`.

    Raises NothingReadError if all rows are damaged.
    """
    definitions = read_definitions(release)
    damage = DamagedRecords(report)
    requests = Choice(templates=True)
    rows = Choice(every=True)
    for choice, texts in ((requests, read_texts(release, requests)), (rows, Texts({}, {}))):
        for example in iter_examples(
            release, table, choice, texts, definitions, skipped=lambda _: None, damaged=damage.add
        ):
            damage.any_read = True
            yield example
        if damage.any_read:
            return
    damage.require_any()


def examples_of_files(
    gold: Path, formats: Sequence[str], report: Report = unreported, *, passed: Container[str] = ()
) -> Iterator[Example]:
    """Yield the examples of published files, with files sorted by name and records in file order.

    The first of `formats` that recognises a file is used for all files. Records that are rejected
    for a reason in `passed` are skipped; other damaged records are passed to `report`. A dialogue
    with a damaged line is left out, because the numbers of its later calls would be wrong.

    Raises NothingReadError if no file is of one of the formats, or every record is damaged; OSError
    if there is no such file.
    """
    damage = DamagedRecords(report)
    readers = FORMATS.only(Reading)
    with ExitStack() as stack:
        heads: list[tuple[SourceObject, bytes]] = []
        for source in sorted(list_objects([gold], stack), key=by_file_name):
            try:
                heads.append((source, source.read()[:HEAD]))
            except RejectedInputError as error:
                damage.add(source.source_uri, error.reason, error.message)
        for name in formats:
            reader = readers[name]
            chosen = [
                source for source, head in heads if reader.recognises(source.source_uri, head)
            ]
            if not chosen:
                continue
            for record in reader.read(chosen):
                if isinstance(record, Rejected) and record.reason not in passed:
                    damage.add(record.source_uri, record.reason, record.message)
                if isinstance(record, Example) and not _lacks_a_line(record):
                    damage.any_read = True
                    yield record
            damage.require_any()
            return
        damage.require_any()
        raise NothingReadError(
            f"{gold} is neither a release nor a file in one of the formats "
            f"{', '.join(formats)}; pass a release or such files"
        )


def _lacks_a_line(example: Example) -> bool:
    return any(finding.kind == "damaged_line" for finding in example.findings)


def by_file_name(source: SourceObject) -> tuple[str, str]:
    """Return the sort key of a gold file: its name, then its location."""
    return PurePosixPath(source.source_uri).name, source.source_uri
