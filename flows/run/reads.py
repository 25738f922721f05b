"""The inputs of a stage, and how they are divided among shards.

The members of a web archive are listed once: later runs get them from the workspace memory.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, groupby
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.storage.inputs import (
    MEMBER,
    InputFile,
    InputLimits,
    SourceFile,
    SourceObject,
    Stretch,
    captured_object,
    each_file,
    exclude_folders,
    list_objects,
    nothing_under,
    source_files,
)
from benchloom.storage.inputs import stretches as stretches_of
from benchloom.storage.inputs.objects import unreadable
from benchloom.storage.memory import MEMORY, digest, memory, remembering
from benchloom.storage.sealing import file_digest
from benchloom.storage.stages import plan_by_name, plan_shards
from benchloom.storage.tables import table_parts
from benchloom.storage.workspace import FunnelStep
from flows.run.finished import FinishedStage, merged_sources


class _Member(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A member of a web archive: its path after the archive's path, and its size.

    `offset` is the offset of the member's record in the archive; `problem` is the reason why
    the member must not be read.
    """

    place: str
    size: int
    offset: int | None = None
    problem: tuple[str, str] | None = None

    def captured(self, path: Path, source_uri: str) -> SourceObject | None:
        """Return this member of the web archive at `path`, or None if its offset is unknown."""
        if self.problem is not None:
            error = RejectedInputError(*self.problem)
            return SourceObject(source_uri, self.size, unreadable(*self.problem), error)
        if self.offset is None:
            return None
        return captured_object(path, source_uri, self.size, self.offset)


class ListedObject(NamedTuple):
    """An input object, described by its path and size."""

    source_uri: str
    size: int


def listed_objects(
    inputs: Sequence[Path], predicate: Callable[[SourceObject], bool]
) -> Iterator[ListedObject]:
    """Yield the objects under the inputs that match the predicate.

    Raises:
        RunError: an input does not exist, or no input contains an object.
    """
    limits = InputLimits()
    is_empty = True
    for file in each_file(inputs):
        if memory() is not None and file.is_web_archive():
            for member in _members(file, predicate, limits):
                is_empty = False
                yield ListedObject(file.source_uri + member.place, member.size)
            continue
        with ExitStack() as stack:
            for source in file.objects(stack, limits, is_zip=file.is_zip()):
                is_empty = False
                if predicate(source):
                    yield ListedObject(source.source_uri, source.size)
    if is_empty:
        raise nothing_under(inputs)


def _members(
    file: InputFile, predicate: Callable[[SourceObject], bool], limits: InputLimits
) -> list[_Member]:
    archive = file_digest(file.path)
    key = _key(archive, predicate)
    cached_members = _remembered_members(key)
    if cached_members is not None:
        return cached_members
    members: list[_Member] = []
    is_sure = True
    with ExitStack() as stack:
        for source in file.objects(stack, limits):
            if predicate(source):
                member = _member(source, source.source_uri.removeprefix(file.source_uri))
                # What could not be read may be read next time: of a share, or by another user.
                is_sure = is_sure and (member.offset is not None or member.problem is not None)
                members.append(member)
    remembered = memory()
    if remembered is not None and is_sure and file_digest(file.path) == archive:
        remembered.put(key, msgspec.msgpack.encode(members))
    return members


def _member(source: SourceObject, member_path: str) -> _Member:
    problem = None if source.problem is None else (source.problem.reason, source.problem.message)
    offset = None if source.capture is None or problem is not None else source.capture.offset
    return _Member(member_path, source.size, offset, problem)


def _key(archive: str, predicate: Callable[[SourceObject], bool]) -> bytes:
    return digest("members", archive, f"{predicate.__module__}:{predicate.__qualname__}")


def _remembered_members(key: bytes) -> list[_Member] | None:
    remembered = memory()
    content = None if remembered is None else remembered.get(key)
    if content is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(content, type=list[_Member])
    return None


