"""An input in SGD's file format: each folder's schema, split, names and converter."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.normalise.plans.gate import check_plan
from benchloom.normalise.plans.renaming import ApiNames, rename_path
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.conversion.found import found_in
from parsers.dialogues.conversion.telling import Folder
from parsers.dialogues.material import Beside, DialogueInput, Found, PlanOptions, Refused, Said
from parsers.dialogues.places import folder_name, folder_of, name_of, upwards
from parsers.dialogues.sgd.catalogue import merged_definitions
from parsers.dialogues.sgd.families import records_calls
from parsers.dialogues.sgd.schema import Schema, build_schema
from parsers.dialogues.sgd.schemas import SCHEMA, Schemas
from parsers.dialogues.sgd.variants import variant_names
from parsers.dialogues.tracing.name_mode import PublishedApi, published_apis

if TYPE_CHECKING:
    from parsers.dialogues.conversion.source import SgdFormatSource


class SgdConversion:
    """The conversion of one input: a converter per folder, created when its first file is read."""

    def __init__(
        self, source: "SgdFormatSource", dialogue_input: DialogueInput, options: PlanOptions
    ) -> None:
        self._source = source
        self._given = dialogue_input
        self._options = options
        self._schemas = Schemas(
            dialogue_input.beside, source.name, source.completing, shared=source.shared_schema
        )
        self._beside = {file.source_uri: file for file in dialogue_input.beside}
        self._converters: dict[str, Converter] = {}
        if options.variant is not None:
            for folder in self._folders():
                self._names(folder)

    def convert(self, source_uri: str, data: bytes) -> Iterator[PlanningPath | Refused]:
        """Yield a plan or refusal for each dialogue in order, with the names of the variant."""
        folder = folder_of(source_uri)
        if folder not in self._converters:
            self._converters[folder] = self._converter(folder)
        rows = self._converters[folder].convert(data, source_uri)
        has_schema = isinstance(self._schemas.in_force(folder), Schema)
        return (
            self._renamed(rows, folder)
            if self._options.variant is not None and has_schema
            else rows
        )

    def said(self, data: bytes) -> Iterator[Said]:
        """Yield the user's words in each dialogue of a file, in the order of `convert`."""
        return self._source.words(data, self._options.mode)

    def found(self, source_uri: str, data: bytes) -> Iterator[Found]:
        """Yield the service results of each dialogue of a file, in the order of `convert`."""
        if self._options.variant is not None or not records_calls(data):
            return iter(())
        return found_in(data, self._schema(folder_of(source_uri)), self._options.mode)

    def definitions(self) -> list[ApiDefinition]:
        """Return the definitions of every split with dialogues.

        The names are the names that the plans use.
        """
        folders = self._folders()
        if self._options.variant is not None:
            folders = [self._variant_folder(folder) for folder in folders]
        return merged_definitions(self._schemas.definitions(folders))

    def fault_of(self, source_uri: str) -> RejectedInputError | None:
        """Return why a schema or another file beside the dialogues is unusable, or None."""
        file = self._beside[source_uri]
        if file.fault is not None:
            return file.fault
        name = name_of(source_uri)
        if name == SCHEMA:
            schema = self._schemas.in_force(folder_of(source_uri))
            return schema if isinstance(schema, RejectedInputError) else None
        try:
            self._source.beside[name](file.data)
        except RejectedInputError as error:
            return error
        return None

    def _folders(self) -> list[str]:
        folders = sorted({folder_of(source_uri) for source_uri in self._given.dialogues})
        return [folder for folder in folders if isinstance(self._schemas.in_force(folder), Schema)]

    def _converter(self, folder: str) -> Converter:
        schema = self._schema(folder)
        beside = {name: self._nearest(folder, name) for name in self._source.beside}
        mode = self._options.mode
        return Converter(
            schema,
            mode,
            folder_name(folder) or self._given.top,
            self._published(folder),
            self._options.drop,
            source=self._source.name,
            tell=self._source.telling(Folder(schema, mode, beside)),
        )

    def _nearest(self, folder: str, name: str) -> Beside | None:
        places = (f"{ancestor}{name}" for ancestor in upwards(folder))
        return next((self._beside[uri] for uri in places if uri in self._beside), None)

    def _schema(self, folder: str) -> Schema:
        schema = self._schemas.in_force(folder)
        # Without a schema every dialogue is refused for its first service, and named.
        return schema if isinstance(schema, Schema) else build_schema(())

    def _published(self, folder: str) -> dict[str, PublishedApi]:
        if self._options.mode == "flow":
            return {}
        return published_apis(self._schema(folder), self._schemas.test_schema(folder))

    def _renamed(
        self, rows: Iterator[PlanningPath | Refused], folder: str
    ) -> Iterator[PlanningPath | Refused]:
        variant, names = self._names(folder)
        for row in rows:
            if isinstance(row, Refused):
                yield row
                continue
            path = rename_path(row, names)
            violations = check_plan(path, variant.shapes)
            if violations:
                yield Refused(path.source_id, violations[0].reason, violations[0].message)
            else:
                yield path

    def _names(self, folder: str) -> tuple[Schema, dict[str, ApiNames]]:
        variant = self._options.variant
        variant_schema = self._schemas.in_force(self._variant_folder(folder))
        if not isinstance(variant_schema, Schema):
            raise RunError(f"the schema of variant '{variant}' cannot be read: {variant_schema}")
        return variant_schema, variant_names(self._schema(folder), variant_schema)

    def _variant_folder(self, folder: str) -> str:
        variant = self._options.variant
        ending = f"/{variant}/{folder_name(folder)}/"
        variant_folders = [
            other for other in self._schemas.folders() if f"/{other}".endswith(ending)
        ]
        if not variant_folders:
            raise RunError(f"no schema of variant '{variant}' for {folder or 'the input'}")
        parent = folder_of(folder.rstrip("/!"))
        # A folder in the same archive or tree is preferred.
        return min(variant_folders, key=lambda other: (not other.startswith(parent), other))
