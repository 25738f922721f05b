"""Write the tables of a pipeline stage in shards, which are parts that several processes write.

A shard writes `<folder>/<table>/<table>-<shard>.parquet`, and then its mark, a completion record
with the digests of its files, in `<folder>/shards/`. A stage is complete when `stage.json` exists.
After a kill, a run continues with the missing shards; it fails if files of shards were changed.
"""

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, contextmanager
from pathlib import Path

import msgspec
import pyarrow as pa

from benchloom.core.errors import BalanceError, RunError
from benchloom.storage.inputs import SourceFile
from benchloom.storage.seals import SealedFile, changed_files, kind_of, seal_files
from benchloom.storage.tables import (
    BATCHES,
    PARQUET,
    TableWriter,
    open_parquet,
    read_batches,
    row_groups,
)
from benchloom.storage.workspace import (
    FunnelStep,
    StageMark,
    TemporaryFile,
    command_again,
    remove_leftovers,
    write_file,
    write_mark,
)

SHARDS = "shards"
MAX_SHARDS = 48
"""Approximate maximum number of shards per stage, because recording a Prefect task takes
milliseconds."""


class ShardMark(msgspec.Struct, frozen=True, kw_only=True):
    """The completion record of a shard: the objects it read, its rows per table, and its files.

    `reasons` counts rejected objects per reason. `merged` counts objects that became part of
    another object's row. `inputs` counts planned files, each of which may contain many objects.
    `corrected` is true if the shard was changed after the stage ended; it is then not reused for
    equal inputs. `files` are the digests of the shard's files, and `seal` is the digest of this
    record.
    """

    number: int
    objects: int
    rows: dict[str, int]
    reasons: dict[str, int]
    merged: int = 0
    inputs: int | None = None
    corrected: bool = False
    files: tuple[SealedFile, ...] = ()
    seal: str = ""


class Balance(msgspec.Struct, frozen=True):
    """Which inputs a stage must read, and which rows it must write, so that nothing is lost.

    `planned` is the number of inputs that were listed before the first shard was made; an object is
    one item read from an input. If `tables` is set, an object that is neither rejected nor merged
    gives exactly one row in one of these tables. If `keeps_rejected` is true, a rejected object has
    a row too (a shortcut outside the evaluation split).
    """

    planned: int
    tables: tuple[str, ...] = ()
    keeps_rejected: bool = False

    def check(self, stage: str, shards: Sequence[ShardMark]) -> None:
        """Raise BalanceError if the shards missed an input, or lost or duplicated an object."""
        read = sum(shard.objects if shard.inputs is None else shard.inputs for shard in shards)
        check_read(stage, self.planned, read)
        if not self.tables:
            return
        objects = sum(shard.objects for shard in shards)
        rows = sum(shard.rows.get(table, 0) for shard in shards for table in self.tables)
        rejected = (
            0 if self.keeps_rejected else sum(sum(shard.reasons.values()) for shard in shards)
        )
        merged = sum(shard.merged for shard in shards)
        if objects != rows + rejected + merged:
            fates = f"{rows} rows of {', '.join(self.tables)}, {rejected} rejected, {merged} merged"
            raise BalanceError(stage, f"{objects} objects were read, but there are {fates}")


def check_read(stage: str, planned: int, read: int) -> None:
    """Raise BalanceError if the stage did not read as many inputs as were planned."""
    if read != planned:
        raise BalanceError(stage, f"{planned} inputs were listed, but {read} were read")


def part_path(folder: Path, table: str, number: int, ending: str = PARQUET) -> Path:
    """Return the path of the file that shard `number` writes for a table."""
    return folder / table / f"{table}-{number:05d}{ending}"


def _mark_path(folder: Path, number: int) -> Path:
    return folder / SHARDS / f"{number:05d}.json"


def write_shard_mark(folder: Path, mark: ShardMark) -> ShardMark:
    """Write a shard's completion record with the digests of its files, and return the record."""
    paths = folder.glob(f"*/*{mark.number:05d}.*")
    parts = [path for path in paths if path.parent.name != SHARDS and path.name[0] != "."]
    sealed = msgspec.structs.replace(mark, files=seal_files(folder, parts))
    write_sealed_mark(folder, sealed)
    return sealed


def write_sealed_mark(folder: Path, mark: ShardMark) -> None:
    """Write a shard's completion record, which already contains the digests of its files."""
    write_file(_mark_path(folder, mark.number), _encode(mark))


