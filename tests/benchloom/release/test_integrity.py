"""Tests of release integrity: check, diff, publish and list refuse invalid paths and files."""

import hashlib
import os
import random
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from benchloom.core.errors import GateError
from benchloom.release import ReleaseTable, build_release, check_release, read_manifest
from benchloom.release.diff import diff_releases
from benchloom.release.gates.documents import document_fault
from benchloom.release.manifest import (
    MANIFEST,
    MANIFEST_DIGEST,
    Previous,
    content_digest,
    decode_manifest,
    file_digest,
    path_fault,
    path_faults,
    write_manifest,
)
from benchloom.release.publication import publish
from benchloom.release.publication.targets.filesystem import FileSystemTarget
from benchloom.release.versions import LATEST, list_releases
from flows.cli import build_app
from tests.fuzz.damages import DAMAGES, Damage
from tests.support.samples.small_release import (
    add_entry,
    forge,
    replace_entry,
    reseal,
    small_release,
    small_stage,
)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_release(tmp_path_factory.mktemp("release"))


@pytest.fixture
def release(original: Path, tmp_path: Path) -> Path:
    """A copy of a small valid release that a test may change."""
    return shutil.copytree(original, tmp_path / "releases" / original.name)


def findings_of(folder: Path) -> str:
    """Check an invalid release and return its findings, one per line."""
    with pytest.raises(GateError) as caught:
        check_release(folder)
    return "\n".join(caught.value.findings)


BAD_PATHS = {
    "../../../outside.txt": "has a part '..'",
    "a/../b.txt": "has a part '..'",
    "/etc/outside.txt": "is absolute",
    "a//b.txt": "has a part ''",
    "./a.txt": "has a part '.'",
    "a/": "has a part ''",
    "": "is empty",
    "..\\outside.txt": "contains a backslash",
    "C:outside.txt": "contains a drive",
    "file://x": "contains a drive",
    "a\nb.txt": "contains a control character",
    "a\0b.txt": "contains a control character",
    "a\u202eb.txt": "contains a control character",
    "cafe\u0301.txt": "is not in Unicode's composed form",
    "a./b.txt": "ends with a dot or a space",
    "a /b.txt": "ends with a dot or a space",
    "x" * 300: "more than 255 bytes",
    "manifest.json": "is reserved for publishing",
    "LATEST.json": "is reserved for publishing",
}


def test_invalid_path_has_a_fault() -> None:
    for path, fault in BAD_PATHS.items():
        assert fault in (path_fault(path) or ""), path


@pytest.mark.parametrize("path", ["../../../outside.txt", "a\0b.txt"])
def test_invalid_path_is_refused_by_every_operation(release: Path, path: str) -> None:
    entry = msgspec.structs.replace(read_manifest(release).files[0], path=path)
    manifest = read_manifest(release)
    valid_release = shutil.copytree(release, release.parent / "9.9.9")
    forge(release, msgspec.structs.replace(manifest, files=(*manifest.files, entry)))
    target = release.parent.parent / "deep" / "published"
    operations = (
        lambda: check_release(release),
        lambda: read_manifest(release),
        lambda: diff_releases(valid_release, release),
        lambda: publish(release, FileSystemTarget(str(target))),
    )
    for operation in operations:
        with pytest.raises(GateError) as caught:
            operation()
        assert BAD_PATHS[path] in "\n".join(caught.value.findings)
    assert not target.parent.exists()


@pytest.mark.parametrize("path", ["README.md", "readme.MD", "rejected"])
def test_duplicate_path_or_folder_path_is_refused(release: Path, path: str) -> None:
    manifest = read_manifest(release)
    entry = msgspec.structs.replace(manifest.files[0], path=path)
    forge(release, msgspec.structs.replace(manifest, files=(*manifest.files, entry)))
    assert "twice" in findings_of(release) or "is below a file" in findings_of(release)


def test_valid_paths_have_no_fault() -> None:
    plain = ["README.md", "sample/tasks/1.html", "a/b/c.d", "café.html", "..a", "a..b"]
    assert list(path_faults(plain)) == []


