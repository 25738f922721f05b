"""List the inputs of a stage, and divide them among its shards."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage.inputs import (
    MEMBER,
    InputFile,
    InputLimits,
    SourceFile,
    SourceObject,
    Stretch,
    captured_object,
    each_file,
    each_object,
    exclude_folders,
    source_files,
)
from benchloom.storage.inputs import stretches as stretches_of
from benchloom.storage.inputs.objects import refused
from benchloom.storage.memory import digest, recall, remembering
from benchloom.storage.seals import file_digest
from benchloom.storage.stages import plan_by_name, plan_shards
from benchloom.storage.tables import table_parts
from benchloom.storage.workspace import MEMORY, FunnelStep
from flows.run.finished import FinishedStage, merged_sources


class ListedObject(NamedTuple):
    """An input object (a file or a member of an archive), described by its path and its size."""

    source_uri: str
    size: int


T = TypeVar("T")
Range = tuple[int, int]
"""The position of the first object of a range, and the position after its last object."""
ObjectFilter = Callable[[SourceObject], bool]
"""A function that decides whether an object is read. It must belong to a module, so that other
processes can import it."""


@dataclass(frozen=True)
class Reads(Generic[T]):
    """The inputs of a stage.

    Attributes:
        shards: the inputs of each shard; they are small and picklable.
        planned: the number of objects in all shards. The stage must account for every object.
        decides: the digests of all inputs.
        sources: the original input files.
        earlier: the counts of the stages that made the inputs.
        files: the paths whose files must still equal `sources` when the stage ends.
        contents: takes the number of a shard, and returns the digests of everything that this shard
            reads, with "" for an unknown digest. None means that a shard of an earlier run can
            never be reused.
        covers: takes the number of a shard, and returns a description of its inputs for messages.
    """

    shards: Sequence[T]
    planned: int
    decides: Sequence[str]
    sources: Sequence[SourceFile] = ()
    earlier: Sequence[FunnelStep] = ()
    files: Sequence[Path] = ()
    contents: Callable[[int], Sequence[str]] | None = None
    covers: Callable[[int], str] | None = None

    def interdependent(self, whole: T) -> "Reads[T]":
        """Return a copy in which a change of any input makes all shards run again.

        If there are no shards, the copy has a single shard, which reads `whole`.
        """
        return replace(self, shards=self.shards or [whole], contents=None)


class ObjectRange(NamedTuple):
    """A range of consecutive input objects; a shard reads those that `accepts` allows."""

    inputs: Sequence[Path]
    stretch: Stretch
    accepts: ObjectFilter

    @contextmanager
    def opened(self) -> Iterator[Sequence[SourceObject]]:
        """Yield the objects of this range in order; their archives are closed after the block."""
        with ExitStack() as stack:
            objects: list[SourceObject] = []
            for file in each_file(self.inputs, self.stretch):
                objects += _objects(file, self.accepts, stack, self.stretch)
            yield self.stretch.cut(sorted(objects, key=attrgetter("source_uri")))


def _objects(
    file: InputFile, accepts: ObjectFilter, stack: ExitStack, within: Stretch | None = None
) -> Iterator[SourceObject]:
    """Yield the accepted objects of a file, or only those in the range `within` if it is set."""
    if file.is_web_archive():
        members = _members(file, file_digest(file.path), accepts)
        if within is not None:
            name = attrgetter("source_uri")
            start = bisect_left(members, within.first, key=name)
            members = members[start : bisect_right(members, within.last, start, key=name)]
        yield from (member.opened(file.path) for member in members)
        return
    limits = InputLimits()
    objects = file.objects(stack, limits) if within is None else file.reached(limits, within)
    yield from filter(accepts, objects)


class _Member(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A member of a web archive (WARC), which is read at the `offset` of its record.

    If the member cannot be read, `problem` contains the reason and the message.
    """

    source_uri: str
    size: int
    offset: int
    problem: tuple[str, str] | None

    def opened(self, archive: str) -> SourceObject:
        """Return this member of the web archive at the path `archive` as an object to read."""
        if self.problem is not None:
            return refused(self.source_uri, RejectedInputError(*self.problem))
        return captured_object(Path(archive), self.source_uri, self.size, self.offset)


@lru_cache(maxsize=2)
def _members(file: InputFile, archive: str, accepts: ObjectFilter) -> list[_Member]:
    """Return the accepted members of a web archive, sorted by name.

    The result is cached, because a process makes many shards of one archive.
    """

    def read() -> list[_Member]:
        with ExitStack() as stack:
            members = [
                _member(source) for source in file.objects(stack, InputLimits()) if accepts(source)
            ]
        if file_digest(file.path) != archive:
            raise RunError(f"{file.path}: changed while it was read; run the same command again")
        return sorted(members, key=attrgetter("source_uri"))

    key = digest("members", archive, file.source_uri, _name(accepts))
    return recall(key, list[_Member], read)


def _member(source: SourceObject) -> _Member:
    problem = None if source.problem is None else (source.problem.reason, source.problem.message)
    offset = 0 if source.capture is None else source.capture.offset
    return _Member(source.source_uri, source.size, offset, problem)


def _name(accepts: ObjectFilter) -> str:
    return f"{accepts.__module__}:{accepts.__qualname__}"


