"""Find the objects in a range of the sorted list of inputs, without reading all inputs.

A process writes many parts of a table, and each part is made from one range. So the process caches
the listing of each folder and archive until that folder or archive changes.
"""

import os
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Generic, NamedTuple, Protocol, TypeVar

from benchloom.storage.inputs.archive import (
    iter_archive,
    member_object,
    members_in_order,
    open_archive,
)
from benchloom.storage.inputs.objects import (
    MEMBER,
    FolderFile,
    InputLimits,
    SourceObject,
    iter_files,
    problem_of,
    readable_name,
    real_path,
)
from benchloom.storage.inputs.stretches import Stretch
from benchloom.storage.seals import Signature, is_settled, signature_of

_MAX_FILES = 2_000_000
_MAX_MEMBERS = 500_000
_MAX_CAPTURES = 200_000


class _Listing(Protocol):
    def __len__(self) -> int: ...


L = TypeVar("L", bound=_Listing)


class _ListingCache(Generic[L]):
    # Bounded by the total length of the listings; the latest listing is never dropped.
    def __init__(self, most: int) -> None:
        self._most = most
        self._listings: dict[tuple[str, str], tuple[Signature, L]] = {}
        self._lock = Lock()

    def get(self, path: str, make: Callable[[], L], source_uri: str = "") -> L:
        key = path, source_uri
        signature = signature_of(os.stat(path))  # noqa: PTH116  for many files, making a Path takes as long as the stat
        with self._lock:
            cache_entry = self._listings.pop(key, None)
            if cache_entry is not None and cache_entry[0] == signature:
                self._listings[key] = cache_entry
                return cache_entry[1]
        listing = make()
        after = os.stat(path)  # noqa: PTH116  as above
        if signature_of(after) == signature and is_settled(after):
            with self._lock:
                self._listings[key] = signature, listing
                self._drop()
        return listing

    def _drop(self) -> None:
        length = sum(len(listing) for _, listing in self._listings.values())
        for key in list(self._listings)[:-1]:
            if length <= self._most:
                break
            length -= len(self._listings.pop(key)[1])


class _Folder(NamedTuple):
    # Names of folders end in a slash; `others` are special files such as pipes. `is_plain` is
    # false if a name is not valid Unicode: such names sort differently here and in rows.
    files: list[str]
    folders: list[str]
    links: frozenset[str]
    others: frozenset[str]
    is_plain: bool

    def __len__(self) -> int:
        return len(self.files) + len(self.folders)


_folders: _ListingCache[_Folder] = _ListingCache(_MAX_FILES)


def files_reached(folder: Path, prefix: str, within: Stretch) -> Iterator[FolderFile]:
    """Yield, unsorted, the files below a folder that may contain objects of the range `within`.

    `prefix` precedes the paths below the folder in the names of objects.
    """
    yield from _below(str(folder), prefix, len(prefix), real_path(folder), within)


def _below(
    folder: str, prefix: str, apart: int, root: Path, within: Stretch
) -> Iterator[FolderFile]:
    try:
        folder_listing = _folders.get(folder, lambda: _listed(folder))
    except OSError:  # an unreadable folder counts as empty
        return
    if not folder_listing.is_plain:
        for file in iter_files(Path(folder), root):
            if within.may_reach(prefix + readable_name(file.relative_path)):
                yield file._replace(relative_path=(prefix + file.relative_path)[apart:])
        return
    for name in _reached(folder_listing.files, prefix, within):
        path = os.path.join(folder, name)  # noqa: PTH118  for many files, a Path takes longer
        is_link = name in folder_listing.links
        is_file = os.path.isfile(path) if is_link else name not in folder_listing.others  # noqa: PTH113  as above
        problem = problem_of(name, path, root, is_link=is_link)
        yield FolderFile(path, (prefix + name)[apart:], problem, is_file)
    for name in _reached_folders(folder_listing.folders, prefix, within):
        inner = os.path.join(folder, name[:-1])  # noqa: PTH118  as above
        yield from _below(inner, prefix + name, apart, root, within)