@pytest.mark.parametrize("version", ["../../x", "1.0", "", "01.0.0", "1.0.0\n", "a", "1.٢.3"])
def test_version_without_three_numbers_is_refused(release: Path, version: str) -> None:
    manifest = read_manifest(release)
    reseal(release, version=version)
    assert "is not a version" in findings_of(release)
    previous = Previous(version, 64 * "0")
    forge(release, msgspec.structs.replace(manifest, previous=previous))
    assert "is not a version" in findings_of(release)


def test_invalid_manifest_entry_is_reported(release: Path) -> None:
    manifest = read_manifest(release)
    table = next(file for file in manifest.files if file.table)
    others = [file for file in manifest.files if file.table is None]
    wrong: dict[str, dict[str, Any]] = {
        "bytes or rows are below zero": {"bytes": -1},
        "its sha256 is invalid": {"sha256": "x"},
        "not in the folder of table": {"table": "../../rejected"},
        "table and rows must be set together": {"rows": None},
        "is a Parquet file that belongs to no table": {"table": None, "rows": None},
    }
    for fault, change in wrong.items():
        forge(
            release,
            msgspec.structs.replace(
                manifest, files=(*others, msgspec.structs.replace(table, **change))
            ),
        )
        assert fault in findings_of(release)


def write_raw_manifest(folder: Path, content: bytes) -> None:
    """Write bytes as the manifest of a release, with their digest."""
    (folder / MANIFEST).write_bytes(content)
    line = f"{hashlib.sha256(content).hexdigest()}  {MANIFEST}\n"
    (folder / MANIFEST_DIGEST).write_text(line)


@pytest.mark.parametrize(
    "content",
    [
        b'{"x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"made": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}",
        b"[" * 100_000,
        b"]" * 100_000,
        b"",
        b"{}",
        b"null",
        b"\xff\xfe",
        b'{"format": "\\ud800"}',
        b'"' + b"x" * 1_000_000,
    ],
    ids=range(10),
)
def test_damaged_manifest_is_a_finding(release: Path, content: bytes) -> None:
    write_raw_manifest(release, content)
    assert MANIFEST in findings_of(release)


def test_brackets_inside_strings_do_not_count_as_nesting(release: Path) -> None:
    manifest = read_manifest(release)
    provenance = msgspec.structs.replace(manifest.made, commit='["{' * 99 + '\\"[')
    content = msgspec.json.encode(msgspec.structs.replace(manifest, made=provenance))
    assert decode_manifest(content, "x").made == provenance


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("seed", range(2))
def test_check_fails_for_every_damage(release: Path, damage: Damage, seed: int) -> None:
    chance = random.Random(seed)
    files = sorted(path for path in release.rglob("*") if path.is_file())
    damage(chance, release, chance.choice(files))
    result = CliRunner().invoke(build_app(), ["release", "check", str(release)])
    assert isinstance(result.exception, Exception)
    assert type(result.exception).__name__ in {"GateError", "RunError"}


def test_unlisted_files_links_and_folders_are_findings(release: Path) -> None:
    (release / "empty").mkdir()
    (release / "rejected" / "more" / "inner").mkdir(parents=True)
    (release / "link").symlink_to(release / "README.md")
    (release / "rejected" / "away").symlink_to("/etc")
    os.mkfifo(release / "pipe")
    download_folder = release / ".cache" / "huggingface" / "download"
    download_folder.mkdir(parents=True)
    (download_folder / "stray.txt").write_text("x")
    (download_folder / "README.md.metadata").write_text("a secret")
    (release / ".cache" / "else").mkdir()
    (release / ".gitattributes").write_text("a secret\n")
    findings = findings_of(release).split("\n")
    assert findings == [
        ".cache/else: is not in the manifest (a folder)",
        ".cache/huggingface/download/README.md.metadata: is not in the manifest",
        ".cache/huggingface/download/stray.txt: is not in the manifest",
        ".gitattributes: is not in the manifest",
        "empty: is not in the manifest (a folder)",
        "link: is not in the manifest (a link)",
        "pipe: is not in the manifest (a special file)",
        "rejected/away: is not in the manifest (a link)",
        "rejected/more: is not in the manifest (a folder)",
    ]


