"""INPUT: names are stable, hostile archives and links become reasons, nothing leaves the folder."""

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


def reasons(inputs: list[Path], limits: InputLimits | None = None) -> dict[str, str]:
    """source_uri to reason; "read" for an object that could be read, listed in either way."""
    one_by_one = {
        source_object.source_uri: reason(source_object)
        for source_object in each_object(inputs, limits)
    }
    with ExitStack() as stack:
        reasons_by_uri = {
            source_object.source_uri: reason(source_object)
            for source_object in list_objects(inputs, stack, limits)
        }
    assert reasons_by_uri == one_by_one
    return reasons_by_uri


def reason(source: SourceObject) -> str:
    reason_or_data = content(source)
    return reason_or_data if isinstance(reason_or_data, str) else "read"


def test_an_archive_is_closed_before_the_next_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_now: list[int] = [0]
    opened = zip_archives.open_archive

    @contextmanager
    def noted(path: Path) -> Iterator[zipfile.ZipFile]:
        open_now[0] += 1
        with opened(path) as archive:
            yield archive
        open_now[0] -= 1

    monkeypatch.setattr(listing, "open_archive", noted)
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


def test_a_pipe_that_is_named_is_refused_and_one_in_a_folder_is_a_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(RunError, match="neither a file nor a folder"):
        reasons([tmp_path / "pipe"])
    assert reasons([tmp_path]) == {"pipe": "not_a_file"}


def test_order_and_names_do_not_depend_on_the_order_of_inputs(tmp_path: Path) -> None:
    for side in ("left", "right"):
        (tmp_path / side).mkdir()
        write_zip(tmp_path / side / "same.zip", {"a": b"1", "b/c": b"2"})
    inputs = [tmp_path / "left" / "same.zip", tmp_path / "right" / "same.zip"]
    names = list(reasons(inputs))
    assert names == list(reasons(inputs[::-1]))
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
    assert list(reasons([archive])) == ["x.zip!a"]
    assert list(reasons([tmp_path / "f"])) == ["one"]
    assert list(reasons([tmp_path / "f" / "one"])) == ["one"]


def test_hostile_members_are_rejected_and_neighbours_kept(tmp_path: Path) -> None:
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
    reasons_by_name = reasons([archive], InputLimits(object_bytes=32_000_000))
    assert reasons_by_name["x.zip!good"] == "read"
    assert reasons_by_name["x.zip!bomb"] == "inflates_too_much"
    assert reasons_by_name["x.zip!__MACOSX/._a"] == "system_file"
    escapes = [name for name, reason in reasons_by_name.items() if reason == "path_escape"]
    assert len(escapes) == 4
    assert reasons([archive], InputLimits(object_bytes=1000))["x.zip!big"] == "too_large"


def test_a_member_of_ten_gigabytes_is_refused_unread(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"huge": b"0" * 100, "good": b"1"})
    with zipfile.ZipFile(archive) as opened:
        entry = opened.getinfo("huge")
    data = bytearray(archive.read_bytes())
    at = data.rindex(b"huge") - 46
    data[at + 24 : at + 28] = (0xFFFF_FFF0).to_bytes(4, "little")
    archive.write_bytes(data)
    assert entry.file_size == 100
    assert reasons([archive]) == {"x.zip!good": "read", "x.zip!huge": "too_large"}


def test_a_lying_or_damaged_member_is_one_reason(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "x.zip", {"bad": b"some text " * 100, "good": b"1"})
    data = bytearray(archive.read_bytes())
    at = data.index(b"bad") + 3
    data[at : at + 6] = b"\xff" * 6
    archive.write_bytes(data)
    assert reasons([archive]) == {"x.zip!bad": "bad_member", "x.zip!good": "read"}


def test_a_cut_archive_is_one_reason(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as opened:
        opened.writestr("a", b"1")
    path = tmp_path / "cut.zip"
    path.write_bytes(buffer.getvalue()[:-10])
    (tmp_path / "good").write_bytes(b"1")
    assert reasons([tmp_path]) == {"cut.zip": "bad_archive", "good": "read"}


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
    assert reasons([folder]) == {
        "broken": "not_a_file",
        "inside": "read",
        "loop": "link_to_folder",
        "outside": "link_outside",
        "real": "read",
    }


def test_names_that_are_no_text_become_escapes(tmp_path: Path) -> None:
    try:
        (tmp_path / "caf\udce9").write_bytes(b"1")
    except (OSError, UnicodeEncodeError):
        pytest.skip("this file system takes only valid names")
    assert list(reasons([tmp_path])) == ["caf\\udce9"]


def test_nothing_to_read_is_an_error_of_the_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="nothing to read"):
        reasons([tmp_path])
    with pytest.raises(RunError, match="no such file"):
        reasons([tmp_path / "missing"])
    (tmp_path / "a").write_bytes(b"1")
    with pytest.raises(RunError, match="occurs twice"):
        reasons([tmp_path / "a", tmp_path / "a"])


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_inflate_without_bound_are_refused(tmp_path: Path, method: int) -> None:
    path = tmp_path / "packed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("good", b"1", zipfile.ZIP_DEFLATED)
        archive.writestr("packed", bytes(9_000_000), method)
    assert reasons([path]) == {
        "packed.zip!good": "read",
        "packed.zip!packed": "unsupported_compression",
    }


def test_a_stretch_of_the_list_is_found_without_opening_what_lies_elsewhere(
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
    look = zip_archives.is_archive

    def noted(path: str) -> bool:
        opened.append(path)
        return look(path)

    monkeypatch.setattr(listing, "is_archive", noted)
    for start in range(len(names)):
        for stop in range(start + 1, len(names) + 1):
            (part,) = stretches(names, [(start, stop)])
            opened.clear()
            assert read([tmp_path], part) == objects[start:stop]
            assert len(opened) <= stop - start + 2
