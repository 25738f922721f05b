"""Stage parse, shortcuts: input objects to `shortcuts` and `rejected`, a shard at a time."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from benchloom.balance import Balance
from benchloom.errors import RejectedInputError
from benchloom.garbage import fewer_collections
from benchloom.identity import tagged_digest
from benchloom.inputs import (
    MEMBER,
    SourceObject,
    Stretch,
    apart_from,
    source_files,
    stretches,
)
from benchloom.memory import MEMORY, remembering
from benchloom.memory.code import stage_key
from benchloom.records import Rejected, Shortcut
from benchloom.stages import (
    ShardMark,
    drop_parts,
    merging_parts,
    part_path,
    plan_by_name,
    plan_shards,
    write_shard_mark,
)
from benchloom.tables import BATCHES, PARQUET, TakenRow, part_writer
from benchloom.workspace import StageMark, stage_folder, write_mark
from flows.stages.earlier_rows import EarlierRows, earlier_rows
from flows.stages.progress import Progress
from flows.stages.sharded import ShardedStage, covered_names, run_stage, stage_path
from flows.stages.shortcuts.archives import listed_objects, reached_objects
from parsers.property_lists import is_binary
from parsers.shortcuts import cross_check, parse_shortcut

STAGE = "parse-shortcuts"
TABLES = ("shortcuts", "rejected")
SHARD_BYTES = 4 * 1024 * 1024
WHOLE_SHARD_BYTES = 4 * 1024 * 1024
"""Of a result that no later run takes shards from."""
ALL_MADE = EarlierRows()
"""Where no earlier run is asked."""


Wanted = Callable[[SourceObject], bool]


def every_object(source: SourceObject) -> bool:  # noqa: ARG001  one of `Wanted`
    """What a command reads: whatever it is given."""
    return True


def prepare(
    inputs: Sequence[Path],
    root: Path,
    *,
    with_cross_check: bool = False,
    fixed: bool = False,
    shard_bytes: int = SHARD_BYTES,
    wanted: Wanted = every_object,
) -> ShardedStage:
    """The stage over these inputs, in a folder of `root` named by its key, or `fixed` in `root`.

    `wanted` is a function of a module (workers import it) that says which objects are read.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    workspace = () if fixed else (root.parent,)
    with apart_from(*workspace), remembering(None if fixed else root.parent / MEMORY):
        # Before they are listed: of files that were read it is known which are archives.
        sources = source_files(inputs)
        found = [(one.source_uri, one.size) for one in listed_objects(inputs, wanted)]
    objects = sorted(found, key=itemgetter(0))
    uris = [source_uri for source_uri, _ in objects]
    sizes = [size for _, size in objects]
    # Even ones in a fixed folder, so that no process waits for a long one of another.
    by_size = plan_shards(sizes, shard_bytes) if fixed else None
    wholes = dict(_archive_ends(uris, sizes))
    ranges = by_size or plan_by_name(uris, sizes, shard_bytes, wholes=wholes)
    parts = [str(with_cross_check), str(ranges), wanted.__name__]
    for file in sources:
        parts += [file.source_uri, file.digest]
    key = stage_key(STAGE, parts, given=[wanted])
    folder = root if fixed else stage_path(root, "shortcuts", key)
    work = partial(
        parse_shard,
        inputs,
        stretches(uris, ranges),
        out=folder,
        with_cross_check=with_cross_check,
        wanted=wanted,
        ending=BATCHES if fixed else PARQUET,  # the parts of a fixed folder are merged at once
    )
    return ShardedStage(
        STAGE,
        key,
        folder,
        len(ranges),
        work,
        sources,
        inputs=inputs,
        balance=Balance(len(uris), ("shortcuts",)),
        covers=partial(covered_names, uris, ranges),
    )


def _archive_ends(uris: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where the members of each archive end, and how many bytes they are."""
    start = 0
    for _, members in groupby(uris, lambda uri: uri.partition(MEMBER)[0] if MEMBER in uri else ""):
        stop = start + sum(1 for _ in members)
        if MEMBER in uris[start]:
            yield stop, sum(sizes[start:stop])
        start = stop


def parse_shard(
    inputs: Sequence[Path],
    parts: Sequence[Stretch],
    number: int,
    out: Path,
    *,
    with_cross_check: bool = False,
    wanted: Wanted = every_object,
    ending: str = PARQUET,
) -> ShardMark:
    """Parse the objects in `parts[number]` of the inputs into `out`; done when it returns.

    `ending` is that of the names of the parts.
    """
    part = parts[number]
    with ExitStack() as stack:
        earlier = stack.enter_context(
            earlier_rows(out, f"{STAGE} {with_cross_check}", number, TABLES[:1])
        )
        reached = reached_objects(inputs, stack, part, wanted)
        mark = write_shortcuts(
            part.cut([source for source in reached if wanted(source)]),
            part_path(out, "shortcuts", number, ending),
            part_path(out, "rejected", number, ending),
            number,
            with_cross_check=with_cross_check,
            earlier=earlier,
        )
    write_shard_mark(out, mark)
    return mark


def parse_to_folder(
    inputs: Sequence[Path],
    out: Path,
    *,
    workers: int = 1,
    with_cross_check: bool = False,
    progress: Progress | None = None,
) -> StageMark:
    """Parse the inputs into `out/shortcuts.parquet` and `out/rejected.parquet`."""
    with stage_folder(out, STAGE) as folder:
        stage = prepare(
            inputs,
            folder,
            with_cross_check=with_cross_check,
            fixed=True,
            shard_bytes=WHOLE_SHARD_BYTES,
        )
        with merging_parts(folder, TABLES, stage.count, BATCHES) as then:
            mark = run_stage(stage, workers=workers, progress=progress, then=then)
        drop_parts(folder, TABLES)
        return write_mark(folder, mark)


def write_shortcuts(
    objects: Sequence[SourceObject],
    shortcuts: Path,
    rejected: Path,
    number: int = 0,
    *,
    with_cross_check: bool = False,
    earlier: EarlierRows = ALL_MADE,
) -> ShardMark:
    """Parse objects in order, one row each, into two files."""
    reasons: Counter[str] = Counter()
    with (
        fewer_collections(),
        part_writer("shortcuts", shortcuts) as good,
        part_writer("rejected", rejected, "zstd") as bad,
    ):
        for source in objects:
            row = parse_object(source, with_cross_check=with_cross_check, earlier=earlier)
            if isinstance(row, Rejected):
                bad.add(row)
                reasons[row.reason] += 1
            else:
                good.add(row, source.size)
    return ShardMark(
        number=number,
        objects=len(objects),
        rows={"shortcuts": good.rows, "rejected": bad.rows},
        reasons=dict(reasons),
    )


def parse_object(
    source: SourceObject,
    *,
    with_cross_check: bool = False,
    earlier: EarlierRows = ALL_MADE,
) -> Shortcut | TakenRow | Rejected:
    """One row for one object, whatever it holds."""
    data = b""
    try:
        data = source.read()
        rows = earlier.find(source.source_uri.encode("utf-8", "surrogatepass"), data)
    except RejectedInputError as error:
        return _rejected(source, error, data)
    try:
        if rows is not None:
            return rows[0]
        row = parse_shortcut(data, source.source_uri)
        if with_cross_check and is_binary(data):
            cross_check(data)
    except RejectedInputError as error:
        earlier.drop()
        return _rejected(source, error, data)
    return row


def _rejected(source: SourceObject, error: RejectedInputError, data: bytes) -> Rejected:
    digest = tagged_digest("file", data) if data else None
    return Rejected("parse", source.source_uri, error.reason, error.message, digest)