def reached_objects(
    inputs: Sequence[Path],
    stack: ExitStack,
    within: Stretch,
    predicate: Callable[[SourceObject], bool],
) -> list[SourceObject]:
    """Return the input objects that are in a stretch, without rereading cached archives.

    The result is that of `list_objects`, except that some objects that do not match the
    predicate are missing, and members of a cached web archive have no capture: these members
    are read by their offsets.

    Raises:
        RunError: an input does not exist.
    """
    if memory() is None:
        return list_objects(inputs, stack, within=within)
    limits = InputLimits()
    objects: list[SourceObject] = []
    for file in each_file(inputs, within):
        cached_objects = _captured(file, within, predicate) if file.is_web_archive() else None
        objects += file.reached(limits, within) if cached_objects is None else cached_objects
    return sorted(objects, key=attrgetter("source_uri"))


def _captured(
    file: InputFile, within: Stretch, predicate: Callable[[SourceObject], bool]
) -> list[SourceObject] | None:
    """Return the objects of a web archive within a stretch, or None if they are not cached."""
    path = Path(file.path)
    members = _sorted_members(_key(file_digest(path), predicate), file.source_uri)
    if members is None:
        return None
    start = bisect_left(members, within.first, key=_name)
    stop = bisect_right(members, within.last, start, key=_name)
    captured_objects = [member.captured(path, name) for name, member in members[start:stop]]
    objects = [source for source in captured_objects if source is not None]
    return objects if len(objects) == len(captured_objects) else None


_Named = tuple[str, _Member]


def _name(named_member: _Named) -> str:
    return named_member[0]


@lru_cache(maxsize=2)
def _sorted_members(key: bytes, source_uri: str) -> list[_Named] | None:
    """Return a web archive's members sorted by name, or None if the memory lacks them.

    The result is cached, because a process makes many shards of one archive.
    """
    members = _remembered_members(key)
    if members is None:
        return None
    return sorted(((source_uri + member.place, member) for member in members), key=_name)


T = TypeVar("T")
Range = tuple[int, int]
"""The position of the first object of a range, and the position after its last one."""
ObjectFilter = Callable[[SourceObject], bool]
"""Whether an object is read; a function of a module, which other processes import."""


@dataclass(frozen=True)
class Reads(Generic[T]):
    """The inputs of a stage.

    Attributes:
        shards: what each shard reads: small and picklable.
        planned: how many objects that is; every one has to be accounted for.
        decides: the digests of everything that is read.
        sources: the files it came from first.
        earlier: what the stages before counted.
        files: the paths whose files must still be `sources` when the stage ends.
        contents: for the number of a shard the digests of everything that this shard reads;
            None if a shard of an earlier run can never replace it. An unknown digest is "".
        covers: for the number of a shard, what it reads in words for people.
    """

    shards: Sequence[T]
    planned: int
    decides: Sequence[str]
    sources: Sequence[SourceFile] = ()
    earlier: Sequence[FunnelStep] = ()
    files: Sequence[Path] = ()
    contents: Callable[[int], Sequence[str]] | None = None
    covers: Callable[[int], str] | None = None


class ObjectRange(NamedTuple):
    """A range of consecutive objects under the inputs."""

    inputs: Sequence[Path]
    stretch: Stretch
    wanted: ObjectFilter

    @contextmanager
    def opened(self) -> Iterator[Sequence[SourceObject]]:
        """The objects in order; archives are closed when the block ends."""
        with ExitStack() as stack:
            reached = reached_objects(self.inputs, stack, self.stretch, self.wanted)
            yield self.stretch.cut([source for source in reached if self.wanted(source)])


