"""A stretch of a list reaches what the list has there, whatever objects are called."""

import shutil
import time
import zipfile
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from benchloom.core.errors import RejectedInputError, RunError
from benchloom.storage import seals
from benchloom.storage.inputs import (
    InputLimits,
    SourceObject,
    Stretch,
    list_objects,
    reached,
    stretches,
)
from benchloom.storage.inputs.listing import each_file

LETTERS = ' !"-.~a\u00e9\udc80'
"""Characters that sort before the mark of members, the mark, others behind it, and a non-text."""
NAME = st.text(LETTERS, min_size=1, max_size=4).filter(lambda name: name not in {".", ".."})
MEMBERS = st.lists(st.text(LETTERS.replace("\udc80", "/"), min_size=1, max_size=4), max_size=4)
Tree = dict[str, "bytes | list[str] | Tree"]
"""Names of files with their bytes, of archives with their members, of folders with theirs."""
TREE = st.recursive(
    st.just(b"x") | MEMBERS,
    lambda inner: st.dictionaries(NAME, inner, min_size=1, max_size=4),
    max_leaves=10,
)
LONG = 60_000_000_000
Read = list[tuple[str, bytes | str]]


def grow(folder: Path, tree: Tree) -> None:
    """Make a tree."""
    for name, content in tree.items():
        path = folder / name
        if isinstance(content, dict):
            path.mkdir()
            grow(path, content)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            write_zip(path, content)


def write_zip(path: Path, members: list[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for number, name in enumerate(dict.fromkeys(members)):
            archive.writestr(name, f"{number} {name}")


def settle(*paths: Path) -> None:
    """Wait until no change can hide behind the times of these."""
    newest = max(path.stat().st_ctime_ns for path in paths)
    while time.time_ns() - newest < 150_000_000:
        time.sleep(0.01)


def read(inputs: list[Path], within: Stretch | None = None) -> Read:
    """Names and contents of a list of objects, or of a stretch of one."""
    with ExitStack() as stack:
        objects = list_objects(inputs, stack) if within is None else objects_within(inputs, within)
        return [(source_object.source_uri, content(source_object)) for source_object in objects]


def objects_within(inputs: list[Path], within: Stretch) -> Sequence[SourceObject]:
    """The objects of a stretch; files that cannot contain them are not opened."""
    files = each_file(inputs, within)
    objects = chain.from_iterable(file.reached(InputLimits(), within) for file in files)
    return within.cut(sorted(objects, key=attrgetter("source_uri")))


def content(one: SourceObject) -> bytes | str:
    try:
        return one.read()
    except RejectedInputError as error:
        return error.reason


@given(tree=st.dictionaries(NAME, TREE, min_size=1, max_size=5), data=st.data())
@settings(max_examples=120, deadline=None)
def test_any_stretch_of_any_tree(tree: Tree, data: st.DataObject) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        patch.setattr(seals, "_SETTLED_NS", -LONG)  # nobody changes it, and it is known at once
        grow(Path(name), tree)
        apart = data.draw(st.booleans())
        inputs = sorted(Path(name).iterdir()) if apart else [Path(name)]
        try:
            whole = read(inputs)
        except RunError:
            reject()
        uris = [uri for uri, _ in whole]
        for _ in range(4):
            start = data.draw(st.integers(0, len(whole) - 1))
            stop = data.draw(st.integers(start + 1, len(whole)))
            (part,) = stretches(uris, [(start, stop)])
            assert read(inputs, part) == whole[start:stop]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with files, an archive and a link."""
    folder = tmp_path / "place"
    folder.mkdir()
    files: Tree = {"a": b"1", "b.zip": ["m", "n"], "b.zip 2": b"5", "b.zip-": b"6"}
    grow(folder, files | {"sub": {"c": b"2", "d": b"3"}})
    (folder / "link").symlink_to("a")
    settle(folder, folder / "sub", folder / "b.zip")
    return folder


def every_stretch(inputs: list[Path]) -> None:
    """Each stretch of a list has what the list has there."""
    whole = read(inputs)
    uris = [uri for uri, _ in whole]
    for start in range(len(whole)):
        for stop in range(start + 1, len(whole) + 1):
            (part,) = stretches(uris, [(start, stop)])
            assert read(inputs, part) == whole[start:stop]


def test_what_is_there_is_looked_through_once(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    listed, opened = reached._listed, reached._opened

    def noted_folder(folder: str) -> reached._Folder:
        looked.append(Path(folder).name)
        return listed(folder)

    def noted_archive(path: Path) -> reached._Archive:
        looked.append(path.name)
        return opened(path)

    monkeypatch.setattr(reached, "_listed", noted_folder)
    monkeypatch.setattr(reached, "_opened", noted_archive)
    every_stretch([place])
    assert sorted(looked) == ["b.zip", "place", "sub"]


def test_what_changes_is_seen(place: Path) -> None:
    every_stretch([place])
    (place / "new").write_bytes(b"4")
    write_zip(place / "b.zip", ["m", "o", "p"])
    (place / "sub" / "c").unlink()
    every_stretch([place])
    (place / "a").unlink()
    (place / "a").symlink_to("/")
    every_stretch([place])
    (place / "b.zip").write_bytes(b"PK\x03\x04 is the beginning of an archive")
    every_stretch([place])
    shutil.rmtree(place / "sub")
    every_stretch([place])


def test_what_has_just_changed_is_not_known(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache: reached._ListingCache[str] = reached._ListingCache(6)
    listings: list[str] = []

    def listing() -> str:
        listings.append("a")
        return "a"

    monkeypatch.setattr(seals, "_SETTLED_NS", LONG)
    cache.get(str(place), listing)
    cache.get(str(place), listing)
    assert len(listings) == 2
    monkeypatch.undo()
    cache.get(str(place), listing)
    cache.get(str(place), listing)
    assert len(listings) == 3


def test_few_listings_are_held(place: Path) -> None:
    cache: reached._ListingCache[str] = reached._ListingCache(6)
    listings: list[str] = []

    def listing(name: str) -> str:
        listings.append(name)
        return name * 3

    for name in ("a", "link", "a", "link", "sub", "sub", "a"):
        cache.get(str(place / name), partial(listing, name[0]))
    assert listings == ["a", "l", "s", "a"]
    big: reached._ListingCache[str] = reached._ListingCache(1)
    for _ in range(3):
        big.get(str(place), partial(listing, "b"))
    assert listings.count("b") == 1
