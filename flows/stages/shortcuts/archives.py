"""What is under the inputs, and what its bytes are, without reading archives that are known.

To tell what decides a shard takes the bytes of all its objects. Of an archive they are what they
were as long as the archive is: a file of a store, named by the digest of the archive, tells its
members and their digests. A run leaves what it used and forgets the rest; a file that is missing
or damaged costs reading the archive again.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

import msgspec

from benchloom.errors import RejectedInputError
from benchloom.identity import tagged_digest
from benchloom.inputs import (
    InputFile,
    InputLimits,
    SourceObject,
    Stretch,
    captured_object,
    each_file,
    list_objects,
    nothing_under,
    told_bytes,
)
from benchloom.inputs.objects import unreadable
from benchloom.sealing import file_digest
from benchloom.withholding.captures import file_digest as captured_digest
from benchloom.workspace import forget_unused, read_sealed, write_sealed

_ENDING = ".members"
_READ = tagged_digest("file", b"").partition(":")[0] + ":"
"""How the digest of an object begins that was read."""


class ToldObject(msgspec.Struct, frozen=True, gc=False):
    """An object by its place and size: what its bytes are is `known`, or found in the `source`."""

    source_uri: str
    size: int
    known: str | None = None
    source: SourceObject | None = None

    def told(self) -> str:
        """What `told_bytes` says of it."""
        if self.known is not None or self.source is None:
            return self.known or ""
        return told_bytes(self.source)


class _Member(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A member of an archive: its place after that of the archive, its size, and `told_bytes`.

    `offset` is that of its record in a web archive; `problem` is why it must not be read there.
    """

    place: str
    size: int
    told: str
    offset: int | None = None
    problem: tuple[str, str] | None = None

    def captured(self, path: Path, source_uri: str) -> SourceObject | None:
        """The member of a web archive at a path, by the name of it; None where no offset is."""
        if self.problem is not None:
            error = RejectedInputError(*self.problem)
            return SourceObject(source_uri, self.size, unreadable(*self.problem), error)
        if self.offset is None:
            return None
        return captured_object(path, source_uri, self.size, self.offset)


def each_told(
    inputs: Sequence[Path], wanted: Callable[[SourceObject], bool], store: Path | None = None
) -> Iterator[ToldObject]:
    """The objects of `each_object` that are wanted.

    A `store` is a folder of this function alone, which is named by what decides which members of
    archives are wanted and what is told of them.

    Raises:
        RunError: an input does not exist, or there is no object at all.
    """
    limits = InputLimits()
    found = False
    used: set[str] = set()
    for file in each_file(inputs):
        is_zip = file.is_zip()
        if store is not None and (is_zip or file.is_web_archive()):
            for member in _members(file, wanted, limits, store, used):
                found = True
                yield ToldObject(file.source_uri + member.place, member.size, member.told)
            continue
        with ExitStack() as stack:
            for one in file.objects(stack, limits, is_zip=is_zip):
                found = True
                if wanted(one):
                    yield ToldObject(one.source_uri, one.size, source=one)
    if store is not None:
        forget_unused(store, used)
    if not found:
        raise nothing_under(inputs)


def _members(
    file: InputFile,
    wanted: Callable[[SourceObject], bool],
    limits: InputLimits,
    store: Path,
    used: set[str],
) -> list[_Member]:
    digest = file_digest(file.path)
    path = store / f"{digest}{_ENDING}"
    used.add(path.name)
    known = _known_members(path)
    if known is not None:
        return known
    members: list[_Member] = []
    is_sure = True
    with ExitStack() as stack:
        for one in file.objects(stack, limits):
            if wanted(one):
                member = _member(one, one.source_uri.removeprefix(file.source_uri))
                # What could not be read may be read next time: of a share, or by another user.
                is_sure = is_sure and (member.told.startswith(_READ) or one.problem is not None)
                members.append(member)
    if is_sure and file_digest(file.path) == digest:
        with suppress(OSError):
            write_sealed(path, msgspec.msgpack.encode(members))
    return members


def _member(one: SourceObject, place: str) -> _Member:
    problem = None if one.problem is None else (one.problem.reason, one.problem.message)
    if one.capture is None or problem is not None:
        return _Member(place, one.size, told_bytes(one), None, problem)
    # Whoever scans a web archive reads all it holds, and tells the digest of it.
    return _Member(place, one.size, captured_digest(one.capture.body_digest), one.capture.offset)


def _known_members(path: Path) -> list[_Member] | None:
    content = read_sealed(path)
    if content is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(content, type=list[_Member])
    return None


def reached_objects(
    inputs: Sequence[Path], stack: ExitStack, within: Stretch, store: Path | None = None
) -> list[SourceObject]:
    """The objects of `list_objects` within a stretch, those of known web archives by the `store`.

    Of those that are not wanted some are missing, and an object of a known archive has no capture.

    Raises:
        RunError: an input does not exist.
    """
    if store is None:
        return list_objects(inputs, stack, within=within)
    limits = InputLimits()
    found: list[SourceObject] = []
    for file in each_file(inputs, within):
        known = _captured(file, within, store) if file.is_web_archive() else None
        found += file.reached(limits, within) if known is None else known
    return sorted(found, key=attrgetter("source_uri"))


def _captured(file: InputFile, within: Stretch, store: Path) -> list[SourceObject] | None:
    """The objects of a web archive in a stretch, None where the store does not tell them."""
    path = Path(file.path)
    members = _sorted_members(store / f"{file_digest(path)}{_ENDING}", file.source_uri)
    if members is None:
        return None
    start = bisect_left(members, within.first, key=_name)
    stop = bisect_right(members, within.last, start, key=_name)
    found = [member.captured(path, name) for name, member in members[start:stop]]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) else None


_Named = tuple[str, _Member]


def _name(one: _Named) -> str:
    return one[0]


@lru_cache(maxsize=2)
def _sorted_members(path: Path, source_uri: str) -> list[_Named] | None:
    """The members of an archive by their names: a process makes many shards of one."""
    members = _known_members(path)
    if members is None:
        return None
    return sorted(((source_uri + one.place, one) for one in members), key=_name)