def objects_under(
    inputs: Sequence[Path], predicate: ObjectFilter, shard_bytes: int, workspace: Path | None
) -> Reads[ObjectRange]:
    """Divide the objects under the inputs into ranges of about `shard_bytes`.

    No file of the `workspace` is read. Without a workspace the ranges are even, so that no
    process waits for the long range of another process. With a workspace a range changes only
    where objects are added or removed, so that later runs can reuse the other shards.

    Raises:
        RunError: an input is missing or there is nothing to read.
    """
    apart = () if workspace is None else (workspace,)
    with exclude_folders(*apart), remembering(None if workspace is None else workspace / MEMORY):
        # First the digests: archives whose digest is known are listed without reading them.
        sources = source_files(inputs)
        objects = sorted(listed_objects(inputs, predicate), key=itemgetter(0))
    reads = ranges_of(objects, sources, inputs, shard_bytes, is_even=workspace is None)
    uris = [source_uri for source_uri, _ in objects]
    return Reads(
        [ObjectRange(inputs, cut, predicate) for cut in stretches_of(uris, reads.shards)],
        reads.planned,
        [f"{predicate.__module__}:{predicate.__qualname__}", *reads.decides],
        sources,
        files=inputs,
        contents=reads.contents,
        covers=reads.covers,
    )


def ranges_of(
    objects: Sequence[ListedObject],
    sources: Sequence[SourceFile],
    inputs: Sequence[Path],
    shard_bytes: int,
    *,
    is_even: bool = False,
    beside: Sequence[str] = (),
    first: Sequence[str] = (),
) -> Reads[Range]:
    """Divide objects into ranges of about `shard_bytes`, each the positions of its objects.

    Args:
        objects: the objects in the order of their names.
        sources: the files that contain them.
        inputs: the paths under which these files are.
        shard_bytes: the bytes of a range.
        is_even: whether a new object may change every range, so that all are of one size.
        beside: the names of the objects that every range reads besides its own.
        first: what else decides the shard of the first range.
    """
    uris = [source_uri for source_uri, _ in objects]
    sizes = [size for _, size in objects]
    if is_even:
        ranges = plan_shards(sizes, shard_bytes)
    else:
        ranges = plan_by_name(uris, sizes, shard_bytes, wholes=dict(_archive_ends(objects)))
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
    """Yield the index after the last member of each archive, and the bytes of its members."""
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
    """Return an object's name and the digest of the file that contains it, "" if unknown.

    A name may contain the separator between archive and member although the object is not a member
    of an archive, so the digest of every file that may contain the object is returned.
    """
    steps = source_uri.split(MEMBER)
    places = (MEMBER.join(steps[: end + 1]) for end in range(len(steps)))
    return [
        source_uri,
        *([digests[container_uri] for container_uri in places if container_uri in digests] or [""]),
    ]


def rows_of(stage: FinishedStage, table: str, *beside: FinishedStage) -> Reads[Path]:
    """Read a table of a finished stage, one shard for each of its files.

    The rows are also made from the stages `beside`, whose sources and counts come first.
    """
    parts = table_parts(stage.path, table)
    seals = {file.path: file.sha256 for file in stage.mark.files}
    return Reads(
        parts,
        stage.rows[table],
        [stage.key],
        merged_sources([*beside, stage]) if beside else stage.sources,
        [step for finished in (*beside, stage) for step in finished.steps],
        contents=lambda number: [seals.get(parts[number].relative_to(stage.path).as_posix(), "")],
    )


def all_rows_of(stages: Sequence[FinishedStage], table: str) -> Reads[tuple[Path, ...]]:
    """Read finished stages in one shard, which compares all rows of the table with each other."""
    return Reads(
        [tuple(stage.path for stage in stages)],
        sum(stage.rows[table] for stage in stages),
        [stage.key for stage in stages],
        merged_sources(stages),
        [step for stage in stages for step in stage.steps],
    )


def covered_names(names: Sequence[str], ranges: Sequence[tuple[int, int]], number: int) -> str:
    """Describe one of the ranges of names in words: its first and its last name."""
    start, stop = ranges[number] if number < len(ranges) else (0, 0)
    covered = dict.fromkeys(names[position] for position in (start, stop - 1) if start < stop)
    return " to ".join(covered) or "no object"