def test_files_of_the_hub_client_are_accepted(release: Path) -> None:
    from huggingface_hub import _local_folder as client

    copy = shutil.copytree(release, release.parent / "copy")
    for file in read_manifest(copy).files:
        digest = hashlib.sha256(file.path.encode()).hexdigest()
        client.write_download_metadata(copy, file.path, digest[:40], digest)
    (copy / ".gitattributes").write_text(
        "# Audio files - uncompressed\n*.parquet filter=lfs diff=lfs merge=lfs -text\n"
    )
    assert (copy / ".cache" / "huggingface" / ".gitignore").is_file()
    check_release(copy)


def test_links_are_accepted_only_into_the_hub_cache(release: Path, tmp_path: Path) -> None:
    blobs = tmp_path / "hub" / "blobs"
    snapshot = tmp_path / "hub" / "snapshots" / ("0" * 40)
    shutil.copytree(release, snapshot)
    blobs.mkdir()
    for path in sorted(path for path in snapshot.rglob("*") if path.is_file()):
        blob = blobs / file_digest(path)
        shutil.move(path, blob)
        path.symlink_to(os.path.relpath(blob, path.parent))
    check_release(snapshot)
    card = snapshot / "README.md"
    content = card.read_bytes()
    card.unlink()
    outside = tmp_path / "outside"
    outside.write_bytes(content)
    card.symlink_to(outside)
    assert "README.md: is not in the manifest (a link)" in findings_of(snapshot)


