"""This release gate checks that the documents of a release match its tables and its manifest.

Every document is written again into a temporary folder, by the code that writes it in a build.
"""

from collections.abc import Iterator
from functools import lru_cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchloom.release.descriptions import ReleaseView
from benchloom.release.documents import DOCUMENTS, view_release
from benchloom.release.gates import GateView, Part
from flows.stages.reproduction.redacted import is_redacted_copy


def parts(release: GateView) -> Iterator[Part]:
    """Yield a function for each kind of document, which yields a message for each changed file."""
    del release
    yield from (partial(document_findings, name) for name in DOCUMENTS.names())


def document_findings(name: str, release: GateView) -> Iterator[str]:
    """Yield a message for each file of a document that differs from its rewritten version."""
    member = DOCUMENTS.find(name)
    with TemporaryDirectory(prefix="benchloom-") as folder_name:
        folder = Path(folder_name)
        written = {
            path.relative_to(folder).as_posix(): path
            for path in member.write(_view(release), folder)
        }
        for file in release.manifest.files:
            if file.table is not None or not _is_below(file.path, member.PATHS):
                continue
            again = written.pop(file.path, None)
            if again is None:
                yield f"{file.path}: benchloom writes no document of this name for these tables"
            else:
                yield from _differences(file.path, release.folder / file.path, again)
        yield from (
            f"{path}: missing; benchloom writes this document for these tables" for path in written
        )


@lru_cache(maxsize=1)
def _view(release: GateView) -> ReleaseView:
    return view_release(release.folder, release.manifest)


def _is_below(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(path == prefix or path.startswith(f"{prefix}/") for prefix in prefixes)


def _differences(name: str, path: Path, again: Path) -> Iterator[str]:
    released, expected = path.read_bytes(), again.read_bytes()
    if released == expected:
        return
    text, should = released.decode(errors="replace"), expected.decode(errors="replace")
    if not is_redacted_copy(text, should):
        number, line = _first_difference(text, should)
        yield f"{name}: line {number} differs from the document written again: {line}"


def _first_difference(text: str, should: str) -> tuple[int, str]:
    lines, expected = text.splitlines(), should.splitlines()
    for number, line in enumerate(lines):
        if number >= len(expected) or line != expected[number]:
            return number + 1, line.strip()[:80]
    return len(lines), "the end"
