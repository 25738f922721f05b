"""Gold as it lies there: files of a published format, or a release."""

from collections.abc import Container, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

from benchloom.errors import RejectedInputError, RunError
from benchloom.examples import Example
from benchloom.examples.releases import (
    Choice,
    Texts,
    iter_examples,
    read_definitions,
    read_texts,
)
from benchloom.formats import FORMATS, Reading
from benchloom.inputs import list_objects
from benchloom.records import Rejected
from benchloom.release.manifest import MANIFEST

PLANS = "planning_paths"
"""The table of plans."""
HEAD = 64 * 1024
"""Bytes of a file by which its format is recognised."""


def is_release(gold: Path) -> bool:
    """Whether a folder is a release."""
    return (gold / MANIFEST).is_file()


def examples_of_release(release: Path, table: str) -> Iterator[Example]:
    """The examples of `planning_paths` or `shortcuts` in the order of the table.

    A row comes with each of its kept requests, those of templates too; where no text of the release
    asks for any row of the table, every row comes once, without a request.
    """
    definitions = read_definitions(release)
    texts = read_texts(release, Choice(templates=True))
    any_asked = False
    choice = Choice(templates=True)
    for example in iter_examples(release, table, choice, texts, definitions, skipped=_pass):
        any_asked = True
        yield example
    if not any_asked:
        yield from rows_of_release(release, table)


def rows_of_release(release: Path, table: str) -> Iterator[Example]:
    """Every row of a table as an example without a request."""
    nothing = Texts({}, {})
    choice = Choice(every=True)
    definitions = read_definitions(release)
    yield from iter_examples(release, table, choice, nothing, definitions, skipped=_pass)


def examples_of_files(
    gold: Path, formats: Sequence[str], *, passed: Container[str] = ()
) -> Iterator[Example]:
    """The examples of published files, sorted by the name of the file, in the order of each.

    The first of several formats that recognises any file is read, and of it every file that it
    recognises; the others are passed over, and so is what is rejected for a reason of `passed`.

    Raises:
        RunError: no file is of one of the formats, or a record is damaged.
        OSError: there is no such file.
    """
    with ExitStack() as stack:
        objects = sorted(list_objects([gold], stack), key=lambda one: _order(one.source_uri))
        any_read = False
        for name in formats:
            member = FORMATS.find(name)
            if not isinstance(member, Reading):
                continue
            chosen = []
            for one in objects:
                try:
                    head = one.read()[:HEAD]
                except RejectedInputError as error:
                    raise RunError(f"{one.source_uri}: {error.message}") from error
                if member.recognises(one.source_uri, head):
                    chosen.append(one)
            if not chosen:
                continue
            any_read = True
            for found in member.read(chosen):
                if isinstance(found, Rejected) and found.reason not in passed:
                    raise RunError(f"{found.source_uri}: {found.message}")
                if isinstance(found, Example):
                    yield found
            return
        if not any_read:
            raise RunError(f"{gold}: no file of {', '.join(formats)}, and no release")


def _order(source_uri: str) -> tuple[str, str]:
    return PurePosixPath(source_uri).name, source_uri


def _pass(why: str) -> None:
    """Rows without a text ask for nothing."""
    del why
