"""An archive that is known is not read again, and what it tells is what reading it would tell."""

import io
import os
import shutil
import zipfile
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from warcio.warcwriter import WARCWriter

from benchloom.errors import RunError
from benchloom.inputs import (
    SourceObject,
    each_object,
    list_objects,
    stretches,
    told_bytes,
)
from benchloom.inputs import reached as reached_by_scanning
from benchloom.records import Header
from benchloom.stages import ShardMark
from benchloom.workspace import StageMark, write_sealed
from flows.stages.sharded import run_stage
from flows.stages.shortcuts import archives, parse
from flows.stages.shortcuts.archives import each_told, reached_objects
from flows.stages.shortcuts.parse import every_object
from scrapers.captures import CaptureWriter
from tests.support.demo_world import SHORTCUTS

Facts = list[tuple[str, int, str]]


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def write_web_archive(path: Path, bodies: dict[str, bytes]) -> None:
    """Pages with these bodies, and behind them a page that is cut short."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    for name, body in bodies.items():
        fields = {"WARC-Date": "2026-02-03T04:05:06Z"}
        record = writer.create_warc_record(
            f"https://site.example/{name}",
            "resource",
            io.BytesIO(body),
            len(body),
            warc_headers_dict=fields,
        )
        writer.write_record(record)
    path.write_bytes(out.getvalue() + out.getvalue()[:40])


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Two archives, a file, a link that leads out, and an archive whose directory is damaged."""
    folder = tmp_path / "inputs"
    (folder / "below").mkdir(parents=True)
    write_zip(folder / "one.zip", {"a": b"first", "b": b"second", "../out": b"x", "c/d": b""})
    write_zip(folder / "below" / "two.zip", {"a": b"first", "sub/é": b"third"})
    (folder / "alone.shortcut").write_bytes(b"by itself")
    (folder / "link").symlink_to(tmp_path / "elsewhere")
    (folder / "broken.zip").write_bytes(b"PK\x03\x04 and nothing more")
    return folder


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The objects of archives that are read."""
    found: list[str] = []

    def noted(source: SourceObject) -> str:
        if "!" in source.source_uri:
            found.append(source.source_uri)
        return told_bytes(source)

    monkeypatch.setattr(archives, "told_bytes", noted)
    return found


def known(inputs: Path, store: Path | None) -> Facts:
    return [(one.source_uri, one.size, one.told()) for one in each_told([inputs], wanted, store)]


def wanted(source: SourceObject) -> bool:
    return not source.source_uri.endswith("!b")


def read(inputs: Path) -> Facts:
    return [
        (one.source_uri, one.size, told_bytes(one)) for one in each_object([inputs]) if wanted(one)
    ]


def names(store: Path) -> set[str]:
    return {path.name for path in store.iterdir()}


def test_it_tells_what_reading_tells_and_reads_once(
    inputs: Path, tmp_path: Path, reads: list[str]
) -> None:
    truth = read(inputs)
    assert known(inputs, None) == truth
    assert len(truth) == 8
    reads.clear()
    assert known(inputs, tmp_path / "store") == truth
    assert sorted(reads) == sorted(uri for uri, _, _ in truth if "!" in uri)
    reads.clear()
    assert known(inputs, tmp_path / "store") == truth
    assert reads == []


def test_a_web_archive_is_known_with_what_is_damaged_in_it(
    tmp_path: Path, reads: list[str]
) -> None:
    folder, store = tmp_path / "inputs", tmp_path / "store"
    folder.mkdir()
    write_web_archive(folder / "pages.warc.gz", {"a": b"first", "c": b"second"})
    truth = read(folder)
    assert [told.startswith("bad_web_archive") for _, _, told in truth] == [False, False, True]
    assert known(folder, store) == truth
    assert reads == [truth[2][0]]  # who scans it has read what it captured
    reads.clear()
    assert known(folder, store) == truth
    assert reads == []
    write_web_archive(folder / "pages.warc.gz", {"a": b"first", "c": b"third"})
    assert known(folder, store) == read(folder) != truth
    assert len(names(store)) == 1


def test_an_archive_with_another_name_is_known_and_one_with_other_bytes_is_read(
    inputs: Path, tmp_path: Path, reads: list[str]
) -> None:
    store = tmp_path / "store"
    known(inputs, store)
    before = names(store)
    reads.clear()
    (inputs / "below" / "two.zip").rename(inputs / "three.zip")
    write_zip(inputs / "one.zip", {"a": b"another", "new": b"one more"})
    assert known(inputs, store) == read(inputs)
    assert sorted(reads) == ["one.zip!a", "one.zip!new"]
    assert len(names(store)) == len(before) == 2  # what the run did not use is forgotten
    assert len(names(store) & before) == 1


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def with_a_bit_turned(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 4
    path.write_bytes(content)


def of_another_type(path: Path) -> None:
    write_sealed(path, b"\x93\x01\x02\x03")


def of_another_archive(path: Path) -> None:
    (other,) = [one for one in path.parent.iterdir() if one != path]
    shutil.copy(other, path)


def as_a_folder(path: Path) -> None:
    path.unlink()
    (path / "inner").mkdir(parents=True)


@pytest.mark.parametrize(
    "damage", [cut_short, with_a_bit_turned, of_another_type, of_another_archive, as_a_folder]
)
def test_a_damaged_store_only_costs_reading_again(
    inputs: Path, tmp_path: Path, reads: list[str], damage: Callable[[Path], None]
) -> None:
    store = tmp_path / "store"
    truth = known(inputs, store)
    damage(min(store.iterdir()))
    reads.clear()
    assert known(inputs, store) == truth
    assert reads


def test_a_store_in_whose_place_a_file_lies_is_no_fault(inputs: Path, tmp_path: Path) -> None:
    (tmp_path / "store").write_bytes(b"in the way")
    assert known(inputs, tmp_path / "store") == read(inputs)
    assert (tmp_path / "store").read_bytes() == b"in the way"


def test_what_cannot_be_read_is_asked_again(inputs: Path, tmp_path: Path, reads: list[str]) -> None:
    path = write_zip(inputs / "one.zip", {"a": b"first" * 40, "b": b"second"})
    content = path.read_bytes()
    place = content.index(b"a") + 8
    path.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
    store = tmp_path / "store"
    told = {uri: why for uri, _, why in known(inputs, store)}
    assert told["one.zip!a"].startswith("bad_member: ")
    assert len(names(store)) == 1  # of the other archive
    reads.clear()
    known(inputs, store)
    assert reads == ["one.zip!a"]


def test_an_archive_that_changes_while_it_is_read_is_not_kept(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    asked: list[str] = []

    def changing(source: SourceObject) -> str:
        if source.source_uri == "one.zip!a" and not asked:
            asked.append(source.source_uri)
            os.utime(inputs / "one.zip", ns=(1, 1))
            with (inputs / "one.zip").open("ab") as file:
                file.write(b"\n")
        return told_bytes(source)

    monkeypatch.setattr(archives, "told_bytes", changing)
    known(inputs, store)
    assert asked
    assert len(names(store)) == 1


def test_nothing_to_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_zip(tmp_path / "empty.zip", {})
    for place in (tmp_path / "empty", tmp_path / "empty.zip", tmp_path / "none"):
        for store in (None, tmp_path / "store"):
            with pytest.raises(RunError):
                list(each_told([place], every_object, store))


def test_shards_are_decided_by_the_same_with_a_store_and_without(tmp_path: Path) -> None:
    members = {path.name: path.read_bytes() for path in sorted(SHORTCUTS.rglob("*.shortcut"))}
    write_zip(tmp_path / "all.zip", members)
    keys: list[list[str]] = []
    for workspace in ("one", "one", "two"):
        stage = parse.prepare([tmp_path / "all.zip"], tmp_path / workspace / "parsed")
        assert stage.keys is not None
        keys.append(list(stage.keys()))
        for path in (tmp_path / "two").glob("reused/*/*"):
            with_a_bit_turned(path)
    assert keys[0] == keys[1] == keys[2]
    assert len(list((tmp_path / "one" / "reused").glob("archives-*/*.members"))) == 1


@pytest.mark.parametrize("size", [10, 25, 60])
def test_what_comes_behind_a_large_archive_is_parsed_alone(tmp_path: Path, size: int) -> None:
    recipe = (SHORTCUTS / "bread-timer.json").read_bytes()
    inputs = tmp_path / "inputs"
    inputs.mkdir()
    write_zip(inputs / "week-01.zip", {f"{number}.json": recipe for number in range(size)})
    made: list[int] = []

    def run() -> StageMark:
        stage = parse.prepare([inputs], tmp_path / "parsed", shard_bytes=6 * len(recipe))

        def work(number: int) -> ShardMark:
            mark = stage.work(number)
            made.append(mark.objects)
            return mark

        return run_stage(replace(stage, work=work))

    assert run().objects == size
    assert sum(made) == size
    for week, few in ((2, 2), (3, 1)):
        made.clear()
        name = inputs / f"week-{week:02d}.zip"
        write_zip(name, {f"{number}.json": recipe for number in range(few)})
        run()
        assert sum(made) <= 3  # those of the last weeks, none of the first


@pytest.fixture
def crawled(tmp_path: Path) -> Path:
    """Web archives with a page captured twice, a fault, a damage; other files beside."""
    folder = tmp_path / "crawled"
    with CaptureWriter(folder, "site", "site-00001.warc.gz") as writer:
        site, day = "https://site.example/", "2026-01-01T00:00:00Z"
        headers = (Header("content-type", "text/plain"),)
        for body, name in ((b"1", "b"), (b"2", "a!"), (b"3", "b"), (b"4", "c"), (b"", "a")):
            writer.response(site + name, (200, "OK"), headers, body, day)
        writer.fault(f"{site}aa", "timeout", "no answer", day)
    write_web_archive(folder / "site" / "site-00002.warc.gz", {"b": b"5", "d": b"6"})
    (folder / "site" / "site-00001.warc.gz!").write_bytes(b"7")
    write_zip(folder / "site" / "zz.zip", {"a": b"8", "b": b"9"})
    return folder


def contents(objects: Iterable[SourceObject]) -> Facts:
    return [(one.source_uri, one.size, told_bytes(one)) for one in objects]


def everything(_: SourceObject) -> bool:
    return True


@pytest.mark.parametrize("size", [1, 2, 3, 5, 20])
def test_what_a_stretch_reaches_is_known_without_scanning(
    crawled: Path, tmp_path: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        every = list_objects([crawled], stack)
        truth = contents(every)
    assert len({uri for uri, _, _ in truth}) == len(truth) - 1 >= 11
    store = tmp_path / "store"
    list(each_told([crawled], everything, store))
    ranges = [(at, min(at + size, len(every))) for at in range(0, len(every), size)]
    parts = stretches([uri for uri, _, _ in truth], ranges)

    def reached() -> Facts:
        with ExitStack() as stack:
            found = (part.cut(reached_objects([crawled], stack, part, store)) for part in parts)
            return [fact for objects in found for fact in contents(objects)]

    with monkeypatch.context() as patch:
        patch.setattr(reached_by_scanning, "iter_archive", None)
        assert reached() == truth
    for damage in (b"", b"of another kind"):
        archives._sorted_members.cache_clear()
        for path in store.iterdir():
            path.write_bytes(damage)
        assert reached() == truth
    archives._sorted_members.cache_clear()
    shutil.rmtree(store)
    assert reached() == truth
