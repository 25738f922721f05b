"""List the objects under the inputs without rereading archives whose members are cached."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchloom.core.errors import RejectedInputError
from benchloom.storage.inputs import (
    InputFile,
    InputLimits,
    SourceObject,
    Stretch,
    captured_object,
    each_file,
    list_objects,
    nothing_under,
)
from benchloom.storage.inputs.objects import unreadable
from benchloom.storage.memory import digest, memory
from benchloom.storage.sealing import file_digest


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
