"""Stage convert, SGD: dialogues to `planning_paths` and `rejected`, a shard at a time.

The services they speak to become `api_definitions`, so that plans join them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from benchloom.code_digests.stage_code import StageCode
from benchloom.errors import RejectedInputError
from benchloom.formats import FORMATS
from benchloom.identity import tagged_digest
from benchloom.inputs import SourceObject, list_objects, source_files
from benchloom.plans.statistics import facts_of
from benchloom.records import ApiDefinition, PlanningPath, Rejected
from benchloom.stages import ShardMark, part_path, plan_shards, write_shard_mark
from benchloom.tables import TableWriter, write_table
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.dialogues.finish import finish_conversion, merge_conversion
from flows.stages.dialogues.options import PARQUET, SgdOptions
from flows.stages.dialogues.shard_notes import ShardNote, line_part, write_note
from flows.stages.progress import Progress
from flows.stages.sharded import ShardedStage, run_stage, stage_path
from parsers.dialogues.sgd.converters import Converters
from parsers.dialogues.sgd.inputs import SgdInputs, folder_of, sort_inputs, with_schemas
from parsers.dialogues.sgd.rejected import refused, rejected_order, repeated

STAGE = "convert-sgd"
CODE = StageCode(
    stage=STAGE, module=__name__, tables=("api_definitions", "planning_paths", "rejected")
)
SHARD_BYTES = 8 * 1024 * 1024
MOST_SHARDS = 48


@dataclass(frozen=True)
class SgdStage(ShardedStage):
    """The conversion, whose end compares ids across shards and writes statistics and funnel."""

    files: int = 0
    others: int = 0

    def finish(self) -> StageMark:
        """Declare the stage complete."""
        finish_conversion(self.folder, self.count, files=self.files, others=self.others)
        return super().finish()


def prepare(
    inputs: Sequence[Path],
    root: Path,
    options: SgdOptions | None = None,
    *,
    fixed: bool = False,
    shard_bytes: int = SHARD_BYTES,
) -> SgdStage:
    """The stage over these inputs, in a folder of `root` named by its key, or `fixed` in `root`.

    Raises:
        RunError: an input is missing, holds no dialogues, or the options do not fit it.
    """
    chosen = options or SgdOptions()
    chosen.check()
    paths = with_schemas(inputs)
    with ExitStack() as stack:
        found = _open(paths, stack)
        Converters(found, chosen.mode, chosen.drop, chosen.variant).check()
        ranges = plan_shards([one.size for one in found.members], shard_bytes, MOST_SHARDS)
    sources = source_files(paths)
    parts = [msgspec.json.encode(chosen).decode(), str(ranges)]
    for file in sources:
        parts += [file.source_uri, file.digest]
    key = CODE.key(parts)
    folder = root if fixed else stage_path(root, "planning_paths", key)
    work = partial(convert_shard, paths, ranges, out=folder, options=chosen)
    return SgdStage(
        STAGE,
        key,
        folder,
        len(ranges),
        work,
        sources,
        files=len(found.dialogues),
        others=found.others,
    )


def _open(inputs: Sequence[Path], stack: ExitStack) -> SgdInputs:
    return sort_inputs(list_objects(inputs, stack), inputs)


def convert_to_folder(
    inputs: Sequence[Path],
    out: Path,
    options: SgdOptions | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> StageMark:
    """Convert the inputs into `out`: plans in the chosen format, rejected rows, statistics."""
    with stage_folder(out, STAGE) as folder:
        stage = prepare(inputs, folder, options, fixed=True)
        mark = run_stage(stage, workers=workers, progress=progress)
        merge_conversion(folder, stage.count, (options or SgdOptions()).format)
        return write_mark(folder, mark)


def convert_shard(
    inputs: Sequence[Path],
    ranges: Sequence[tuple[int, int]],
    number: int,
    out: Path,
    *,
    options: SgdOptions,
) -> ShardMark:
    """Convert the files in `ranges[number]` of the inputs into `out`; done when it returns."""
    start, stop = ranges[number]
    with ExitStack() as stack:
        found = _open(inputs, stack)
        converters = Converters(found, options.mode, options.drop, options.variant)
        shard = _Shard(converters, options, out, number)
        with shard.writers(stack):
            if number == 0 and options.format == PARQUET:
                shard.define(converters.definitions())
            for source in found.members[start:stop]:
                if converters.is_schema(source):
                    shard.check_schema(source)
                else:
                    shard.convert(source)
        mark = shard.finish()
    write_shard_mark(out, mark)
    return mark


class _Shard:
    """The files and counts of one shard."""

    def __init__(self, converters: Converters, options: SgdOptions, out: Path, number: int) -> None:
        self._converters = converters
        self._out = out
        self._number = number
        self._format = None if options.format == PARQUET else FORMATS.find(options.format)
        self._note = ShardNote([], [])
        self._seen: set[tuple[str, str]] = set()
        self._rows = 0
        self._definitions = 0
        self._rejected: list[Rejected] = []
        self._paths = (
            TableWriter("planning_paths", part_path(out, "planning_paths", number))
            if self._format is None
            else None
        )
        self._lines = None if self._format is None else _create(line_part(out, number))

    def writers(self, stack: ExitStack) -> ExitStack:
        """Close every file of the shard when the block ends."""
        inner = stack.enter_context(ExitStack())
        if self._paths is not None:
            inner.enter_context(self._paths)
        if self._lines is not None:
            inner.enter_context(self._lines)
        return inner

    def check_schema(self, source: SourceObject) -> None:
        """Reject a schema that cannot be read; its dialogues are rejected one by one."""
        fault = self._converters.schema_fault(source)
        if fault is not None:
            self.reject(Rejected("convert", source.source_uri, fault.reason, fault.message))

    def convert(self, source: SourceObject) -> None:
        """Convert one file; whatever cannot be a plan becomes a rejected row."""
        try:
            data = source.read()
        except RejectedInputError as error:
            self.reject(Rejected("convert", source.source_uri, error.reason, error.message))
            return
        digest = tagged_digest("file", data)
        try:
            for row in self._rows_of(source, data, digest):
                if isinstance(row, Rejected):
                    self.reject(row)
                else:
                    self._accept(row)
        except RejectedInputError as error:
            self.reject(Rejected("convert", source.source_uri, error.reason, error.message, digest))

    def _rows_of(
        self, source: SourceObject, data: bytes, digest: str
    ) -> Iterator[PlanningPath | Rejected]:
        folder = folder_of(source.source_uri)
        for row in self._converters.convert(source, data):
            if not isinstance(row, PlanningPath):
                yield refused(source.source_uri, row.dialogue_id, row.reason, row.message, digest)
            elif (folder, row.source_id) in self._seen:
                yield repeated(source.source_uri, row.source_id, digest)
            else:
                self._seen.add((folder, row.source_id))
                yield row

    def _accept(self, path: PlanningPath) -> None:
        self._rows += 1
        self._note.ids.append((folder_of(path.source_uri), path.source_id, path.source_uri))
        self._note.facts.append(facts_of(path, path.source_split))
        if self._paths is not None:
            self._paths.add(path)
        if self._format is not None and self._lines is not None:
            apis = self._converters.descriptions(path.source_uri)
            self._lines.write(self._format.write_line(path, apis) + b"\n")

    def define(self, definitions: Sequence[ApiDefinition]) -> None:
        """Store the API definitions of the whole input; the first shard does."""
        path = part_path(self._out, "api_definitions", self._number)
        self._definitions = write_table("api_definitions", definitions, path)

    def reject(self, row: Rejected) -> None:
        """Store and count one rejected row."""
        self._rejected.append(row)

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
                "planning_paths": self._rows,
                "rejected": rejected,
            },
            reasons=dict(Counter(row.reason for row in self._rejected)),
        )


def _create(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("wb")
