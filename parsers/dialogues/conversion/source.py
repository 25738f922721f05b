"""A dataset in SGD's file format: lists of dialogues in a folder per split, and `schema.json`."""

from collections.abc import Callable, Iterator, Mapping

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.core.records.planning_path import Mode
from benchloom.normalise.plans.gate import check_plan
from benchloom.normalise.plans.renaming import ApiNames, rename_path
from parsers.dialogues.conversion.contents import recorded_calls, user_words
from parsers.dialogues.conversion.converter import Converter
from parsers.dialogues.conversion.readers import Folder, FolderReader, recorded_or_rebuilt
from parsers.dialogues.material import (
    AccompanyingFile,
    DialogueInput,
    PlannedDialogue,
    PlanOptions,
    Refused,
)
from parsers.dialogues.protocol import Role
from parsers.dialogues.sgd.schema import Schema, build_schema, read_schema, variant_names
from parsers.dialogues.sgd.schemas import SCHEMA, Schemas
from parsers.dialogues.sgd.services import Completing, as_declared
from parsers.dialogues.source_folders import folder_name, folder_of, name_of, upwards
from parsers.dialogues.tracing.name_mode import published_apis

_NOBODY_READS = (".txt", ".md", ".py", ".tsv", ".csv")


class SgdFormatSource(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset whose files are in SGD's format.

    See `DialogueSource` for the first seven fields. `beside` maps the names of the files that
    dialogues need to their readers, which raise ParseError on a damaged file. If
    `shared_schema`, a schema also applies to the folders below its own. `completing` adds to
    the services any data that their file lacks; `reader` reads a file into dialogues with calls.
    """

    name: str
    title: str
    address: str
    licence: str
    redistributable: bool
    modes: tuple[Mode, ...]
    has_variants: bool = False
    beside: Mapping[str, Callable[[bytes], object]] = msgspec.field(
        default_factory=lambda: {SCHEMA: read_schema}
    )
    shared_schema: bool = False
    completing: Completing = as_declared
    reader: FolderReader = recorded_or_rebuilt

    def role_of(self, name: str) -> Role:
        """Return the role of a file; JSON and unknown file types count as dialogues."""
        if name in self.beside:
            return "beside"
        if name.endswith(_NOBODY_READS) or name.upper().startswith(("LICENSE", "README")):
            return "other"
        return "dialogues"

    def open(self, dialogue_input: DialogueInput, options: PlanOptions) -> "_SgdConversion":
        """Return the conversion of an input; raise if a mode or variant is not there."""
        if options.mode not in self.modes:
            mode_names = ", ".join(self.modes)
            raise RunError(f"{self.name} has no mode '{options.mode}'; known: {mode_names}")
        if options.variant is not None and not self.has_variants:
            raise RunError(f"the schemas of {self.name} have no variants")
        return _SgdConversion(self, dialogue_input, options)


class _SgdConversion:
    def __init__(
        self, source: SgdFormatSource, dialogue_input: DialogueInput, options: PlanOptions
    ) -> None:
        self._source = source
        self._input = dialogue_input
        self._options = options
        self._schemas = Schemas(
            dialogue_input.beside, source.name, source.completing, shared=source.shared_schema
        )
        self._beside = {file.source_uri: file for file in dialogue_input.beside}
        self._converters: dict[str, Converter] = {}
        if options.variant is not None:
            for folder in self._folders():
                self._names(folder)

    def convert(self, source_uri: str, data: bytes) -> Iterator[PlannedDialogue | Refused]:
        folder = folder_of(source_uri)
        if folder not in self._converters:
            self._converters[folder] = self._converter(folder)
        schema = self._schema(folder)
        variant = None
        if self._options.variant is not None and self._has_schema(folder):
            variant = self._names(folder)
        for row in self._converters[folder].plans(data, source_uri):
            if isinstance(row, Refused):
                yield row
                continue
            path, dialogue = row
            if variant is None:
                yield PlannedDialogue(path, *user_words(dialogue), recorded_calls(dialogue, schema))
            else:
                renamed = _renamed(path, *variant)
                if isinstance(renamed, PlanningPath):
                    yield PlannedDialogue(renamed, *user_words(dialogue))
                else:
                    yield renamed

    def definitions(self) -> list[ApiDefinition]:
        folders = self._folders()
        if self._options.variant is not None:
            folders = [self._variant_folder(folder) for folder in folders]
        return self._schemas.definitions(folders)

    def fault_of(self, source_uri: str) -> RejectedInputError | None:
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
        return list(filter(self._has_schema, sorted(set(map(folder_of, self._input.dialogues)))))

    def _has_schema(self, folder: str) -> bool:
        return isinstance(self._schemas.in_force(folder), Schema)

    def _converter(self, folder: str) -> Converter:
        schema = self._schema(folder)
        beside = {name: self._nearest(folder, name) for name in self._source.beside}
        mode = self._options.mode
        by_name = mode == "name"
        return Converter(
            schema,
            mode,
            folder_name(folder) or self._input.top,
            published_apis(schema, self._schemas.test_schema(folder)) if by_name else {},
            self._options.drop,
            source=self._source.name,
            read=self._source.reader(Folder(schema, mode, beside)),
        )

    def _nearest(self, folder: str, name: str) -> AccompanyingFile | None:
        uris = (f"{ancestor}{name}" for ancestor in upwards(folder))
        return next((self._beside[uri] for uri in uris if uri in self._beside), None)

    def _schema(self, folder: str) -> Schema:
        schema = self._schemas.in_force(folder)
        # Without a schema every dialogue is refused because its first service is unknown.
        return schema if isinstance(schema, Schema) else build_schema(())

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


def _renamed(
    path: PlanningPath, variant: Schema, names: dict[str, ApiNames]
) -> PlanningPath | Refused:
    renamed = rename_path(path, names)
    violations = check_plan(renamed, variant.shapes)
    if violations:
        return Refused(renamed.source_id, violations[0].reason, violations[0].message)
    return renamed
