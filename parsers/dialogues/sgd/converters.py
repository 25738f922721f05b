"""The converter of each folder of an SGD input: its schema, its split, its names."""

from collections.abc import Iterator, Mapping, Sequence

from benchloom.errors import RejectedInputError, RunError
from benchloom.formats.api_description import ApiDescription
from benchloom.inputs import SourceObject
from benchloom.plans.gate import check_plan
from benchloom.plans.renaming import ApiNames, rename_path
from benchloom.records import ApiDefinition, PlanningPath
from benchloom.records.planning_path import Mode
from parsers.dialogues.sgd.catalogue import merged_definitions
from parsers.dialogues.sgd.convert import Converter, Droppable, Refused
from parsers.dialogues.sgd.description import describe_apis
from parsers.dialogues.sgd.inputs import Schemas, SgdInputs, folder_name, folder_of
from parsers.dialogues.sgd.schema import Schema, build_schema
from parsers.dialogues.sgd.variants import variant_names
from parsers.dialogues.tracing.name_mode import PublishedApi, published_apis


class Converters:
    """Converters by folder, each made when its folder's first file is read."""

    def __init__(
        self, inputs: SgdInputs, mode: Mode, drop: Sequence[Droppable], variant: str | None
    ) -> None:
        self._inputs = inputs
        self._schemas = Schemas(inputs)
        self._mode = mode
        self._drop = drop
        self._variant = variant
        self._made: dict[str, Converter] = {}
        self._descriptions: dict[str, dict[str, ApiDescription]] = {}

    def check(self) -> None:
        """Refuse a variant that the input does not hold for every split with dialogues.

        Raises:
            RunError: the message names the split.
        """
        if self._variant is not None:
            for folder in self._folders():
                self._names(folder)

    def _folders(self) -> list[str]:
        """The folders of dialogues that have a schema."""
        folders = sorted({folder_of(one.source_uri) for one in self._inputs.dialogues})
        return [one for one in folders if isinstance(self._schemas.of_folder(one), Schema)]

    def convert(self, source: SourceObject, data: bytes) -> Iterator[PlanningPath | Refused]:
        """One plan or refusal for each dialogue of a file, in order, under the chosen names.

        Raises:
            ParseError: the file holds no list of dialogues at all.
        """
        folder = folder_of(source.source_uri)
        if folder not in self._made:
            self._made[folder] = Converter(
                self._schema(folder),
                self._mode,
                self._inputs.split_of(source),
                self._published(folder),
                self._drop,
            )
        rows = self._made[folder].convert(data, source.source_uri)
        if self._variant is None or not isinstance(self._schemas.of_folder(folder), Schema):
            return rows
        return self._renamed(rows, folder)

    def _renamed(
        self, rows: Iterator[PlanningPath | Refused], folder: str
    ) -> Iterator[PlanningPath | Refused]:
        """Plans under the variant's names, checked against the variant's schema."""
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

    def descriptions(self, source_uri: str) -> Mapping[str, ApiDescription]:
        """The APIs of a file's split under the names its plans use."""
        folder = folder_of(source_uri)
        if folder not in self._descriptions:
            schema = self._schema(folder) if self._variant is None else self._names(folder)[0]
            self._descriptions[folder] = describe_apis(schema, self._published(folder))
        return self._descriptions[folder]

    def definitions(self) -> list[ApiDefinition]:
        """The definitions of every split with dialogues, under the names its plans use."""
        folders = self._folders()
        if self._variant is not None:
            folders = [self._variant_folder(folder) for folder in folders]
        return merged_definitions(self._schemas.definitions(folders))

    def schema_fault(self, source: SourceObject) -> RejectedInputError | None:
        """Why a schema cannot be read; None for a good one."""
        found = self._schemas.of_folder(folder_of(source.source_uri))
        return found if isinstance(found, RejectedInputError) else None

    def is_schema(self, source: SourceObject) -> bool:
        """Whether a file is the schema of its folder."""
        known = self._inputs.schemas.get(folder_of(source.source_uri))
        return known is not None and known.source_uri == source.source_uri

    def _schema(self, folder: str) -> Schema:
        found = self._schemas.of_folder(folder)
        # Without a schema every dialogue is refused for its first service, and named.
        return found if isinstance(found, Schema) else build_schema(())

    def _published(self, folder: str) -> dict[str, PublishedApi]:
        if self._mode == "flow":
            return {}
        return published_apis(self._schema(folder), self._schemas.test_schema(folder))

    def _names(self, folder: str) -> tuple[Schema, dict[str, ApiNames]]:
        found = self._schemas.of_folder(self._variant_folder(folder))
        if not isinstance(found, Schema):
            raise RunError(f"the schema of variant '{self._variant}' cannot be read: {found}")
        return found, variant_names(self._schema(folder), found)

    def _variant_folder(self, folder: str) -> str:
        """The folder of the variant's schema for a split, in the same archive or tree if it can."""
        ending = f"/{self._variant}/{folder_name(folder)}/"
        found = [other for other in self._inputs.schemas if f"/{other}".endswith(ending)]
        if not found:
            raise RunError(f"no schema of variant '{self._variant}' for {folder or 'the input'}")
        parent = folder_of(folder.rstrip("/!"))
        return min(found, key=lambda other: (not other.startswith(parent), other))
