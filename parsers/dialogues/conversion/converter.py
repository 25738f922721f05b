"""Convert dialogues in SGD's file format to plans, folder by folder, one dialogue at a time.

A file is a list of dialogues with turns, frames and acts; a `schema.json` is beside it. The format
is that of github.com/google-research-datasets/dstc8-schema-guided-dialogue (CC BY-SA 4.0).
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.core.records import ApiDefinition, PlanningPath
from benchloom.core.records.planning_path import Droppable, Mode
from benchloom.normalise.plans.assembly import build_path
from benchloom.normalise.plans.gate import check_plan
from benchloom.normalise.plans.renaming import ApiNames, rename_path
from parsers.dialogues.conversion.contents import recorded_calls, user_words
from parsers.dialogues.conversion.readers import FileReading, Folder, Reader, recorded_or_rebuilt
from parsers.dialogues.material import (
    AccompanyingFile,
    DialogueInput,
    PlannedDialogue,
    PlanOptions,
    Refused,
    folder_name,
    folder_of,
    name_of,
    upwards,
)
from parsers.dialogues.provenance.calls import turns_with_calls
from parsers.dialogues.provenance.flow_mode import traced_calls
from parsers.dialogues.provenance.flow_steps import Plan, flow_steps
from parsers.dialogues.provenance.name_mode import PublishedApi, name_steps, published_apis
from parsers.dialogues.sgd.model import Dialogue, RebuiltDialogue
from parsers.dialogues.sgd.schema import Schema, build_schema, variant_names
from parsers.dialogues.sgd.schemas import SCHEMA, Schemas
from parsers.errors import ParseError


class Converter:
    """Converts the dialogue files of one folder to plans.

    The mode `flow` finds references between calls by equal values, the mode `name` by equal names,
    as AppBench does. For the mode `name`, `published` maps definitions to APIs as AppBench names
    them. The mode `flow` leaves out calls whose outcome is in `drop`. Plans store `split` and
    `source`. `read` reads a file into dialogues with calls; by default it reads calls recorded as
    in SGD.
    """

    def __init__(
        self,
        schema: Schema,
        mode: Mode,
        split: str,
        published: Mapping[str, PublishedApi] | None = None,
        drop: Collection[Droppable] = (),
        *,
        source: str = "sgd",
        read: Reader | None = None,
    ) -> None:
        self._schema = schema
        self._mode = mode
        self._split = split
        self._published = published or {}
        self._drop = frozenset(drop)
        self._source = source
        self._read = read or recorded_or_rebuilt(Folder(schema))

    def convert(self, data: bytes, source_uri: str) -> Iterator[PlanningPath | Refused]:
        """Yield a plan or a refusal for each dialogue of a file, in order."""
        for row in self.plans(data, source_uri):
            yield row if isinstance(row, Refused) else row[0]

    def plans(
        self, data: bytes, source_uri: str
    ) -> Iterator[tuple[PlanningPath, Dialogue] | Refused]:
        """Yield a plan with its dialogue, or a refusal, for each dialogue of a file, in order."""
        for dialogue in self._read(data):
            if isinstance(dialogue, Refused):
                yield dialogue
                continue
            try:
                path = self._convert_dialogue(dialogue, source_uri)
            except ParseError as error:
                yield Refused(dialogue.dialogue_id, error.reason, error.message)
                continue
            fault = _violation(path, self._schema)
            yield (path, dialogue) if fault is None else fault

    def _convert_dialogue(self, dialogue: Dialogue, source_uri: str) -> PlanningPath:
        steps, edges, oddities = self._plan(dialogue)
        if isinstance(dialogue, RebuiltDialogue):
            oddities = tuple(sorted({*oddities, *dialogue.oddities}))
        return build_path(
            source=self._source,
            source_id=dialogue.dialogue_id,
            source_uri=source_uri,
            split=self._split,
            reference_mode=self._mode,
            steps=steps,
            edges=edges,
            oddities=oddities,
        )

    def _plan(self, dialogue: Dialogue) -> Plan:
        if self._mode == "name":
            # Name mode compares names, so no argument is traced: a fifth of the time.
            turns = turns_with_calls(dialogue, self._schema)
            calls = [call for _, _, turn_calls in turns for call in turn_calls]
            _refuse_none(calls)
            return name_steps(calls, self._published)
        traced = traced_calls(dialogue, self._schema)
        _refuse_none(traced)
        return flow_steps(traced, self._drop)


class Conversion:
    """The conversion of one input with the options that the user chose."""

    def __init__(
        self,
        source: str,
        reading: FileReading,
        dialogue_input: DialogueInput,
        options: PlanOptions,
    ) -> None:
        self._source = source
        self._reading = reading
        self._input = dialogue_input
        self._options = options
        self._schemas = Schemas(
            dialogue_input.beside, source, reading.completing, shared=reading.shared_schema
        )
        self._beside = {file.source_uri: file for file in dialogue_input.beside}
        self._converters: dict[str, Converter] = {}
        if options.variant is not None:
            for folder in self._folders():
                self._names(folder)

    def convert(self, source_uri: str, data: bytes) -> Iterator[PlannedDialogue | Refused]:
        """Yield one plan or refusal for each dialogue of a file, in order.

        Recorded calls are left out if the plans use other names than the file.

        Raises:
            ParseError: the file contains no dialogues.
        """
        folder = folder_of(source_uri)
        if folder not in self._converters:
            self._converters[folder] = self._converter(folder)
        schema = self._schema(folder)
        is_renamed = self._options.variant is not None and self._has_schema(folder)
        variant = self._names(folder) if is_renamed else None
        for row in self._converters[folder].plans(data, source_uri):
            if isinstance(row, Refused):
                yield row
                continue
            path, dialogue = row
            if variant is None:
                calls = recorded_calls(dialogue, schema, self._options.mode)
                yield PlannedDialogue(path, *user_words(dialogue), calls)
                continue
            variant_schema, names = variant
            renamed = rename_path(path, names)
            fault = _violation(renamed, variant_schema)
            yield PlannedDialogue(renamed, *user_words(dialogue)) if fault is None else fault

    def definitions(self) -> list[ApiDefinition]:
        """Return the sorted definitions of all declared APIs, to whose ids plans refer."""
        folders = self._folders()
        if self._options.variant is not None:
            folders = [self._variant_folder(folder) for folder in folders]
        return self._schemas.definitions(folders)

    def fault_of(self, source_uri: str) -> RejectedInputError | None:
        """Return why a file beside the dialogues cannot be used, or None if it can be used."""
        file = self._beside[source_uri]
        if file.fault is not None:
            return file.fault
        name = name_of(source_uri)
        if name == SCHEMA:
            schema = self._schemas.in_force(folder_of(source_uri))
            return schema if isinstance(schema, RejectedInputError) else None
        try:
            self._reading.beside[name](file.data)
        except RejectedInputError as error:
            return error
        return None

    def _folders(self) -> list[str]:
        return list(filter(self._has_schema, sorted(set(map(folder_of, self._input.dialogues)))))

    def _has_schema(self, folder: str) -> bool:
        return isinstance(self._schemas.in_force(folder), Schema)

    def _converter(self, folder: str) -> Converter:
        schema = self._schema(folder)
        beside = {name: self._nearest(folder, name) for name in self._reading.beside}
        by_name = self._options.mode == "name"
        return Converter(
            schema,
            self._options.mode,
            folder_name(folder) or self._input.top,
            published_apis(schema, self._schemas.test_schema(folder)) if by_name else {},
            self._options.drop,
            source=self._source,
            read=self._reading.reader(Folder(schema, beside)),
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


def _refuse_none(calls: Sequence[object]) -> None:
    if not calls:
        raise ParseError("no_calls", "the dialogue calls no API")


def _violation(path: PlanningPath, schema: Schema) -> Refused | None:
    violations = check_plan(path, schema.shapes)
    if not violations:
        return None
    message = "; ".join(f"{v.reason}: {v.message}" for v in violations[:5])
    return Refused(path.source_id, violations[0].reason, message)
