"""Tests of release documents: they are listed and checked, and identical in every build."""

from pathlib import Path

import pytest

from benchloom.core.errors import GateError
from benchloom.release import ReleaseTable, check_release, read_manifest
from benchloom.release.manifest import content_digest
from benchloom.storage.stages import part_path
from benchloom.storage.tables import write_table
from benchloom.storage.workspace import STATISTICS_TABLE, StageMark
from flows.run.runner import run_stage
from flows.stages.release import release_stages
from flows.stages.shortcuts import normalise as normalise_shortcuts
from flows.stages.shortcuts import parse as parse_shortcuts
from tests.support.demo_world import SHORTCUTS
from tests.support.python import python
from tests.support.samples.described import compose, shortcuts


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The demo shortcuts, released in two workspaces, with one worker and with two."""
    folders: list[Path] = []
    # This shortcut contains a contact, which the release gate refuses before redaction.
    inputs = sorted(SHORTCUTS.glob("*.*"))
    inputs.remove(SHORTCUTS / "call-the-office.plist")
    for workers in (1, 2):
        workspace = tmp_path_factory.mktemp(f"with-{workers}")
        parse = run_stage(
            parse_shortcuts.prepare(inputs, workspace, part_bytes=8_000),
            workers=workers,
        )
        normalise = run_stage(normalise_shortcuts.prepare(parse), workspace, workers=workers)
        folders.append(release_stages([normalise.path], workspace / "releases"))
    return folders[0], folders[1]


def test_every_document_is_in_the_manifest_and_checked(releases: tuple[Path, Path]) -> None:
    release = releases[0]
    manifest = check_release(release)
    listed = {file.path for file in manifest.files}
    on_disk = {path.relative_to(release).as_posix() for path in release.rglob("*.*")}
    on_disk = {path for path in on_disk if (release / path).is_file()}
    assert on_disk == listed | {"manifest.json", "manifest.sha256"}
    page = release / "sample" / "index.html"
    sound = page.read_bytes()
    page.write_bytes(sound.replace(b"Rows", b"Rowz", 1))
    with pytest.raises(GateError) as caught:
        check_release(release)
    page.write_bytes(sound)
    finding = "sample/index.html: was changed: its bytes differ from its sha256"
    assert caught.value.findings == (finding,)


def test_content_digest_covers_tables_and_no_documents(releases: tuple[Path, Path]) -> None:
    manifest = read_manifest(releases[0])
    tables = tuple(file for file in manifest.files if file.table is not None)
    assert len(tables) < len(manifest.files)
    assert content_digest(tables) == manifest.content_digest


def test_release_bytes_are_independent_of_folder_and_workers(
    releases: tuple[Path, Path],
) -> None:
    first_digests, second_digests = (
        {file.path: file.sha256 for file in read_manifest(release).files} for release in releases
    )
    assert first_digests == second_digests


def test_statistics_table_of_a_stage_is_in_card_and_report(tmp_path: Path) -> None:
    table = "| split | plans |\n|---|--:|\n| train | 12.50 (max 40) |\n| <b>dev</b> | 3 |\n"
    stage = tmp_path / "stage"
    write_table("shortcuts", shortcuts(), part_path(stage, "shortcuts", 0))
    (stage / STATISTICS_TABLE).write_text(table, encoding="utf-8")
    mark = StageMark(stage="parse-shortcuts", key="k", objects=22, rows={"shortcuts": 22})
    release = compose([ReleaseTable("shortcuts", stage)], mark, tmp_path)
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "| train | 12.50 (max 40) | \n| &lt;b&gt;dev&lt;/b&gt; | 3 | \n" in card
    report = (release / "report.html").read_text(encoding="utf-8")
    assert "<td>train</td><td>12.50 (max 40)</td>" in report
    assert "<td>&lt;b&gt;dev&lt;/b&gt;</td>" in report


def test_command_line_starts_without_importing_jinja2() -> None:
    code = (
        "import sys, flows.cli, benchloom.release; flows.cli.build_app();"
        "print('jinja2' in sys.modules)"
    )
    assert python("-c", code).stdout.strip() == "False"