def _encode(mark: ShardMark) -> bytes:
    content = msgspec.json.encode(msgspec.structs.replace(mark, seal=""))
    seal = hashlib.sha256(content).hexdigest()
    return msgspec.json.encode(msgspec.structs.replace(mark, seal=seal))


def forget_shard(folder: Path, number: int) -> None:
    """Delete a shard's completion record before its files change.

    If the run is killed during the change, the shard is made again.
    """
    _mark_path(folder, number).unlink(missing_ok=True)


def read_shard_mark(folder: Path, number: int) -> ShardMark | None:
    """Return a shard's completion record, or None if it is missing.

    Raises RunError if files of the shard were changed.
    """
    mark = read_mark_alone(folder, number)
    for name, fault in changed_files(folder, () if mark is None else mark.files):
        raise RunError(f"{folder / name}: {fault}; {command_again(folder)}")
    return mark


def read_mark_alone(folder: Path, number: int) -> ShardMark | None:
    """Return a shard's completion record without checking its files, or None if it is missing.

    Raises RunError if the record is damaged or is no file.
    """
    path = _mark_path(folder, number)
    kind = kind_of(path)
    if kind is None:
        return None
    if kind != "file":  # a pipe would never end
        raise RunError(f"{path} is a {kind}, not a file; {command_again(folder)}")
    try:
        content = path.read_bytes()
        mark = msgspec.json.decode(content, type=ShardMark)
    except (OSError, UnicodeDecodeError, RecursionError, msgspec.DecodeError) as error:
        raise RunError(f"{path}: {error}; {command_again(folder)}") from error
    if mark.number != number or _encode(mark) != content:
        raise RunError(f"{path} was changed since it was written; {command_again(folder)}")
    return mark


def missing_shards(folder: Path, count: int) -> list[int]:
    """Remove temporary files of killed runs, and return the numbers of the missing shards.

    Raises RunError if the path is not a folder, or if files of a shard were changed.
    """
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RunError(f"{folder} is not a folder; remove it and run again")
    _remove_leftovers(folder)
    return [number for number in range(count) if read_shard_mark(folder, number) is None]


def _remove_leftovers(folder: Path) -> None:
    for sub in (folder, *(path for path in folder.glob("*") if path.is_dir())):
        remove_leftovers(sub)


def finish_stage(
    folder: Path,
    stage: str,
    key: str,
    count: int,
    *,
    sources: Sequence[SourceFile] = (),
    earlier: Sequence[FunnelStep] = (),
    balance: Balance | None = None,
) -> StageMark:
    """Complete a stage: write `stage.json`, which sums the records of all its shards.

    `sources` are the input files of the first stage of the pipeline, and `earlier` are the counts
    of earlier stages. Raises RunError if a shard is missing or a file was not written by a shard,
    and BalanceError if the shards do not account for all inputs.
    """
    rows: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    marks: list[ShardMark] = []
    parts: set[str] = set()
    for number in range(count):
        mark = read_shard_mark(folder, number)
        if mark is None:
            raise RunError(f"{stage}: shard {number} of {count} is missing; run again")
        rows.update(mark.rows)
        reasons.update(mark.reasons)
        marks.append(mark)
        parts.update(file.path for file in mark.files)
    if balance is not None:
        balance.check(stage, marks)
    folder.mkdir(parents=True, exist_ok=True)  # a stage without shards has none yet
    _remove_leftovers(folder)  # a killed worker's, whose shard another worker wrote
    _refuse_strangers(folder, rows, parts)
    stage_mark = StageMark(
        stage=stage,
        key=key,
        objects=sum(mark.objects for mark in marks),
        rows=dict(sorted(rows.items())),
        reasons=dict(sorted(reasons.items())),
        merged=sum(mark.merged for mark in marks),
        sources=tuple(sources),
        earlier=tuple(earlier),
    )
    return write_mark(folder, stage_mark)


def _refuse_strangers(folder: Path, tables: Iterable[str], parts: AbstractSet[str]) -> None:
    # Readers would load such a file as a part of the table.
    for table in sorted(tables):
        for part in _parts_in(folder, table):
            if part.relative_to(folder).as_posix() not in parts:
                raise RunError(f"{part} was not written by a shard; remove it and run again")


def _parts_in(folder: Path, table: str) -> list[Path]:
    paths = (folder / table).glob(f"{table}-*")
    return sorted(path for path in paths if path.suffix in {PARQUET, BATCHES})


