"""Find the schema that applies to each folder of an input; each schema is read only once."""

from collections.abc import Iterable, Iterator

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition, DefinitionSource
from parsers.dialogues.material import AccompanyingFile, folder_of, name_of, upwards
from parsers.dialogues.sgd.schema import Schema, read_schema
from parsers.dialogues.sgd.services import Completing, definition_of

SCHEMA = "schema.json"


class Schemas:
    """The schemas of the folders of an input.

    A schema, or the error of a damaged schema, is cached when it is first needed. `kind` is the
    `source_kind` of the definitions. If `shared`, a folder without a schema uses the schema of its
    parent folder.
    """

    def __init__(
        self, beside: Iterable[AccompanyingFile], kind: str, completing: Completing, *, shared: bool
    ) -> None:
        self._files = {
            folder_of(file.source_uri): file
            for file in beside
            if name_of(file.source_uri) == SCHEMA
        }
        self._kind = kind
        self._completing = completing
        self._shared = shared
        self._read: dict[str, Schema | RejectedInputError] = {}

    def folders(self) -> Iterable[str]:
        """Return the folders that contain a schema."""
        return self._files

    def in_force(self, folder: str) -> Schema | RejectedInputError:
        """Return the schema for a folder's dialogues, or the error if there is no usable schema."""
        schema_folder = self._folder(folder)
        if schema_folder not in self._read:
            self._read[schema_folder] = self._load(schema_folder)
        return self._read[schema_folder]

    def test_schema(self, folder: str) -> Schema | None:
        """Return the schema of the folder `test` beside a folder; AppBench uses its names."""
        beside = folder_of(folder.rstrip("/!"))
        schema = self.in_force(f"{beside}test/") if folder else None
        return schema if isinstance(schema, Schema) else None

    def definitions(self, folders: Iterable[str]) -> list[ApiDefinition]:
        """Return the API definitions of the schemas that apply to the folders, sorted by name.

        Equal definitions in several splits are merged and keep all their sources.
        """
        merged: dict[tuple[str, str], ApiDefinition] = {}
        for definition in self._definitions(folders):
            key = (definition.api, definition.definition_id)
            if key in merged:
                sources = (*merged[key].sources, *definition.sources)
                merged[key] = msgspec.structs.replace(merged[key], sources=sources)
            else:
                merged[key] = definition
        return [merged[key] for key in sorted(merged)]

    def _definitions(self, folders: Iterable[str]) -> Iterator[ApiDefinition]:
        for schema_folder in dict.fromkeys(map(self._folder, folders)):
            schema = self.in_force(schema_folder)
            if isinstance(schema, Schema):
                file = self._files[schema_folder]
                digest = tagged_digest("file", file.data)
                source = DefinitionSource(self._kind, file.source_uri, digest)
                for service in schema.services:
                    for intent in service.intents:
                        yield definition_of(service, intent, source)

    def _folder(self, folder: str) -> str:
        if self._shared:
            return next(
                (ancestor for ancestor in upwards(folder) if ancestor in self._files), folder
            )
        return folder

    def _load(self, folder: str) -> Schema | RejectedInputError:
        file = self._files.get(folder)
        if file is None:
            return RejectedInputError("missing_schema", f"no {SCHEMA} beside the dialogues")
        if file.fault is not None:
            return file.fault
        try:
            return read_schema(file.data, self._kind, self._completing)
        except RejectedInputError as error:
            return error