def objects_under(
    inputs: Sequence[Path], accepts: ObjectFilter, part_bytes: int, workspace: Path | None
) -> Reads[ObjectRange]:
    """Divide the objects under the inputs into ranges of about `part_bytes`.

    No file of the `workspace` is read. Without a workspace the ranges are even, so that no
    process waits for the long range of another process. With a workspace a range changes only
    where objects are added or removed, so that later runs can reuse the other shards.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    apart = () if workspace is None else (workspace,)
    with exclude_folders(*apart), remembering(None if workspace is None else workspace / MEMORY):
        sources = source_files(inputs)
        objects = sorted(_list_objects(inputs, accepts), key=itemgetter(0))
    reads = ranges_of(objects, sources, inputs, part_bytes, is_even=workspace is None)
    uris = [source_uri for source_uri, _ in objects]
    return Reads(
        [ObjectRange(inputs, stretch, accepts) for stretch in stretches_of(uris, reads.shards)],
        reads.planned,
        [_name(accepts), *reads.decides],
        sources,
        files=inputs,
        contents=reads.contents,
        covers=reads.covers,
    )


def _list_objects(inputs: Sequence[Path], accepts: ObjectFilter) -> Iterator[ListedObject]:
    is_empty = True
    for file in each_file(inputs):
        with ExitStack() as stack:
            for source in _objects(file, accepts, stack):
                is_empty = False
                yield ListedObject(source.source_uri, source.size)
    if is_empty:
        next(each_object(inputs))  # raises if there is no object at all, accepted or not


def ranges_of(
    objects: Sequence[ListedObject],
    sources: Sequence[SourceFile],
    inputs: Sequence[Path],
    part_bytes: int,
    *,
    is_even: bool = False,
    beside: Sequence[str] = (),
    first: Sequence[str] = (),
) -> Reads[Range]:
    """Divide objects into ranges of about `part_bytes`; return the positions in each range.

    Args:
        objects: the objects, sorted by name.
        sources: the files that contain them.
        inputs: the input paths that contain these files.
        part_bytes: the bytes of a range.
        is_even: whether all ranges have one size, so that a new object may change every range.
        beside: the names of objects that every range also reads.
        first: further digests that determine the first shard.
    """
    uris = [source_uri for source_uri, _ in objects]
    sizes = [size for _, size in objects]
    if is_even:
        ranges = plan_shards(sizes, part_bytes)
    else:
        ranges = plan_by_name(uris, sizes, part_bytes, groups=dict(_archive_ends(objects)))
    digests = {file.source_uri: file.digest for file in sources}

    def contents(number: int) -> list[str]:
        names = (*beside, *uris[slice(*ranges[number])])
        parts = [part for name in names for part in _contents_of(name, digests)]
        return [*first, *parts] if number == 0 else parts

    return Reads(
        ranges,
        len(objects),
        [str(ranges), *chain.from_iterable(digests.items())],
        sources,
        files=inputs,
        contents=contents,
        covers=partial(covered_names, uris, ranges),
    )


def _archive_ends(objects: Sequence[ListedObject]) -> Iterator[tuple[int, int]]:
    """Yield the index after each archive's last member, and the total bytes of its members."""
    start = 0
    for archive, members in groupby(objects, _archive_of):
        sizes = [size for _, size in members]
        start += len(sizes)
        if archive:
            yield start, sum(sizes)


def _archive_of(listed: ListedObject) -> str:
    archive, mark, _ = listed.source_uri.partition(MEMBER)
    return archive if mark else ""


def _contents_of(source_uri: str, digests: Mapping[str, str]) -> list[str]:
    """Return an object's name, and the digests ("" if unknown) of the files that may contain it.

    A name may contain the separator between archive and member although the object is not a member
    of an archive, so the digest of every file that may contain the object is returned.
    """
    steps = source_uri.split(MEMBER)
    containers = (MEMBER.join(steps[: end + 1]) for end in range(len(steps)))
    return [
        source_uri,
        *([digests[uri] for uri in containers if uri in digests] or [""]),
    ]


def rows_of(stage: FinishedStage, table: str, *beside: FinishedStage) -> Reads[Path]:
    """Read a table of a finished stage, with one shard for each file of the table.

    The rows also depend on the stages `beside`, whose source files and counts are listed first.
    """
    parts = table_parts(stage.path, table)
    seals = {file.path: file.sha256 for file in stage.record.files}
    return Reads(
        parts,
        stage.rows[table],
        [stage.key],
        merged_sources([*beside, stage]) if beside else stage.sources,
        [step for finished in (*beside, stage) for step in finished.steps],
        contents=lambda number: [seals.get(parts[number].relative_to(stage.path).as_posix(), "")],
    )


def all_rows_of(stages: Sequence[FinishedStage], table: str) -> Reads[tuple[Path, ...]]:
    """Read a table of finished stages in one shard, for a stage that compares all its rows."""
    return Reads(
        [tuple(stage.path for stage in stages)],
        sum(stage.rows[table] for stage in stages),
        [stage.key for stage in stages],
        merged_sources(stages),
        [step for stage in stages for step in stage.steps],
    )


def covered_names(names: Sequence[str], ranges: Sequence[tuple[int, int]], number: int) -> str:
    """Return the first and the last name in the range with a number, as text for messages."""
    start, stop = ranges[number] if number < len(ranges) else (0, 0)
    ends = dict.fromkeys(names[position] for position in (start, stop - 1) if start < stop)
    return " to ".join(ends) or "no object"
