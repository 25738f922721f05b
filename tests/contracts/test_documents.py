"""Check that every document writes its own files, reproducibly and without active content."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree as ET

import msgspec
import pytest

from benchloom.release import read_manifest
from benchloom.release.descriptions import ReleaseView
from benchloom.release.documents import DOCUMENTS, Document, view_release
from benchloom.release.gates.documents import document_fault
from tests.support.samples.described import SCRIPT, build, other_rows


def build_paths_only(workspace: Path) -> Path:
    rows = other_rows(["one.api"])
    return build(workspace, {"shortcuts": [], "planning_paths": rows["planning_paths"]})


MAKES = {
    "shortcuts": lambda workspace: build(workspace, {}),
    "empty": lambda workspace: build(workspace, {"shortcuts": [], "rejected": []}),
    "paths": build_paths_only,
}


@pytest.fixture(scope="module", params=["full", *sorted(MAKES)])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "full":
        return Path(request.getfixturevalue("described_release"))
    workspace = tmp_path_factory.mktemp("release")
    return MAKES[request.param](workspace)


@dataclass(frozen=True)
class Written:
    """The files that a document wrote for a release, and the paths that it reported."""

    listed: list[str]
    files: dict[str, bytes]


@cache
def write_document(write: Callable[[ReleaseView, Path], list[Path]], release: Path) -> Written:
    """Write a document once for all tests, as if another machine had made the release earlier."""
    manifest = read_manifest(release)
    provenance = msgspec.structs.replace(
        manifest.made, at="1999-01-01T00:00:00+00:00", commit="feedbeef", system="Elsewhere"
    )
    changed = msgspec.structs.replace(manifest, made=provenance)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        paths = write(view_release(release, changed), out)
        listed = [path.relative_to(out).as_posix() for path in paths]
        files = {path: (out / path).read_bytes() for path in files_in(out)}
    return Written(listed, files)


def files_in(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def writes_and_lists_its_own_files(member: Document, release: Path) -> None:
    written_document = write_document(member.write, release)
    assert written_document.files
    assert sorted(written_document.listed) == sorted(written_document.files)
    assert {path.split("/")[0] for path in written_document.files} <= set(member.PATHS)
    assert all(content for content in written_document.files.values())
    listed = {file.path for file in read_manifest(release).files if file.table is None}
    assert set(written_document.files) <= listed


def writes_equal_bytes_at_any_time_on_any_machine(member: Document, release: Path) -> None:
    """Compare the document's files with those in the release."""
    document_files = write_document(member.write, release).files
    assert document_files == {path: (release / path).read_bytes() for path in document_files}


def writes_no_active_content(member: Document, release: Path) -> None:
    for path in write_document(member.write, release).files:
        assert document_fault(path, release / path) is None, path
        if path.endswith(".html"):
            assert '<html lang="en"' in (release / path).read_text(encoding="utf-8"), path


SUITE = (
    writes_and_lists_its_own_files,
    writes_no_active_content,
    writes_equal_bytes_at_any_time_on_any_machine,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", DOCUMENTS.names())
def test_contract(name: str, claim: Callable[[Document, Path], None], release: Path) -> None:
    claim(DOCUMENTS.find(name), release)


def read_pages(release: Path) -> dict[Path, str]:
    return {path: path.read_text(encoding="utf-8") for path in release.rglob("*.html")}


def dead_links(release: Path) -> list[str]:
    """Return links to files that do not exist, or to parts of pages that do not exist."""
    texts = read_pages(release)
    ids = {page.resolve(): set(re.findall(r' id="([^"]+)"', text)) for page, text in texts.items()}
    faults = []
    for page, text in texts.items():
        for link in re.findall(r'<a [^>]*href="([^"]+)"', text):
            parts = urlsplit(link)
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page.resolve()
            if not parts.scheme and (
                not target.is_file()
                or (parts.fragment and parts.fragment not in ids.get(target, {parts.fragment}))
            ):
                faults.append(f"{page}: {link}")
    return faults


def test_links_lead_to_existing_files_and_anchors(release: Path) -> None:
    assert dead_links(release) == []


def test_markup_in_rows_is_escaped(release: Path) -> None:
    for name, text in read_pages(release).items():
        assert SCRIPT not in text, name
        assert "harmed" not in text or "&lt;script&gt;" in text or "&lt;img" in text, name
        assert "\u202e" not in text, name
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "<script" not in card
    assert not re.search(r"(?<!\\)\]\(javascript", card)


def test_plots_have_labels_and_svg_copies(release: Path) -> None:
    report = (release / "report.html").read_text(encoding="utf-8")
    copies = sorted((release / "report").glob("*.svg"))
    plots = re.findall(r'<[^>]*role="img"[^>]*>', report)
    assert len(plots) == len(copies) > 0
    assert all(re.search('aria-label="[^"]', plot) for plot in plots)
    assert {ET.parse(path).getroot().tag for path in copies} == {"{http://www.w3.org/2000/svg}svg"}  # noqa: S314  the file is our own
