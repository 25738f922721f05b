"""The stage `import` turns a foreign dataset into plans, requests and definitions.

It judges every example with the checks for plans. It writes `api_definitions`, `planning_paths`,
`queries`, `dialogues` with recorded utterances and results, `rejected`, and a page of findings.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import msgspec

from benchloom.core.errors import NothingReadError, RejectedInputError, RunError
from benchloom.core.identity import tagged_digest
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.core.records.api_definition import DefinitionSource
from benchloom.exchange.examples.definitions import Definitions
from benchloom.exchange.examples.findings import Repeats, findings_of
from benchloom.exchange.examples.imports import ImportedRows, Report
from benchloom.exchange.foreign.records import rejected_file
from benchloom.exchange.formats import FORMATS, Reading
from benchloom.exchange.looks import looks_like
from benchloom.normalise.plans.gate import shape_of
from benchloom.normalise.shortcuts.splits import NO_DEFINITIONS
from benchloom.release import read_manifest
from benchloom.release.descriptions.import_page import write_import_page
from benchloom.storage.inputs import (
    SourceFile,
    SourceObject,
    list_objects,
    refuse_changes,
    source_files,
)
from benchloom.storage.stages import check_read
from benchloom.storage.tables import iter_records
from benchloom.storage.workspace import IMPORT, STAGE_FILE
from flows.run.finished import open_stage
from flows.run.output import Result
from flows.run.runner import WholeStage

TABLES = ("api_definitions", "dialogues", "planning_paths", "queries", "rejected")
HEAD = 64 * 1024
"""Number of bytes at the beginning of a file by which formats recognise it."""
MAX_LOOKS = 300
"""Maximum number of files whose real format is guessed for an error message."""


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of an import.

    `keep_invalid` keeps examples with findings. `definitions` are folders with further API
    definitions.
    """

    keep_invalid: bool = False
    definitions: tuple[Path, ...] = ()


class SetImport:
    """The import of a dataset, which consists of a stage and, after the stage was run, a report.

    Attributes:
        stage: the stage that reads the files.
        report: the findings.
        states: contains `no_definitions` if the dataset defines no API, so no call was checked.
        others: the number of input files in another format.

    Raises:
        RunError: the format is unknown.
    """

    report: Report
    states: tuple[str, ...]
    others: int

    def __init__(self, format_name: str, inputs: Sequence[Path], options: ImportOptions) -> None:
        self._format_name = format_name
        self._member = reader_of(format_name)
        self._inputs = inputs
        self._options = options
        self.stage = WholeStage(name=IMPORT + format_name, tables=TABLES, write=self._write)

    def _write(self, result: Result) -> None:
        """Write the rows of the dataset, and the page of findings.

        Raises:
            RunError: an input is missing, or no file has the format.
        """
        inputs, member, keep_invalid = self._inputs, self._member, self._options.keep_invalid
        further = [_definitions_in(folder) for folder in self._options.definitions]
        with ExitStack() as stack:
            sources = source_files(inputs)
            objects = list_objects(inputs, stack)
            matching, damaged = _choose(self._format_name, member, objects)
            rows = ImportedRows(keep_invalid=keep_invalid, rights=member.rights)
            rows.damaged += damaged
            outside_definitions = Definitions(
                chain.from_iterable(definitions for definitions, _ in further), member.names_of
            )
            own_definitions = _read(member, matching, rows, outside_definitions)
            defined = bool(own_definitions)
            result.add_all("api_definitions", _with_digests(own_definitions, matching))
            result.add_all("dialogues", rows.dialogues)
            result.add_all("planning_paths", rows.paths(undefined=not defined))
            result.add_all("queries", rows.queries.values())
            rejected = list(rows.rejected())
            for row in rejected:
                result.reject(row)
            report = rows.report()
            result.objects = report.kept + len(rejected)
            result.decides = [
                str(keep_invalid),
                *(file.digest for file in sources),
                *(row.definition_id for definitions, _ in further for row in definitions),
            ]
            further_files = chain.from_iterable(files for _, files in further)
            result.sources = [*sources, *_files_of(outside_definitions, further_files)]
            check_read(self.stage.name, report.examples + len(rows.damaged), result.objects)
            refuse_changes(inputs, sources)
            result.close()
        self.report = report
        self.others = len(objects) - len(matching) - len(damaged)
        self.states = () if defined or not report.examples else (NO_DEFINITIONS,)
        write_import_page(
            result.folder,
            f"Import of {member.title}",
            report,
            result.rows(),
            rows.damaged,
            undefined=bool(self.states),
        )