def plan_shards(
    sizes: Sequence[int], shard_bytes: int, most: int = MAX_SHARDS
) -> list[tuple[int, int]]:
    """Divide objects into ranges (start, stop) of about `shard_bytes`, at most `most` ranges."""
    target = max(shard_bytes, -(-sum(sizes) // most))
    ranges: list[tuple[int, int]] = []
    start, weight = 0, 0
    for index, size in enumerate(sizes):
        weight += size
        if weight >= target:
            ranges.append((start, index + 1))
            start, weight = index + 1, 0
    if start < len(sizes):
        ranges.append((start, len(sizes)))
    return ranges


def plan_groups(part: Path, most_bytes: int) -> list[tuple[tuple[int, ...], int]]:
    """Divide the row groups of a Parquet file into ranges of about `most_bytes` uncompressed bytes.

    Returns pairs of the numbers of a range's row groups, and the size of the range.
    """
    with open_parquet(part) as file:
        stored = file.metadata
    sizes = [stored.row_group(group).total_byte_size for group in range(stored.num_row_groups)]
    return [
        (tuple(range(start, stop)), sum(sizes[start:stop]))
        for start, stop in plan_shards(sizes, most_bytes)
    ]


def plan_by_name(
    names: Sequence[str],
    sizes: Sequence[int],
    shard_bytes: int,
    groups: Mapping[int, int],
) -> list[tuple[int, int]]:
    """Divide objects into about `MAX_SHARDS` ranges of about `shard_bytes` or less.

    Whether a range ends after an object depends on the object's name and size, and on the average
    size of a range, which is doubled when the total size requires it. So an added or removed object
    rarely changes another range. A group is a sequence of objects, such as the members of an
    archive; `groups` maps the position after a group to the size of the group. A range always ends
    after a large group.
    """
    target = growing_bytes(sizes, shard_bytes)
    ranges: list[tuple[int, int]] = []
    start = 0
    for stop, (name, size) in enumerate(zip(names, sizes, strict=True), 1):
        digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()[:8]
        # A range ends here with the probability size / target, so its average size is `target`.
        is_end = int.from_bytes(digest) * target < size << 64
        if is_end or 2 * groups.get(stop, 0) >= target or stop == len(sizes):
            ranges.append((start, stop))
            start = stop
    return ranges


def growing_bytes(sizes: Sequence[int], shard_bytes: int, most: int = MAX_SHARDS) -> int:
    """Return the size of a shard in bytes: `shard_bytes`, doubled until `most` shards suffice."""
    while shard_bytes * most < sum(sizes):
        shard_bytes *= 2
    return shard_bytes


def merge_parts(folder: Path, tables: Sequence[str]) -> None:
    """Merge the files of each table's shards into `<table>.parquet`.

    `drop_parts` removes them later.
    """
    for table in tables:
        parts = _parts_in(folder, table)
        final = folder / f"{table}.parquet"
        if len(parts) == 1 and parts[0].suffix == PARQUET:
            temporary = TemporaryFile(final)
            shutil.copyfile(parts[0], temporary.path)
            temporary.commit()
        else:
            with TableWriter(table, final) as writer:
                for part in parts:
                    _append(writer, part)


@contextmanager
def merging_parts(
    folder: Path, tables: Sequence[str], count: int, ending: str
) -> Iterator[Callable[[int], None]]:
    """Merge the files of finished shards into `<table>.parquet` while later shards still run.

    Call the yielded function with a shard's number when that shard and all earlier shards are
    finished. The call for the last of `count` shards completes the merged files.
    """
    pending_shards = iter(range(count))
    writers: list[TableWriter] = []
    with ExitStack() as stack:

        def upto(number: int) -> None:
            if count == 1 and ending == PARQUET:
                return  # `merge_parts` copies a single part unchanged
            if not writers:  # created late, after leftovers of a killed run are removed
                writers.extend(
                    stack.enter_context(TableWriter(table, folder / f"{table}.parquet"))
                    for table in tables
                )
            for shard_number in pending_shards:
                for writer in writers:
                    _append(writer, part_path(folder, writer.table.name, shard_number, ending))
                if shard_number >= number:
                    break
            if number == count - 1:
                stack.close()

        yield upto
    if not writers:
        merge_parts(folder, tables)


def _append(writer: TableWriter, part: Path) -> None:
    if part.suffix == BATCHES:
        for batch in read_batches(part):
            writer.add_table(pa.Table.from_batches([batch]))
    else:
        for rows in row_groups(part, writer.table.name):
            writer.add_table(rows)


def drop_parts(folder: Path, tables: Sequence[str]) -> None:
    """Remove the files of shards that were merged, and the completion records of the shards."""
    for table in tables:
        shutil.rmtree(folder / table, ignore_errors=True)
    shutil.rmtree(folder / SHARDS, ignore_errors=True)
