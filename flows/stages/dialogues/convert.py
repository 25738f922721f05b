"""The stage `convert` turns the dialogues of one source into plans.

It writes `planning_paths` and `rejected`. The users' words are in `dialogues`, one row for each
plan, and the results of services in `service_results`, one row for each call. The services that are
called become `api_definitions`, so that plans can be joined with them.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.core.records import ApiDefinition, Rejected
from benchloom.exchange.examples.plans import example_of
from benchloom.exchange.formats import LineFormat
from benchloom.normalise.plans.statistics import facts_of
from benchloom.storage.inputs import exclude_folders, pack_names, source_files
from benchloom.storage.workspace import CONVERSION
from flows.run.output import Output
from flows.run.reads import ListedObject, Range, ranges_of
from flows.run.stage import Stage
from flows.stages.dialogues.finish import finish_conversion, merge_lines
from flows.stages.dialogues.inputs import open_input, with_accompanying_files
from flows.stages.dialogues.notes import Note, SourceNote, lines_of, write_note
from flows.stages.dialogues.options import PARQUET, ConversionOptions
from parsers.dialogues.conversion.converter import Conversion
from parsers.dialogues.conversion.rows import Converted, DialogueRows, unread
from parsers.dialogues.material import folder_of
from parsers.dialogues.sources import DIALOGUE_SOURCES

PART_BYTES = 512 * 1024
WHOLE_PART_BYTES = 4 * 1024 * 1024
"""Bytes of dialogue files per shard in a folder set by `--out`, whose shards no later run reuses.
"""
TABLES = ("planning_paths", "dialogues", "service_results", "rejected")


class Plan(NamedTuple):
    """The values that all shards of a conversion share.

    Attributes:
        source: the name of the source of dialogues.
        inputs: the files of dialogues and their accompanying files.
        names: the compressed names of all these files.
        options: the options of the conversion.
    """

    source: str
    inputs: Sequence[Path]
    names: bytes
    options: ConversionOptions


def prepare(
    source: str,
    inputs: Sequence[Path],
    workspace: Path | None = None,
    options: ConversionOptions | None = None,
    *,
    part_bytes: int | None = None,
) -> Stage[Plan, Range]:
    """Build the stage that converts the dialogues in the inputs.

    The inputs must be outside the workspace.

    Raises:
        RunError: the source is unknown, an input is missing or contains no dialogues, or options
            contradict each other.
    """
    chosen = options or ConversionOptions()
    chosen.check()
    member = DIALOGUE_SOURCES.find(source)
    paths = with_accompanying_files(member, inputs)
    with ExitStack() as stack, exclude_folders(*((workspace,) if workspace else ())):
        sources = source_files(paths)
        opened_input = open_input(member, paths, stack)
        member.open(opened_input.description, chosen)
    objects = [ListedObject(file.source_uri, file.size) for file in opened_input.members]
    folders = sorted(
        {folder_of(dialogue_uri) for dialogue_uri in opened_input.description.dialogues}
    )
    names = pack_names(file.source_uri for file in objects)
    note = SourceNote(member.name, member.title, member.licence, member.address)
    is_table = chosen.format == PARQUET
    return Stage(
        name=stage_name(source),
        workspace=workspace,
        subject="parsed/planning_paths",
        reads=ranges_of(
            objects,
            sources,
            paths,
            part_bytes or (PART_BYTES if workspace else WHOLE_PART_BYTES),
            beside=sorted(opened_input.beside),
            first=["services", *folders],  # the first range also defines all services
        ),
        options=[msgspec.json.encode(chosen).decode(), opened_input.description.top],
        tables=TABLES if is_table else ("rejected",),
        shared=partial(Plan, member.name, paths, names, chosen),
        make=convert_range,
        end=partial(
            finish_conversion,
            source=note,
            files=len(opened_input.description.dialogues),
            others=opened_input.others,
        ),
        merge=partial(merge_lines, chosen.format),
        balance=("planning_paths",),
    )


def stage_name(source: str) -> str:
    """Return the name of the stage that converts the dialogues of a source."""
    return CONVERSION + DIALOGUE_SOURCES.find(source).name


def convert_range(plan: Plan, files: Range, output: Output) -> None:
    """Convert the files in one range; the first range also writes all definitions of services."""
    member = DIALOGUE_SOURCES.find(plan.source)
    with ExitStack() as stack:
        opened_input = open_input(member, plan.inputs, stack, plan.names)
        conversion = member.open(opened_input.description, plan.options)
        rows = DialogueRows(member, conversion)
        written = _Written(plan.options.lines(), conversion, output)
        stack.callback(written.close)
        rejected: list[Rejected] = []
        if output.number == 0 and plan.options.format == PARQUET:
            for definition in conversion.definitions():
                output.add("api_definitions", definition)
        for file in opened_input.members[slice(*files)]:
            if file.source_uri in opened_input.beside:
                fault = conversion.fault_of(file.source_uri)
                rejected += [] if fault is None else [unread(file.source_uri, fault)]
                continue
            try:
                data = file.read()
            except RejectedInputError as error:
                rejected.append(unread(file.source_uri, error))
                continue
            for row in rows.of_file(file.source_uri, data):
                if isinstance(row, Rejected):
                    rejected.append(row)
                else:
                    written.add(row)
    output.reject_sorted(rejected)
    output.objects = len(written.note.ids) + len(rejected)
    output.inputs = files[1] - files[0]
    write_note(output.part, written.note)


class _Written:
    """A writer for the plans of one range, as rows of tables or as JSON Lines.

    `note` collects the ids of the dialogues and facts about the plans.
    """

    def __init__(self, lines: LineFormat | None, conversion: Conversion, output: Output) -> None:
        self.note = Note([], [])
        self._format = lines
        self._conversion = conversion
        self._output = output
        self._apis: dict[str, ApiDefinition] | None = None
        self._lines = None if lines is None else _create(lines_of(output.part))

    def add(self, converted: Converted) -> None:
        """Write a plan and, in tables, its utterances and service results."""
        path = converted.path
        self.note.ids.append((folder_of(path.source_uri), path.source_id, path.source_uri))
        self.note.facts.append(facts_of(path, path.source_split))
        output = self._output
        if self._format is None or self._lines is None:
            dialogue = converted.dialogue
            output.add("planning_paths", path)
            output.add("dialogues", dialogue, sum(len(turn.text) for turn in dialogue.utterances))
            for result in converted.results:
                output.add("service_results", result, sum(len(row.values) for row in result.rows))
            return
        if self._apis is None:
            definitions = self._conversion.definitions()
            self._apis = {definition.definition_id: definition for definition in definitions}
        line, _ = self._format.line(example_of(path, self._apis))
        self._lines.write(line + b"\n")
        output.wrote("planning_paths", 1)

    def close(self) -> None:
        """Close the JSON Lines file."""
        if self._lines is not None:
            self._lines.close()


def _create(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb")
