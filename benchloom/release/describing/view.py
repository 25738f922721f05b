"""The data of a release for its documents: everything but facts of time and machine."""

import msgspec

from benchloom.release.describing.figures import Section
from benchloom.release.describing.notes import Note
from benchloom.release.describing.tables import ReleaseTables
from benchloom.storage.inputs import SourceFile
from benchloom.storage.workspace import FunnelStep


class ReleaseView(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a release from which its documents are written.

    Nothing depends on the day or the machine. `notes` are tables that stages counted, `redactions`
    placeholders by table and kind.
    """

    version: str
    content_digest: str
    tables: ReleaseTables
    funnel: tuple[FunnelStep, ...]
    sources: tuple[SourceFile, ...]
    sections: tuple[Section, ...]
    redactions: dict[str, dict[str, int]] = {}
    notes: tuple[Note, ...] = ()