def test_resealed_unreadable_table_is_a_finding(release: Path) -> None:
    manifest = read_manifest(release)
    table = next(file for file in manifest.files if file.table)
    path = release / table.path
    valid_bytes = path.read_bytes()
    others = tuple(file for file in manifest.files if file != table)
    column = pq.ParquetFile(path).metadata.row_group(0).column(1)
    at = column.data_page_offset + column.total_compressed_size - 5
    flipped = valid_bytes[:at] + bytes([valid_bytes[at] ^ 1]) + valid_bytes[at + 1 :]
    for content in (b"", b"PAR1", valid_bytes[: len(valid_bytes) // 2], valid_bytes[:-9], flipped):
        path.write_bytes(content)
        entry = msgspec.structs.replace(table, bytes=len(content), sha256=file_digest(path))
        forge(release, msgspec.structs.replace(manifest, files=(*others, entry)))
        assert f"{table.path} is not a readable Parquet file" in findings_of(release)


def test_blocked_release_leaves_earlier_releases_unchanged(original: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    shutil.copytree(original.parent.parent, workspace)
    releases = workspace / "releases"
    before = {path: path.read_bytes() for path in releases.rglob("*") if path.is_file()}
    stage_folder = workspace / "bad"
    mark = small_stage(stage_folder, 4)
    wrong_mark = msgspec.structs.replace(mark, reasons={"broken": 5})
    table = [ReleaseTable("rejected", stage_folder)]
    for _ in range(2):
        with pytest.raises(
            GateError, match=r"the release was not made, and latest\.json is unchanged"
        ) as caught:
            build_release(table, [wrong_mark], releases)
        assert "the funnel's reasons add up to 5" in "\n".join(caught.value.findings)
        after = {path: path.read_bytes() for path in releases.rglob("*") if path.is_file()}
        assert after == before
    assert list_releases(releases) == ["0.1.0"]
    assert b"0.1.0" in (releases / LATEST).read_bytes()
    new_release = build_release(table, [mark], releases)  # the cause is fixed
    assert new_release.name == "0.1.1"
    assert b"0.1.1" in (releases / LATEST).read_bytes()


def test_pointer_that_a_killed_run_left_out_is_written(original: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    shutil.copytree(original.parent.parent, workspace)
    (workspace / "releases" / LATEST).unlink()
    small_release(workspace)
    assert b"0.1.0" in (workspace / "releases" / LATEST).read_bytes()


def test_written_manifest_is_read_back(original: Path, tmp_path: Path) -> None:
    manifest = read_manifest(original)
    write_manifest(tmp_path, manifest)
    assert read_manifest(tmp_path) == manifest
    assert content_digest(manifest.files) == manifest.content_digest
    assert tempfile.gettempdir() not in (original / MANIFEST).read_text()


def test_listed_file_of_unknown_kind_is_refused(release: Path) -> None:
    add_entry(release, "run.js", b"alert(1)\n")
    assert (
        findings_of(release) == "run.js: is neither a table nor a document that a release can have"
    )


PAGE_FAULTS = {
    "</main><script>alert(1)</script>": "a tag that pages of benchloom do not have",
    "</main><SCRIPT src=x>": "a tag that pages of benchloom do not have",
    '</main><script src="search.js"></script>': "a tag that pages of benchloom do not have",
    '</main><img src="x">': "a tag that pages of benchloom do not have",
    '</main><p onclick="alert(1)">': "an attribute 'onclick' that pages of benchloom do not have",
    '</main><a href="javascript:alert(1)">': "a link that is not a web address",
    '</main><a href="java&#115;cript&colon;alert(1)">': "a link that is not a web address",
    '</main><p style="background:url(https://example.org)">': "a style that loads a file",
    "</main><style>@import 'x';</style>": "a style that loads a file or runs code",
    '</main><link href="//example.org/x.css">': "a tag that pages of benchloom do not have",
    '</main><meta http-equiv="refresh" content="0">': "a content security policy that pages",
    "</main><!-- -->": "a tag that pages of benchloom do not have",
    "</main>< p>": "a tag that pages of benchloom do not have",
}


@pytest.mark.parametrize("added", PAGE_FAULTS)
def test_page_with_active_content_is_refused(release: Path, added: str) -> None:
    page = release / "report.html"
    page.write_text(page.read_text().replace("</main>", added, 1))
    replace_entry(release, page)
    findings = findings_of(release)
    assert findings.startswith("report.html: line ")
    assert PAGE_FAULTS[added] in findings


def test_page_without_content_security_policy_is_refused(release: Path) -> None:
    page = release / "report.html"
    page.write_text(re.sub(r"<meta http-equiv[^>]*>", "", page.read_text()))
    replace_entry(release, page)
    assert (
        findings_of(release)
        == "report.html: the page does not have exactly one content security policy"
    )


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        ("report/x.js", b"alert(1)", "has a file type that no document has"),
        ("report/x.png", b"GIF89a", "is not a PNG image"),
        (
            "report/x.svg",
            b"<svg><script>x</script></svg>",
            "a tag that pages of benchloom do not have",
        ),
        ("report/x.gif", b"GIF89a", "has a file type that no document has"),
        ("report/x.json", b"[" * 10**5, "is not valid JSON"),
        ("schemas/x.json", b"{", "is not valid JSON"),
        ("sample/x.html", b"\xff", "is not UTF-8 text"),
    ],
)
def test_document_with_other_content_than_its_name_is_refused(
    tmp_path: Path, name: str, content: bytes, fault: str
) -> None:
    path = tmp_path / "document"
    path.write_bytes(content)
    assert fault in (document_fault(name, path) or "")


def test_wrong_funnel_counts_are_reported(release: Path) -> None:
    manifest = read_manifest(release)
    step = manifest.funnel[0]
    changes: dict[str, dict[str, Any]] = {
        "the funnel's reasons add up to 2": {"reasons": {"broken": 2}},
        "rejected: contains 3 rows of broken, but the funnel states 2": {
            "reasons": {"broken": 2, "other": 1}
        },
        "rejected: contains 3 rows, but the stages of the release wrote 4": {
            "rows": {"rejected": 4}
        },
        "has a count below zero": {"rows": {"rejected": -3}},
        "leaves out more than it received": {"received": 2},
        "kept 6 objects, but wrote 5 rows": {
            "received": 9,
            "rows": {"shortcuts": 5, "rejected": 3},
        },
    }
    for fault, change in changes.items():
        reseal(release, funnel=(msgspec.structs.replace(step, **change),))
        assert fault in findings_of(release)
