"""Stage convert, SGD: files of dialogues to `planning_paths` and `rejected`, a shard at a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import BinaryIO

import msgspec

from benchloom.errors import RejectedInputError, RunError
from benchloom.formats import format_named
from benchloom.identity import digest_of_parts, tagged_digest
from benchloom.inputs import SourceObject, list_objects
from benchloom.plans.statistics import facts_of
from benchloom.records import PlanningPath, Rejected
from benchloom.records.planning_path import Mode
from benchloom.stages import ShardMark, part_path, plan_shards, write_shard_mark
from benchloom.tables import TableWriter
from benchloom.workspace import StageMark, stage_folder
from flows.progress import Progress
from flows.stages.convert_finish import finish_conversion
from flows.stages.sgd_converters import Converters
from flows.stages.sgd_inputs import SgdInputs, folder_of, sort_inputs, with_schemas
from flows.stages.sgd_rejected import refused, repeated
from flows.stages.shard_notes import ShardNote, line_part, write_note
from flows.stages.workers import run_shards
from parsers.dialogues.sgd import Droppable

STAGE = "convert-sgd"
CODE_VERSION = "1"
"""Raise it when the meaning of a plan changes: unfinished runs then start afresh."""
SHARD_BYTES = 8 * 1024 * 1024
MOST_SHARDS = 48
PARQUET = "parquet"


class SgdOptions(msgspec.Struct, frozen=True):
    """What is made of the dialogues.

    `drop` names outcomes whose calls flow mode leaves out. `variant` names an SGD-X schema
    (v1 to v5) under whose names the plans are written; flow mode only.
    """

    mode: Mode = "flow"
    format: str = PARQUET
    drop: tuple[Droppable, ...] = ()
    variant: str | None = None

    def check(self) -> None:
        """Refuse options that do not go together.

        Raises:
            RunError: the message says which.
        """
        if self.format != PARQUET:
            format_named(self.format)
        if self.mode == "name" and (self.drop or self.variant):
            raise RunError("--drop and --variant change the published rules: use --mode flow")


def plan(inputs: Sequence[Path], options: SgdOptions) -> tuple[str, int]:
    """The key of the stage (digest of options and of every object's bytes) and its shards."""
    options.check()
    with ExitStack() as stack:
        found = _open(inputs, stack)
        digests = [_content_digest(source) for source in found.dialogues]
        return _key(found, digests, options), len(_ranges(found))


def _open(inputs: Sequence[Path], stack: ExitStack) -> SgdInputs:
    paths = with_schemas(inputs)
    return sort_inputs(list_objects(paths, stack), inputs)


def _key(found: SgdInputs, digests: Sequence[str], options: SgdOptions) -> str:
    parts = [CODE_VERSION, msgspec.json.encode(options).decode()]
    for source, digest in zip(found.dialogues, digests, strict=True):
        parts += [source.source_uri, digest]
    for folder, source in sorted(found.schemas.items()):
        parts += [folder, _content_digest(source)]
    return digest_of_parts("stage", parts)


def _content_digest(source: SourceObject) -> str:
    try:
        return tagged_digest("file", source.read())
    except RejectedInputError as error:
        return error.reason


def _ranges(found: SgdInputs) -> list[tuple[int, int]]:
    return plan_shards([source.size for source in found.dialogues], SHARD_BYTES, MOST_SHARDS)


def convert_to_folder(
    inputs: Sequence[Path],
    out: Path,
    options: SgdOptions,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> StageMark:
    """Convert the inputs into `out`: plans in the chosen format, rejected rows, statistics."""
    options.check()
    with stage_folder(out, STAGE) as folder, ExitStack() as stack:
        found = _open(inputs, stack)
        shards = len(_ranges(found))
        Converters(found, options.mode, options.drop, options.variant).check()
        work = partial(convert_shard, inputs, out=folder, options=options)
        run_shards(range(shards), work, workers=workers, progress=progress)
        return finish_conversion(
            folder,
            STAGE,
            lambda digests: _key(found, digests, options),
            shards,
            options.format,
            others=found.others,
        )


def convert_shard(
    inputs: Sequence[Path], number: int, out: Path, *, options: SgdOptions
) -> ShardMark:
    """Convert one shard of the inputs into `out`; done when it returns."""
    with ExitStack() as stack:
        found = _open(inputs, stack)
        start, stop = _ranges(found)[number]
        converters = Converters(found, options.mode, options.drop, options.variant)
        shard = _Shard(converters, options, out, number)
        with shard.writers(stack):
            if number == 0:
                for row in converters.damaged_schemas():
                    shard.reject(row)
            for source in found.dialogues[start:stop]:
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
        self._format = None if options.format == PARQUET else format_named(options.format)
        self._note = ShardNote([], [], [])
        self._seen: set[tuple[str, str]] = set()
        self._reasons: Counter[str] = Counter()
        self._rows = 0
        self._rejected = TableWriter("rejected", part_path(out, "rejected", number))
        self._paths = (
            TableWriter("planning_paths", part_path(out, "planning_paths", number))
            if self._format is None
            else None
        )
        self._lines = None if self._format is None else _create(line_part(out, number))

    def writers(self, stack: ExitStack) -> ExitStack:
        """Close every file of the shard when the block ends."""
        inner = stack.enter_context(ExitStack())
        inner.enter_context(self._rejected)
        if self._paths is not None:
            inner.enter_context(self._paths)
        if self._lines is not None:
            inner.enter_context(self._lines)
        return inner

    def convert(self, source: SourceObject) -> None:
        """Convert one file; whatever cannot be a plan becomes a rejected row."""
        try:
            data = source.read()
        except RejectedInputError as error:
            self._note.digests.append(error.reason)
            self.reject(Rejected("convert", source.source_uri, error.reason, error.message))
            return
        digest = tagged_digest("file", data)
        self._note.digests.append(digest)
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
        self._note.facts.append(facts_of(path))
        if self._paths is not None:
            self._paths.add(path)
        if self._format is not None and self._lines is not None:
            apis = self._converters.descriptions(path.source_uri)
            self._lines.write(self._format.write_line(path, apis) + b"\n")

    def reject(self, row: Rejected) -> None:
        """Store and count one rejected row."""
        self._reasons[row.reason] += 1
        self._rejected.add(row)

    def finish(self) -> ShardMark:
        """Write the shard's note; its mark."""
        write_note(self._out, self._number, self._note)
        rejected = sum(self._reasons.values())
        return ShardMark(
            number=self._number,
            objects=self._rows + rejected,
            rows={"planning_paths": self._rows, "rejected": rejected},
            reasons=dict(self._reasons),
        )


def _create(path: Path) -> BinaryIO:
    path.parent.mkdir(exist_ok=True)
    return path.open("wb")