def _listed(folder: str) -> _Folder:
    files: list[str] = []
    folders: list[str] = []
    links: set[str] = set()
    others: set[str] = set()
    with os.scandir(folder) as scan:
        for entry in scan:
            if entry.is_dir(follow_symlinks=False):
                folders.append(f"{entry.name}/")
                continue
            files.append(entry.name)
            if entry.is_symlink():
                links.add(entry.name)
            elif not entry.is_file(follow_symlinks=False):
                others.add(entry.name)
    is_plain = all(readable_name(name) == name for names in (files, folders) for name in names)
    return _Folder(sorted(files), sorted(folders), frozenset(links), frozenset(others), is_plain)


def _reached(names: Sequence[str], prefix: str, within: Stretch) -> Iterator[str]:
    first, last = _rest(within.first, prefix), _rest(within.last, prefix)
    start = bisect_left(names, first)
    # The first object may be a member of a file that sorts before it: then the object's name
    # begins with the file's name, and the next character does not sort after `!`.
    for length, letter in enumerate(first):
        if letter <= MEMBER:
            at = bisect_left(names, first[:length], 0, start)
            if at < start and names[at] == first[:length] and within.may_reach(prefix + names[at]):
                yield names[at]
    for name in names[start : bisect_right(names, last, start)]:
        if within.may_reach(prefix + name):
            yield name


def _reached_folders(names: Sequence[str], prefix: str, within: Stretch) -> Iterator[str]:
    first, last = _rest(within.first, prefix), _rest(within.last, prefix)
    start = bisect_right(names, first)
    if start and first.startswith(names[start - 1]):
        start -= 1
    yield from names[start : bisect_right(names, last, start)]


_BEHIND_ALL = "\U0010ffff"


def _rest(name: str, prefix: str) -> str:
    # Without the prefix, the end of a range is comparable with names below the prefix.
    if name.startswith(prefix):
        return name[len(prefix) :]
    return "" if name < prefix else _BEHIND_ALL


class _Archive(NamedTuple):
    archive: zipfile.ZipFile
    names: list[str]
    members: list[zipfile.ZipInfo]
    is_plain: bool

    def __len__(self) -> int:
        return len(self.members)


_archives: _ListingCache[_Archive] = _ListingCache(_MAX_MEMBERS)


def members_reached(
    path: Path, source_uri: str, limits: InputLimits, within: Stretch
) -> Iterator[SourceObject]:
    """Yield the members of a zip archive that are in the range `within`.

    Raises RejectedInputError if the archive is damaged.
    """
    open_zip = _archives.get(str(path), lambda: _opened(path))
    prefix = source_uri + MEMBER
    start, stop = 0, len(open_zip)
    if open_zip.is_plain:
        start = bisect_left(open_zip.names, _rest(within.first, prefix))
        stop = bisect_right(open_zip.names, _rest(within.last, prefix), start)
    for member in open_zip.members[start:stop]:
        source_object = member_object(open_zip.archive, member, source_uri, limits)
        if within.reaches(source_object.source_uri):
            yield source_object


def _opened(path: Path) -> _Archive:
    # The archive closes when the cache drops it and its last reader is finished.
    archive = open_archive(path)
    members = members_in_order(archive)
    names = [readable_name(member.filename) for member in members]
    is_plain = all(
        name == archive_member.filename for name, archive_member in zip(names, members, strict=True)
    )
    return _Archive(archive, names, members, is_plain)


class _WebArchive(NamedTuple):
    names: list[str]
    objects: list[SourceObject]

    def __len__(self) -> int:
        return len(self.objects)


_web_archives: _ListingCache[_WebArchive] = _ListingCache(_MAX_CAPTURES)


def captures_reached(
    path: Path, source_uri: str, limits: InputLimits, within: Stretch
) -> Iterator[SourceObject]:
    """Yield the stored responses of a web archive that are in the range `within`, as objects."""

    def scanned() -> _WebArchive:
        objects = sorted(
            iter_archive(path, source_uri, limits),
            key=lambda source_object: source_object.source_uri,
        )
        return _WebArchive([source_object.source_uri for source_object in objects], objects)

    archive = _web_archives.get(str(path), scanned, source_uri)
    start = bisect_left(archive.names, within.first)
    yield from archive.objects[start : bisect_right(archive.names, within.last, start)]
