"""What is under the inputs, and what its bytes are, without reading archives that are known.

To tell what decides a shard takes the bytes of all its objects. Of an archive they are what they
were as long as the archive is: a file of a store, named by the digest of the archive, tells its
members and their digests. A run leaves what it used and forgets the rest; a file that is missing
or damaged costs reading the archive again.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import msgspec

from benchloom.identity import tagged_digest
from benchloom.inputs import (
    InputFile,
    InputLimits,
    SourceObject,
    each_file,
    nothing_under,
    told_bytes,
)
from benchloom.sealing import file_digest
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
    """A member of an archive: its place after that of the archive, its size, and `told_bytes`."""

    place: str
    size: int
    told: str


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
    content = read_sealed(path)
    if content is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(content, type=list[_Member])
    members: list[_Member] = []
    is_sure = True
    with ExitStack() as stack:
        for one in file.objects(stack, limits):
            if wanted(one):
                told = told_bytes(one)
                # What could not be read may be read next time: of a share, or by another user.
                is_sure = is_sure and (told.startswith(_READ) or one.problem is not None)
                place = one.source_uri.removeprefix(file.source_uri)
                members.append(_Member(place, one.size, told))
    if is_sure and file_digest(file.path) == digest:
        with suppress(OSError):
            write_sealed(path, msgspec.msgpack.encode(members))
    return members
