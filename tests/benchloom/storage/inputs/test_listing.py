"""Tests of input listing: names are stable, and hostile archives and links get a reason."""

import io
import os
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchloom.core.errors import RunError
from benchloom.storage.inputs import (
    InputLimits,
    SourceObject,
    each_object,
    list_objects,
    listing,
    source_files,
    stretches,
)
from benchloom.storage.inputs import archive as zip_archives
from tests.benchloom.storage.inputs.test_reached import content, read


def list_reasons(inputs: list[Path], limits: InputLimits | None = None) -> dict[str, str]:
    """Return "read" or a reason by source URI, after comparing both ways of listing."""
    one_by_one = {
        source_object.source_uri: read_reason(source_object)
        for source_object in each_object(inputs, limits)
    }
    with ExitStack() as stack:
        reasons_by_uri = {
            source_object.source_uri: read_reason(source_object)
            for source_object in list_objects(inputs, stack, limits)
        }
    assert reasons_by_uri == one_by_one
    return reasons_by_uri


def read_reason(source: SourceObject) -> str:
    """Return "read" if the object can be read, otherwise the reason."""
    reason_or_data = content(source)
    return reason_or_data if isinstance(reason_or_data, str) else "read"


def test_archive_is_closed_before_the_next_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_now: list[int] = [0]
    original_open = zip_archives.open_archive

    @contextmanager
    def open_and_count(path: Path) -> Iterator[zipfile.ZipFile]:
        open_now[0] += 1
        with original_open(path) as archive:
            yield archive
        open_now[0] -= 1

    monkeypatch.setattr(listing, "open_archive", open_and_count)
    for name in "abc":
        write_zip(tmp_path / f"{name}.zip", {"1": b"1", "2": b"2"})
    assert [open_now[0] for _ in each_object([tmp_path])] == [1] * 6
    with ExitStack() as stack:
        list_objects([tmp_path], stack)
        assert open_now == [3]


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def test_pipe_as_input_is_refused_and_in_a_folder_has_a_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RunError, match="neither a file nor a folder"):
        list_reasons([tmp_path / "pipe"])
    assert list_reasons([tmp_path]) == {"pipe": "not_a_file"}


def test_order_and_names_are_independent_of_the_input_order(tmp_path: Path) -> None:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        write_zip(tmp_path / side / "same.zip", {"a": b"1", "b/c": b"2"})
    inputs = [tmp_path / "left" / "same.zip", tmp_path / "right" / "same.zip"]
    names = list(list_reasons(inputs))
    assert names == list(list_reasons(inputs[::-1]))
    assert names == [
        "left/same.zip!a",
        "left/same.zip!b/c",
        "right/same.zip!a",
        "right/same.zip!b/c",
    ]
    assert source_files(inputs) == source_files(inputs[::-1])


def test_single_inputs_have_short_names(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"a": b"1"})
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "one").write_bytes(b"1")
    assert list(list_reasons([archive])) == ["x.zip!a"]
    assert list(list_reasons([tmp_path / "f"])) == ["one"]
    assert list(list_reasons([tmp_path / "f" / "one"])) == ["one"]


def test_hostile_members_are_rejected_and_others_read(tmp_path: Path) -> None:
    archive = write_zip(
        tmp_path / "x.zip",
        {
            "../up": b"1",
            "/root": b"1",
            "deep/../../up": b"1",
            "C:\\windows": b"1",
            "__MACOSX/._a": b"1",
            "bomb": bytes(20_000_000),
            "big": bytes(range(256)) * 8,
            "good": b"1",
        },
    )
    reasons_by_name = list_reasons([archive], InputLimits(object_bytes=32_000_000))
    assert reasons_by_name["x.zip!good"] == "read"
    assert reasons_by_name["x.zip!bomb"] == "inflates_too_much"
    assert reasons_by_name["x.zip!__MACOSX/._a"] == "system_file"
    escapes = [name for name, reason in reasons_by_name.items() if reason == "path_escape"]
    assert len(escapes) == 4
    assert list_reasons([archive], InputLimits(object_bytes=1000))["x.zip!big"] == "too_large"