def reader_of(format_name: str) -> Reading:
    """Return the format with this name; raise if the format cannot be imported.

    Raises:
        RunError: no readable format has this name.
    """
    member = FORMATS.find(format_name)
    if not isinstance(member, Reading):
        readable_formats = ", ".join(FORMATS.only(Reading))
        raise RunError(
            f"'{format_name}' can be written, but not imported; formats to import: "
            f"{readable_formats}"
        )
    return member


def _choose(
    format_name: str, member: Reading, objects: Sequence[SourceObject]
) -> tuple[list[SourceObject], list[Rejected]]:
    """Return the files that the format recognises, and rejected rows of unreadable files."""
    sources: list[SourceObject] = []
    damaged: list[Rejected] = []
    other_files: list[SourceObject] = []
    for source in objects:
        try:
            head = source.read()[:HEAD]
        except RejectedInputError as error:
            damaged.append(rejected_file(source.source_uri, error))
            continue
        (sources if member.recognises(source.source_uri, head) else other_files).append(source)
    if not sources and not other_files:
        raise NothingReadError(f"{damaged[0].source_uri}: {damaged[0].message}")
    if not sources and not any(source.size for source in other_files):
        raise NothingReadError(
            f"{other_files[0].source_uri}: the file is empty; pass a file with examples"
        )
    if not sources:
        raise NothingReadError(_format_fault(format_name, other_files))
    return sources, damaged


def _format_fault(format_name: str, other_files: Sequence[SourceObject]) -> str:
    """Return a message that names the files of another format and guesses which format it is."""
    looks: Counter[str] = Counter()
    for source in other_files[:MAX_LOOKS]:
        looks[looks_like(source.source_uri, source.read()[:HEAD])] += 1
    remedy = "pass the right format or another file"
    if len(other_files) == 1:
        name, look = other_files[0].source_uri, next(iter(looks))
        return f"{name} is not {format_name}: it looks like {look}; {remedy}"
    guesses = ", ".join(f"{word} ({count})" for word, count in looks.most_common(3))
    return f"none of {len(other_files)} files is {format_name}; they look like {guesses}; {remedy}"


def _read(
    member: Reading,
    sources: Sequence[SourceObject],
    rows: ImportedRows,
    outside_definitions: Definitions,
) -> list[ApiDefinition]:
    """Judge every example, and return all definitions of APIs.

    Definitions from other folders are included if an example calls their APIs. The format yields
    the definitions of a file before the examples that name them.
    """
    definitions_by_id: dict[str, ApiDefinition] = {}
    repeats = Repeats()
    shapes = {}
    for row in member.read(sources):
        if isinstance(row, Rejected):
            rows.damaged.append(row)
        elif isinstance(row, ApiDefinition):
            definitions_by_id.setdefault(row.definition_id, row)
            shapes[row.definition_id] = shape_of(row)
        else:
            example = outside_definitions.join(row)
            for definition in example.definitions:
                if definition.definition_id not in definitions_by_id:
                    definitions_by_id[definition.definition_id] = definition
                    shapes[definition.definition_id] = shape_of(definition)
            findings = findings_of(example, shapes, known_apis=bool(definitions_by_id))
            rows.add(example, (*findings, *repeats.of(example)))
    return list(definitions_by_id.values())


def _with_digests(
    definitions: Sequence[ApiDefinition], sources: Sequence[SourceObject]
) -> list[ApiDefinition]:
    """Return definitions with the digest of their source file added, if it is one of `sources`."""
    definition_uris = {definition.source_uri for definition in definitions}
    digests = {
        source.source_uri: tagged_digest("file", source.read())
        for source in sources
        if source.source_uri in definition_uris
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


def _files_of(definitions: Definitions, files: Iterable[SourceFile]) -> list[SourceFile]:
    """Return the source files of the definitions that an import took from other folders."""
    uris = {definition.source_uri.partition("!")[0] for definition in definitions.used.values()}
    return [file for file in dict.fromkeys(files) if file.source_uri in uris]


def _definitions_in(folder: Path) -> tuple[list[ApiDefinition], tuple[SourceFile, ...]]:
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
