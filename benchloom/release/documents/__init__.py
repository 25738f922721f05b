"""Write the documents of a release. Each module of this folder writes one document.

A module defines `PATHS`, the files and folders that it writes in the release, and `write(release,
folder) -> list[Path]`. Modules are discovered by their file names. Documents are written before the
manifest, which lists them with their digests. Equal tables give equal documents.
"""

from pathlib import Path
from typing import Protocol, runtime_checkable

from benchloom.core.kinds import Kind
from benchloom.core.progress import counted
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.release.descriptions import ReleaseTables, ReleaseView
from benchloom.release.descriptions.tables import read_notes
from benchloom.release.manifest import Manifest, ReleaseFile, file_digest
from benchloom.release.redacting import LOCAL, Spread, redact_documents
from benchloom.release.sections import release_sections


@runtime_checkable
class Document(Protocol):
    """The interface of a module in this folder, which writes one document of a release."""

    PATHS: tuple[str, ...]

    def write(self, release: ReleaseView, folder: Path) -> list[Path]:
        """Write the document below `folder` and return the written files."""


DOCUMENTS = Kind("document", __name__, Document, claims=lambda member: member.PATHS)


def view_release(folder: Path, manifest: Manifest) -> ReleaseView:
    """Return the data from which documents are written.

    The data do not include the time and the machine of the build.
    """
    files = tuple(file for file in manifest.files if file.table is not None)
    tables = ReleaseTables(folder, files)
    return ReleaseView(
        version=manifest.version,
        content_digest=manifest.content_digest,
        tables=tables,
        funnel=manifest.funnel,
        sources=manifest.created_from.sources,
        sections=release_sections(tables),
        redactions=manifest.redactions,
        notes=read_notes(manifest.statistics),
        details=manifest.details,
    )


def write_documents(
    folder: Path,
    manifest: Manifest,
    redactor: CellRedactor | None = None,
    spread: Spread = LOCAL,
) -> tuple[ReleaseFile, ...]:
    """Write every document of the release in `folder`, and return manifest entries of these files.

    With a `redactor`, secret and personal values in the documents are replaced by placeholders.
    """
    release = view_release(folder, manifest)
    written: list[Path] = []
    members = DOCUMENTS.all().values()
    for member in counted(members, "release: describing", len(members), "documents"):
        written += member.write(release, folder)
    if redactor is not None:
        redact_documents(written, redactor, spread)
    return tuple(
        ReleaseFile(
            path=path.relative_to(folder).as_posix(),
            bytes=path.stat().st_size,
            sha256=file_digest(path),
        )
        for path in sorted(written)
    )
