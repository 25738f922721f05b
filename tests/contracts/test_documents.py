"""Every document over releases of every make: its own files, always the same, harmless."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import msgspec
import pytest

from benchloom.release import read_manifest
from benchloom.release.describing import ReleaseView
from benchloom.release.documents import DOCUMENTS, Document, view_release
from tests.support.samples.described import SCRIPT, build, other_rows


def paths_only(workspace: Path) -> Path:
    rows = other_rows(["one.api"])
    return build(workspace, {"shortcuts": [], "planning_paths": rows["planning_paths"]})


MAKES = {
    "shortcuts": lambda workspace: build(workspace, {}),
    "empty": lambda workspace: build(workspace, {"shortcuts": [], "rejected": []}),
    "paths": paths_only,
}


@pytest.fixture(scope="module", params=["full", *sorted(MAKES)])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    if request.param == "full":
        return Path(request.getfixturevalue("described_release"))
    workspace = tmp_path_factory.mktemp("release")
    return MAKES[request.param](workspace)


@dataclass(frozen=True)
class Written:
    """Files that a document wrote and listed for a release, in a folder apart from it."""

    listed: list[str]
    files: dict[str, bytes]


@cache
def written(write: Callable[[ReleaseView, Path], list[Path]], release: Path) -> Written:
    """Written once for all claims, as if the release had been made elsewhere and long ago."""
    manifest = read_manifest(release)
    provenance = msgspec.structs.replace(
        manifest.made, at="1999-01-01T00:00:00+00:00", commit="feedbeef", system="Elsewhere"
    )
    changed = msgspec.structs.replace(manifest, made=provenance)
    with TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        paths = write(view_release(release, changed), out)
        listed = [path.relative_to(out).as_posix() for path in paths]
        files = {path: (out / path).read_bytes() for path in on_disk(out)}
    return Written(listed, files)


def on_disk(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def writes_its_own_files_and_tells_them(member: Document, release: Path) -> None:
    written_document = written(member.write, release)
    assert written_document.files
    assert sorted(written_document.listed) == sorted(written_document.files)
    assert {path.split("/")[0] for path in written_document.files} <= set(member.PATHS)
    assert all(content for content in written_document.files.values())
    listed = {file.path for file in read_manifest(release).files if file.table is None}
    assert set(written_document.files) <= listed


def writes_the_same_bytes_at_any_time_on_any_machine(member: Document, release: Path) -> None:
    """As it wrote them into the release."""
    document_files = written(member.write, release).files
    assert document_files == {path: (release / path).read_bytes() for path in document_files}


SUITE = (
    writes_its_own_files_and_tells_them,
    writes_the_same_bytes_at_any_time_on_any_machine,
)


@pytest.mark.parametrize("claim", SUITE)
@pytest.mark.parametrize("name", DOCUMENTS.names())
def test_contract(name: str, claim: Callable[[Document, Path], None], release: Path) -> None:
    claim(DOCUMENTS.find(name), release)


class Page(HTMLParser):
    """Resources, links and scripts of a page, and faults of its pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.scripts: list[str] = []
        self.faults: list[str] = []
        self.language: str | None = None
        self.labels = 0
        self.styles: list[str] = []
        self.in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.in_style = tag == "style"
        self.styles += [
            attributes[key] or "" for key in ("style", "clip-path", "fill") if key in attributes
        ]
        self.faults += [name for name in attributes if name.startswith("on")]
        if tag == "html":
            self.language = attributes.get("lang")
        if tag == "script":
            self.scripts.append(attributes.get("src") or "inline")
        if tag == "a":
            self.links.append(attributes.get("href") or "")
        elif tag not in {"use", "clippath"}:
            self.loaded += [
                attributes[key] or "" for key in ("src", "href", "srcset") if key in attributes
            ]
        if tag == "img" and not attributes.get("alt"):
            self.faults.append("img without alt")
        if attributes.get("role") == "img":
            self.labels += 1
            if not attributes.get("aria-label"):
                self.faults.append("picture without a label")

    def handle_data(self, data: str) -> None:
        if self.in_style:
            self.styles.append(data)


def pages(release: Path) -> dict[str, Page]:
    return {
        path.relative_to(release).as_posix(): Page(path.read_text(encoding="utf-8"))
        for path in release.rglob("*.html")
    }


def test_pages_load_nothing_from_elsewhere(release: Path) -> None:
    for name, page in pages(release).items():
        assert not page.faults, name
        assert page.language == "en", name
        assert not page.loaded, f"{name} is not self-contained"
        assert not page.scripts, name
        text = (release / name).read_text(encoding="utf-8")
        assert "default-src 'none'" in text
        for style in page.styles:
            assert not re.search(r"(?i)@import|url\(\s*['\"]?(?!#)", style), name


def test_links_lead_somewhere_and_are_plain(release: Path) -> None:
    for name, page in pages(release).items():
        for link in page.links:
            address = link.split("#")[0]
            if address.startswith(("https://", "http://")):
                continue
            assert ":" not in address, f"{name} links to {link}"
            assert not address or (release / name).parent.joinpath(address).is_file(), link


def test_what_strangers_wrote_is_shown_and_not_run(release: Path) -> None:
    for name in pages(release):
        text = (release / name).read_text(encoding="utf-8")
        assert SCRIPT not in text, name
        assert "harmed" not in text or "&lt;script&gt;" in text or "&lt;img" in text, name
        assert "\u202e" not in text, name
    card = (release / "README.md").read_text(encoding="utf-8")
    assert "<script" not in card
    assert not re.search(r"(?<!\\)\]\(javascript", card)


def test_plots_have_labels_and_copies(release: Path) -> None:
    page = Page((release / "report.html").read_text(encoding="utf-8"))
    copies = sorted((release / "report").glob("*.svg"))
    assert page.labels == len(copies) > 0
    assert {ET.parse(path).getroot().tag for path in copies} == {"{http://www.w3.org/2000/svg}svg"}  # noqa: S314  the file is our own
