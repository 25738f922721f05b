"""Definitions of an import: where they stood, and those that come from other folders."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchloom.errors import RunError
from benchloom.examples.joining import Definitions
from benchloom.identity import tagged_digest
from benchloom.inputs import SourceFile, SourceObject
from benchloom.records import ApiDefinition
from benchloom.records.api_definition import DefinitionSource
from benchloom.release import read_manifest
from benchloom.tables import iter_records
from benchloom.workspace import sound_mark


def placed(
    definitions: Sequence[ApiDefinition], sources: Sequence[SourceObject]
) -> list[ApiDefinition]:
    """The definitions with the digests of the files they stood in; given ones stay as they are."""
    named = {one.source_uri for one in definitions}
    digests = {
        one.source_uri: tagged_digest("file", one.read())
        for one in sources
        if one.source_uri in named
    }
    return [
        msgspec.structs.replace(
            one,
            source_digest=digests[one.source_uri],
            sources=(DefinitionSource(one.source_kind, one.source_uri, digests[one.source_uri]),),
        )
        if one.source_uri in digests
        else one
        for one in definitions
    ]


def behind(given: Definitions, files: Iterable[SourceFile]) -> list[SourceFile]:
    """The files that the definitions from elsewhere stood in, of those that were used."""
    used = {one.source_uri.partition("!")[0] for one in given.used.values()}
    return [one for one in dict.fromkeys(files) if one.source_uri in used]


def definitions_of(folder: Path) -> tuple[list[ApiDefinition], tuple[SourceFile, ...]]:
    """The definitions of a stage or a release, and the files it was made from.

    Raises:
        RunError: there are none, or it is neither.
    """
    found = list(iter_records(folder, "api_definitions", ApiDefinition))
    if not found:
        raise RunError(f"{folder}: no table api_definitions, or an empty one")
    mark = sound_mark(folder)
    return found, mark.sources if mark is not None else read_manifest(folder).created_from.sources
