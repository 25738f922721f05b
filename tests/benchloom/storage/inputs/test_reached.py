"""Tests of stretches: reading a stretch of a list equals that part of the whole list."""

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
"""Characters that sort before, at and after the `!` of members, and one that is not UTF-8."""
NAME = st.text(LETTERS, min_size=1, max_size=4).filter(lambda name: name not in {".", ".."})
MEMBERS = st.lists(st.text(LETTERS.replace("\udc80", "/"), min_size=1, max_size=4), max_size=4)
Tree = dict[str, "bytes | list[str] | Tree"]
"""File names with bytes, archive names with member names, and folder names with their trees."""
TREE = st.recursive(
    st.just(b"x") | MEMBERS,
    lambda inner: st.dictionaries(NAME, inner, min_size=1, max_size=4),
    max_leaves=10,
)
LONG = 60_000_000_000
Read = list[tuple[str, bytes | str]]


def write_tree(folder: Path, tree: Tree) -> None:
    """Write the files, archives and folders of a tree to a folder."""
    for name, content in tree.items():
        path = folder / name
        if isinstance(content, dict):
            path.mkdir()
            write_tree(path, content)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            write_zip(path, content)


def write_zip(path: Path, members: list[str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for number, name in enumerate(dict.fromkeys(members)):
            archive.writestr(name, f"{number} {name}")


def wait_until_settled(*paths: Path) -> None:
    """Wait until a later change of these paths must change their times."""
    newest = max(path.stat().st_ctime_ns for path in paths)
    while time.time_ns() - newest < 150_000_000:
        time.sleep(0.01)


def read(inputs: list[Path], within: Stretch | None = None) -> Read:
    """Return names and contents of the objects of a list, or of a stretch of it."""
    with ExitStack() as stack:
        objects = list_objects(inputs, stack) if within is None else objects_within(inputs, within)
        return [(source_object.source_uri, content(source_object)) for source_object in objects]


def objects_within(inputs: list[Path], within: Stretch) -> Sequence[SourceObject]:
    """Return the objects of a stretch; files that cannot contain them are not opened."""
    files = each_file(inputs, within)
    objects = chain.from_iterable(file.reached(InputLimits(), within) for file in files)
    return within.cut(sorted(objects, key=attrgetter("source_uri")))


def content(source_object: SourceObject) -> bytes | str:
    """Return the bytes of an object, or the reason why it cannot be read."""
    try:
        return source_object.read()
    except RejectedInputError as error:
        return error.reason


@given(tree=st.dictionaries(NAME, TREE, min_size=1, max_size=5), data=st.data())
@settings(max_examples=120, deadline=None)
def test_stretch_equals_that_part_of_the_whole_list(tree: Tree, data: st.DataObject) -> None:
    with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as patch:
        # Nothing changes these files, so their listings may be cached immediately.
        patch.setattr(seals, "_SETTLED_NS", -LONG)
        write_tree(Path(name), tree)
        separate_inputs = data.draw(st.booleans())
        inputs = sorted(Path(name).iterdir()) if separate_inputs else [Path(name)]
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
def sample_folder(tmp_path: Path) -> Path:
    """A folder with files, an archive, a subfolder and a link."""
    folder = tmp_path / "place"
    folder.mkdir()
    files: Tree = {"a": b"1", "b.zip": ["m", "n"], "b.zip 2": b"5", "b.zip-": b"6"}
    write_tree(folder, files | {"sub": {"c": b"2", "d": b"3"}})
    (folder / "link").symlink_to("a")
    wait_until_settled(folder, folder / "sub", folder / "b.zip")
    return folder


def check_every_stretch(inputs: list[Path]) -> None:
    """Check that every stretch equals that part of the whole list."""
    whole = read(inputs)
    uris = [uri for uri, _ in whole]
    for start in range(len(whole)):
        for stop in range(start + 1, len(whole) + 1):
            (part,) = stretches(uris, [(start, stop)])
            assert read(inputs, part) == whole[start:stop]


def test_folders_and_archives_are_listed_once(
    sample_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed_names: list[str] = []
    listed, opened = reached._listed, reached._opened

    def record_folder(folder: str) -> reached._Folder:
        listed_names.append(Path(folder).name)
        return listed(folder)

    def record_archive(path: Path) -> reached._Archive:
        listed_names.append(path.name)
        return opened(path)

    monkeypatch.setattr(reached, "_listed", record_folder)
    monkeypatch.setattr(reached, "_opened", record_archive)
    check_every_stretch([sample_folder])
    assert sorted(listed_names) == ["b.zip", "place", "sub"]


def test_changes_appear_in_the_next_listing(sample_folder: Path) -> None:
    check_every_stretch([sample_folder])
    (sample_folder / "new").write_bytes(b"4")
    write_zip(sample_folder / "b.zip", ["m", "o", "p"])
    (sample_folder / "sub" / "c").unlink()
    check_every_stretch([sample_folder])
    (sample_folder / "a").unlink()
    (sample_folder / "a").symlink_to("/")
    check_every_stretch([sample_folder])
    (sample_folder / "b.zip").write_bytes(b"PK\x03\x04 is the beginning of an archive")
    check_every_stretch([sample_folder])
    shutil.rmtree(sample_folder / "sub")
    check_every_stretch([sample_folder])


def test_recently_changed_folder_is_not_cached(
    sample_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache: reached._ListingCache[str] = reached._ListingCache(6)
    listings: list[str] = []

    def listing() -> str:
        listings.append("a")
        return "a"

    monkeypatch.setattr(seals, "_SETTLED_NS", LONG)
    cache.get(str(sample_folder), listing)
    cache.get(str(sample_folder), listing)
    assert len(listings) == 2
    monkeypatch.undo()
    cache.get(str(sample_folder), listing)
    cache.get(str(sample_folder), listing)
    assert len(listings) == 3


def test_listing_cache_is_bounded(sample_folder: Path) -> None:
    cache: reached._ListingCache[str] = reached._ListingCache(6)
    listings: list[str] = []

    def listing(name: str) -> str:
        listings.append(name)
        return name * 3

    for name in ("a", "link", "a", "link", "sub", "sub", "a"):
        cache.get(str(sample_folder / name), partial(listing, name[0]))
    assert listings == ["a", "l", "s", "a"]
    big: reached._ListingCache[str] = reached._ListingCache(1)
    for _ in range(3):
        big.get(str(sample_folder), partial(listing, "b"))
    assert listings.count("b") == 1
