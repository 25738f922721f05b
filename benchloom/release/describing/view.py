"""A release as its documents see it: everything but facts of time and machine."""

from pathlib import Path

import msgspec

from benchloom.inputs import SourceFile
from benchloom.normalise.redaction.cells import CellRedactor
from benchloom.normalise.redaction.spreading import HERE, Spread
from benchloom.release.describing.figures import Section
from benchloom.release.describing.notes import Note
from benchloom.release.describing.tables import ReleaseTables
from benchloom.workspace import FunnelStep


class ReleaseView(msgspec.Struct, frozen=True, kw_only=True):
    """What a document is written from.

    Nothing in it depends on the day or the machine, so the same tables give the same documents.
    `sections` are counted from the tables once, for all documents; `notes` are what the stages
    counted themselves; `redactions` are placeholders by table and kind. `spread` is who may write
    pages besides this process. A document that searches pages with the `redactor` while it writes
    them adds them to `searched`.
    """

    version: str
    content_digest: str
    tables: ReleaseTables
    funnel: tuple[FunnelStep, ...]
    sources: tuple[SourceFile, ...]
    sections: tuple[Section, ...]
    redactions: dict[str, dict[str, int]] = {}
    spread: Spread = HERE
    notes: tuple[Note, ...] = ()
    redactor: CellRedactor | None = None
    searched: set[Path] = msgspec.field(default_factory=set)
