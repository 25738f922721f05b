"""Definitions of an import: add their source files, and read definitions in other folders."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition
from benchloom.core.records.api_definition import DefinitionSource
from benchloom.exchange.examples.definitions import Definitions
from benchloom.release import read_manifest
from benchloom.storage.inputs import SourceFile, SourceObject
from benchloom.storage.tables import iter_records
from benchloom.storage.workspace import STAGE_FILE
from flows.run.finished import open_stage


def placed(
    definitions: Sequence[ApiDefinition], sources: Sequence[SourceObject]
) -> list[ApiDefinition]:
    """Return definitions with the digest of their source file added, if it is one of `sources`."""
    named = {definition.source_uri for definition in definitions}
    digests = {
        source.source_uri: tagged_digest("file", source.read())
        for source in sources
        if source.source_uri in named
    }
    return [
        msgspec.structs.replace(
            definition,
            source_digest=digests[definition.source_uri],
            sources=(
                DefinitionSource(
                    definition.source_kind, definition.source_uri, digests[definition.source_uri]
                ),
            ),
        )
        if definition.source_uri in digests
        else definition
        for definition in definitions
    ]


def behind(definitions: Definitions, files: Iterable[SourceFile]) -> list[SourceFile]:
    """Return the source files of the definitions that an import took from other folders."""
    used = {definition.source_uri.partition("!")[0] for definition in definitions.used.values()}
    return [file for file in dict.fromkeys(files) if file.source_uri in used]


def definitions_of(folder: Path) -> tuple[list[ApiDefinition], tuple[SourceFile, ...]]:
    """Read the definitions of a stage or a release, and the list of its source files.

    Raises:
        RunError: the folder has no definitions, or is neither a stage nor a release.
    """
    definitions = list(iter_records(folder, "api_definitions", ApiDefinition))
    if not definitions:
        raise RunError(
            f"{folder}: the table api_definitions is missing or empty; pass a folder "
            f"with definitions"
        )
    if (folder / STAGE_FILE).exists():
        return definitions, tuple(open_stage(folder).sources)
    return definitions, read_manifest(folder).created_from.sources
