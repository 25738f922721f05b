"""Which objects of an SGD input are dialogues and which are schemas, and what belongs together."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from benchloom.errors import RejectedInputError, RunError
from benchloom.identity import tagged_digest
from benchloom.inputs import SourceObject
from benchloom.records import ApiDefinition
from parsers.dialogues.sgd.definitions import schema_definitions
from parsers.dialogues.sgd.schema import Schema, read_schema

_SCHEMA = "schema.json"
_BESIDE_THE_DATA = (".txt", ".md", ".py", ".tsv", ".csv")


class SgdInputs(msgspec.Struct, frozen=True):
    """The objects of an input by role.

    `dialogues` are the JSON files and whatever cannot be read; `schemas` are by folder, and
    `others` counts the texts that lie beside the data (licence, readme). `members` are dialogues
    and schemas in the order of their place.
    """

    members: list[SourceObject]
    dialogues: list[SourceObject]
    schemas: dict[str, SourceObject]
    others: int
    top: str

    def split_of(self, source: SourceObject) -> str:
        """The name of the folder a file lies in."""
        return folder_name(folder_of(source.source_uri)) or self.top


def folder_of(source_uri: str) -> str:
    """The folder of a source, with its closing `/` or `!`; empty at the top of the input."""
    cut = max(source_uri.rfind("/"), source_uri.rfind("!"))
    return source_uri[: cut + 1]


def folder_name(folder: str) -> str:
    """The last part of a folder's path."""
    return folder.rstrip("/!").rpartition("/")[2].rpartition("!")[2]


def sort_inputs(objects: Sequence[SourceObject], inputs: Sequence[Path]) -> SgdInputs:
    """Tell dialogues from schemas.

    Raises:
        RunError: there is no dialogue file at all.
    """
    dialogues: list[SourceObject] = []
    schemas: dict[str, SourceObject] = {}
    members: list[SourceObject] = []
    others = 0
    for source in objects:
        name = source.source_uri[len(folder_of(source.source_uri)) :]
        if name == _SCHEMA:
            schemas[folder_of(source.source_uri)] = source
            members.append(source)
        elif name.endswith(_BESIDE_THE_DATA) or name.upper().startswith(("LICENSE", "README")):
            others += 1
        else:
            dialogues.append(source)
            members.append(source)
    if not dialogues:
        raise RunError(f"no file of dialogues under {', '.join(map(str, inputs))}")
    first = inputs[0].resolve()
    top = first.name if first.is_dir() else first.parent.name
    return SgdInputs(members, dialogues, schemas, others, top)


def with_schemas(inputs: Sequence[Path]) -> list[Path]:
    """The inputs, and the schema beside each dialogue file that is named alone."""
    found = list(inputs)
    for path in inputs:
        beside = path.parent / _SCHEMA
        if path.suffix == ".json" and beside.is_file() and beside not in found:
            found.append(beside)
    return found


class Schemas:
    """Schemas of an input, each read once when first needed; damaged ones are remembered."""

    def __init__(self, inputs: SgdInputs) -> None:
        self._sources = inputs.schemas
        self._read: dict[str, Schema | RejectedInputError] = {}

    def of_folder(self, folder: str) -> Schema | RejectedInputError:
        """The schema of a folder, or why there is none."""
        if folder not in self._read:
            self._read[folder] = self._load(folder)
        return self._read[folder]

    def test_schema(self, folder: str) -> Schema | None:
        """The schema of the `test` folder beside a folder, whose names AppBench uses."""
        beside = folder_of(folder.rstrip("/!"))
        found = self.of_folder(f"{beside}test/") if folder else None
        return found if isinstance(found, Schema) else None

    def definitions(self, folders: Iterable[str]) -> Iterator[ApiDefinition]:
        """The API definitions of the schemas of some folders."""
        for folder in folders:
            schema = self.of_folder(folder)
            if isinstance(schema, Schema):
                source = self._sources[folder]
                digest = tagged_digest("file", source.read())
                yield from schema_definitions(schema.services, source.source_uri, digest)

    def _load(self, folder: str) -> Schema | RejectedInputError:
        source = self._sources.get(folder)
        if source is None:
            return RejectedInputError("missing_schema", "no schema.json beside the dialogues")
        try:
            return read_schema(source.read())
        except RejectedInputError as error:
            return error
