"""Stage convert: dialogues of one source to `planning_paths` and `rejected`, shard by shard.

What users said stands in `dialogues`, one row beside each plan, and what services gave back in
`service_results`, one row for each call. The services they speak to become
`api_definitions`, so that plans join them.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, NamedTuple

import msgspec

from benchloom.balance import Balance
from benchloom.errors import RejectedInputError
from benchloom.examples.plans import example_of
from benchloom.garbage import fewer_collections
from benchloom.identity import digest_of_parts
from benchloom.inputs import SourceObject, apart_from, pack_names, source_files, told_bytes
from benchloom.memory.code import stage_key
from benchloom.plans.statistics import facts_of
from benchloom.records import ApiDefinition, Rejected
from benchloom.stages import ShardMark, part_path, plan_by_name, write_shard_mark
from benchloom.tables import TableWriter, write_table
from benchloom.workspace import CONVERSION, StageMark, stage_folder, write_mark
from flows.stages.dialogues.finish import finish_conversion, merge_conversion
from flows.stages.dialogues.inputs import open_input, with_files_beside
from flows.stages.dialogues.options import PARQUET, ConversionOptions
from flows.stages.dialogues.shard_notes import ShardNote, line_part, write_note
from flows.stages.dialogues.source_notes import SourceNote
from flows.stages.progress import Progress
from flows.stages.reuse import keys_of
from flows.stages.sharded import ShardedStage, covered_names, run_stage, stage_path
from parsers.dialogues.conversion.rows import Converted, DialogueRows, rejected_order, unread
from parsers.dialogues.places import folder_of
from parsers.dialogues.protocol import Conversion, DialogueSource
from parsers.dialogues.sources import DIALOGUE_SOURCES

SHARD_BYTES = 512 * 1024
WHOLE_SHARD_BYTES = 4 * 1024 * 1024
"""Of a conversion to a folder of its own, where no later run looks for shards to use again."""


class Plan(NamedTuple):
    """What every shard reads of: the files of dialogues and those beside them.

    `names` are those of all these files, packed; `ranges` are the positions of each shard in them.
    """

    inputs: Sequence[Path]
    names: bytes
    ranges: Sequence[tuple[int, int]]


@dataclass(frozen=True, kw_only=True)
class ConversionStage(ShardedStage):
    """The conversion, whose end compares ids across shards and writes statistics and funnel."""

    files: int
    others: int
    source: SourceNote

    def finish(self) -> StageMark:
        """Declare the stage complete."""
        finish_conversion(
            self.folder, self.count, self.source, files=self.files, others=self.others
        )
        return super().finish()


def prepare(
    source: str,
    inputs: Sequence[Path],
    root: Path,
    options: ConversionOptions | None = None,
    *,
    fixed: bool = False,
    shard_bytes: int = SHARD_BYTES,
) -> ConversionStage:
    """The stage over these inputs, in a folder of `root` named by its key, or `fixed` in `root`.

    Raises:
        RunError: no such source, an input is missing, holds no dialogues, or the options do not
            fit it.
    """
    chosen = options or ConversionOptions()
    chosen.check()
    member = DIALOGUE_SOURCES.find(source)
    paths = with_files_beside(member, inputs)
    with ExitStack() as stack, apart_from(*(() if fixed else (root.parent,))):
        sources = source_files(paths)
        found = open_input(member, paths, stack)
        uris = [one.source_uri for one in found.members]
        names = pack_names(uris)
        member.open(found.given, chosen.of_plans())
        ranges = plan_by_name(uris, [one.size for one in found.members], shard_bytes)
    name = CONVERSION + member.name
    options_told = msgspec.json.encode(chosen).decode()
    parts = [options_told, str(ranges)]
    for file in sources:
        parts += [file.source_uri, file.digest]
    key = stage_key(name, parts)
    folder = root if fixed else stage_path(root, "planning_paths", key)
    plan = Plan(paths, names, ranges)
    work = partial(convert_shard, member.name, plan, out=folder, options=chosen)
    return ConversionStage(
        name,
        key,
        folder,
        len(ranges),
        work,
        sources,
        files=len(found.given.dialogues),
        others=found.others,
        source=SourceNote(member.name, member.title, member.licence, member.address),
        keys=partial(_shard_keys, stage_key(name, [options_told]), member, plan),
        inputs=paths,
        balance=Balance(len(found.members), ("planning_paths",)),
        covers=partial(covered_names, uris, ranges),
    )


def _shard_keys(decides: str, source: DialogueSource, plan: Plan) -> list[str]:
    """What decides each shard: its files, all files beside the dialogues, and where it is first."""
    with ExitStack() as stack:
        found = open_input(source, plan.inputs, stack, plan.names)
        beside = [one for one in found.members if one.source_uri in found.beside]
        decided = f"{decides} {found.given.top}"
        (common,) = keys_of(decided, list(map(_told, beside)), [(0, len(beside))])
        keys = keys_of(common, list(map(_told, found.members)), plan.ranges)
        # The first shard holds the definitions of the whole input, folder by folder.
        folders = sorted({folder_of(place) for place in found.given.dialogues})
        return [digest_of_parts("shard", ["first", *keys[:1], *folders]), *keys[1:]]


def _told(file: SourceObject) -> tuple[str, str]:
    return file.source_uri, told_bytes(file)


def convert_to_folder(
    source: str,
    inputs: Sequence[Path],
    out: Path,
    options: ConversionOptions | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> StageMark:
    """Convert the inputs into `out`: plans in the chosen format, rejected rows, statistics."""
    with stage_folder(out, CONVERSION + DIALOGUE_SOURCES.find(source).name) as folder:
        stage = prepare(source, inputs, folder, options, fixed=True, shard_bytes=WHOLE_SHARD_BYTES)
        mark = run_stage(stage, workers=workers, progress=progress)
        merge_conversion(folder, stage.count, (options or ConversionOptions()).format)
        return write_mark(folder, mark)


def convert_shard(
    source: str, plan: Plan, number: int, out: Path, *, options: ConversionOptions
) -> ShardMark:
    """Convert the files of one range of the plan into `out`; done when it returns."""
    start, stop = plan.ranges[number]
    member = DIALOGUE_SOURCES.find(source)
    with fewer_collections(), ExitStack() as stack:
        found = open_input(member, plan.inputs, stack, plan.names)
        conversion = member.open(found.given, options.of_plans())
        shard = _Shard(member, conversion, options, out, number)
        with shard.writers(stack):
            if number == 0 and options.format == PARQUET:
                shard.define(conversion.definitions())
            for file in found.members[start:stop]:
                if file.source_uri in found.beside:
                    shard.check(file)
                else:
                    shard.convert(file)
        mark = shard.finish()
    write_shard_mark(out, mark)
    return mark


class _Shard:
    """The files and counts of one shard."""

    def __init__(
        self,
        source: DialogueSource,
        conversion: Conversion,
        options: ConversionOptions,
        out: Path,
        number: int,
    ) -> None:
        self._conversion = conversion
        self._converted = DialogueRows(source, conversion)
        self._out = out
        self._number = number
        self._format = options.lines()
        self._apis: dict[str, ApiDefinition] | None = None
        self._note = ShardNote([], [])
        self._rows = 0
        self._files = 0
        self._definitions = 0
        self._rejected: list[Rejected] = []
        self._paths = (
            TableWriter("planning_paths", part_path(out, "planning_paths", number))
            if self._format is None
            else None
        )
        self._dialogues = (
            TableWriter("dialogues", part_path(out, "dialogues", number))
            if self._format is None
            else None
        )
        self._results = (
            TableWriter("service_results", part_path(out, "service_results", number))
            if self._format is None
            else None
        )
        self._lines = None if self._format is None else _create(line_part(out, number))

    def writers(self, stack: ExitStack) -> ExitStack:
        """Close every file of the shard when the block ends."""
        inner = stack.enter_context(ExitStack())
        if self._paths is not None:
            inner.enter_context(self._paths)
        if self._dialogues is not None:
            inner.enter_context(self._dialogues)
        if self._results is not None:
            inner.enter_context(self._results)
        if self._lines is not None:
            inner.enter_context(self._lines)
        return inner

    def check(self, file: SourceObject) -> None:
        """Reject a file beside the dialogues that cannot be used; they are told one by one."""
        self._files += 1
        fault = self._conversion.fault_of(file.source_uri)
        if fault is not None:
            self._rejected.append(unread(file.source_uri, fault))

    def convert(self, file: SourceObject) -> None:
        """Convert one file; whatever cannot be a plan becomes a rejected row."""
        self._files += 1
        try:
            data = file.read()
        except RejectedInputError as error:
            self._rejected.append(unread(file.source_uri, error))
            return
        for row in self._converted.of_file(file.source_uri, data):
            if isinstance(row, Rejected):
                self._rejected.append(row)
            else:
                self._accept(row)

    def _accept(self, converted: Converted) -> None:
        path = converted.path
        self._rows += 1
        self._note.ids.append((folder_of(path.source_uri), path.source_id, path.source_uri))
        self._note.facts.append(facts_of(path, path.source_split))
        if self._paths is not None:
            self._paths.add(path)
        if self._dialogues is not None:
            said = converted.dialogue
            self._dialogues.add(said, sum(len(one.text) for one in said.utterances))
        if self._results is not None:
            for result in converted.results:
                self._results.add(result, sum(len(row.values) for row in result.rows))
        if self._format is not None and self._lines is not None:
            if self._apis is None:
                definitions = self._conversion.definitions()
                self._apis = {definition.definition_id: definition for definition in definitions}
            line, _ = self._format.line(example_of(path, self._apis))
            self._lines.write(line + b"\n")

    def define(self, definitions: Sequence[ApiDefinition]) -> None:
        """Store the API definitions of the whole input; the first shard does."""
        path = part_path(self._out, "api_definitions", self._number)
        self._definitions = write_table("api_definitions", definitions, path)

    def finish(self) -> ShardMark:
        """Write the shard's note; its mark."""
        write_note(self._out, self._number, self._note)
        self._rejected.sort(key=rejected_order)
        rejected = write_table(
            "rejected", self._rejected, part_path(self._out, "rejected", self._number)
        )
        return ShardMark(
            number=self._number,
            objects=self._rows + rejected,
            rows={
                "api_definitions": self._definitions,
                "dialogues": self._rows if self._dialogues is not None else 0,
                "planning_paths": self._rows,
                "rejected": rejected,
                "service_results": self._results.rows if self._results is not None else 0,
            },
            reasons=dict(Counter(row.reason for row in self._rejected)),
            inputs=self._files,
        )


def _create(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb")