def test_member_with_a_huge_stated_size_is_not_read(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"huge": b"0" * 100, "good": b"1"})
    with zipfile.ZipFile(archive) as opened:
        entry = opened.getinfo("huge")
    data = bytearray(archive.read_bytes())
    at = data.rindex(b"huge") - 46
    data[at + 24 : at + 28] = (0xFFFF_FFF0).to_bytes(4, "little")
    archive.write_bytes(data)
    assert entry.file_size == 100
    assert list_reasons([archive]) == {"x.zip!good": "read", "x.zip!huge": "too_large"}


def test_damaged_member_has_a_reason(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"bad": b"some text " * 100, "good": b"1"})
    data = bytearray(archive.read_bytes())
    at = data.index(b"bad") + 3
    data[at : at + 6] = b"\xff" * 6
    archive.write_bytes(data)
    assert list_reasons([archive]) == {"x.zip!bad": "bad_member", "x.zip!good": "read"}


def test_truncated_archive_has_a_reason(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        opened.writestr("a", b"1")
    path = tmp_path / "cut.zip"
    path.write_bytes(buffer.getvalue()[:-10])
    (tmp_path / "good").write_bytes(b"1")
    assert list_reasons([tmp_path]) == {"cut.zip": "bad_archive", "good": "read"}


def test_links_that_leave_the_folder_are_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"1")
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "real").write_bytes(b"1")
    (folder / "inside").symlink_to(folder / "real")
    (folder / "outside").symlink_to(secret)
    (folder / "broken").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder)
    assert list_reasons([folder]) == {
        "broken": "not_a_file",
        "inside": "read",
        "loop": "link_to_folder",
        "outside": "link_outside",
        "real": "read",
    }


def test_names_that_are_not_utf_8_are_escaped(tmp_path: Path) -> None:
    try:
        (tmp_path / "caf\udce9").write_bytes(b"1")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes only valid names")
    assert list(list_reasons([tmp_path])) == ["caf\\udce9"]


def test_empty_missing_or_repeated_input_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="nothing to read"):
        list_reasons([tmp_path])
    with pytest.raises(RunError, match="no such file"):
        list_reasons([tmp_path / "missing"])
    (tmp_path / "a").write_bytes(b"1")
    with pytest.raises(RunError, match="occurs twice"):
        list_reasons([tmp_path / "a", tmp_path / "a"])


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unbounded_compression_methods_are_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "packed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good", b"1", zipfile.ZIP_DEFLATED)
        archive.writestr("packed", bytes(9_000_000), method)
    assert list_reasons([path]) == {
        "packed.zip!good": "read",
        "packed.zip!packed": "unsupported_compression",
    }


def test_stretch_is_listed_without_opening_other_archives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b.zi", "b.zip-", "b.zip0", "sub/a", "sub/z", "z"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    write_zip(tmp_path / "b.zip", {"a": b"1", "c": b"2", "d!e": b"3"})
    write_zip(tmp_path / "sub" / "c.zip", {"a": b"4", "z": b"5"})
    (tmp_path / "b.zip!c").write_bytes(b"of the same name")
    objects = read([tmp_path])
    names = [name for name, _ in objects]
    assert len(names) == len(set(names)) + 1
    opened: list[str] = []
    original_is_archive = zip_archives.is_archive

    def record_path(path: str) -> bool:
        opened.append(path)
        return original_is_archive(path)

    monkeypatch.setattr(listing, "is_archive", record_path)
    for start in range(len(names)):
        for stop in range(start + 1, len(names) + 1):
            (part,) = stretches(names, [(start, stop)])
            opened.clear()
            assert read([tmp_path], part) == objects[start:stop]
            assert len(opened) <= stop - start + 2
