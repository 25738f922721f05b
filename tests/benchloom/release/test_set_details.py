"""Tests of set details: they are in every document, and the gate reports other values."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
import yaml

from benchloom.core.errors import GateError
from benchloom.core.set_details import NO_DETAILS, SetDetails, details_faults
from benchloom.release import ReleaseTable, build_release, check_release, read_manifest
from benchloom.release.diff import diff_releases
from tests.support.forgeries import seal
from tests.support.samples.small_release import reseal, small_stage

DETAILS = SetDetails(
    name="team-set",
    title="Shortcuts of *our* team & {friends}",
    licence="cc-by-4.0",
    authors=("Ada Example", "Ben Example <ben@example.org>"),
    homepage="https://example.org/set",
    description="Shortcuts that we use.",
)


def build_with_details(folder: Path, details: SetDetails = NO_DETAILS) -> Path:
    """Build a small release with these set details."""
    stage = folder / "stage"
    mark = small_stage(stage)
    tables = [ReleaseTable("rejected", stage)]
    return build_release(tables, [mark], folder / "releases", details=details)


def front_matter(release: Path) -> dict[str, object]:
    """Return the YAML front matter of the dataset card."""
    text = (release / "README.md").read_text(encoding="utf-8")
    return msgspec.convert(yaml.safe_load(text.split("\n---\n")[0]), dict[str, object])


def test_documents_contain_the_set_details(tmp_path: Path) -> None:
    release = build_with_details(tmp_path, DETAILS)
    assert read_manifest(release).details == DETAILS
    front = front_matter(release)
    assert (front["pretty_name"], front["license"]) == (DETAILS.title, "cc-by-4.0")
    assert "license_name" not in front
    croissant = json.loads((release / "croissant.json").read_text())
    assert croissant["name"] == "team-set"
    assert croissant["license"] == "https://spdx.org/licenses/CC-BY-4.0"
    assert [person["name"] for person in croissant["creator"]] == ["Ada Example", "Ben Example"]
    assert croissant["url"] == DETAILS.homepage
    citation = yaml.safe_load((release / "CITATION.cff").read_text())
    assert citation["authors"] == [
        {"name": "Ada Example"},
        {"name": "Ben Example", "email": "ben@example.org"},
    ]
    assert citation["license"] == "CC-BY-4.0"
    report = (release / "report.html").read_text()
    assert "<h1>Shortcuts of *our* team &amp; {friends} 0.1.0</h1>" in report
    assert "Licence: CC-BY-4.0" in (release / "TABLES.md").read_text()
    texts = [path.read_text() for path in release.iterdir() if path.suffix in {".md", ".html"}]
    assert not any("ben@example.org" in text for text in texts)


def test_set_without_details_is_named_benchloom(tmp_path: Path) -> None:
    release = build_with_details(tmp_path)
    assert front_matter(release)["pretty_name"] == "benchloom"
    assert front_matter(release)["license_name"] == "see-the-source-of-each-row"
    citation = yaml.safe_load((release / "CITATION.cff").read_text())
    assert citation["authors"] == [{"name": "The benchloom contributors"}]


def test_licence_without_spdx_id_is_text(tmp_path: Path) -> None:
    release = build_with_details(tmp_path, SetDetails(title="Ours", licence="For members only"))
    assert front_matter(release)["license"] == "other"
    assert json.loads((release / "croissant.json").read_text())["license"] == "For members only"
    assert "license" not in yaml.safe_load((release / "CITATION.cff").read_text())
    assert "are under “For members only”" in (release / "README.md").read_text()


def test_changed_details_make_a_patch_version(tmp_path: Path) -> None:
    first = build_with_details(tmp_path, DETAILS)
    assert build_with_details(tmp_path, DETAILS) == first
    second = build_with_details(tmp_path, msgspec.structs.replace(DETAILS, title="Renamed"))
    assert second.name == "0.1.1"
    assert read_manifest(second).content_digest == read_manifest(first).content_digest


def test_diff_lists_changed_details(tmp_path: Path) -> None:
    earlier = build_with_details(tmp_path / "earlier", DETAILS)
    later = build_with_details(tmp_path / "later", msgspec.structs.replace(DETAILS, licence="MIT"))
    difference = diff_releases(earlier, later)
    assert (difference.tables, difference.details) == ((), ("licence",))
    assert diff_releases(earlier, earlier).details == ()


def remove_details(folder: Path) -> None:
    seal(folder, details=NO_DETAILS)


def change_licence(folder: Path) -> None:
    seal(folder, details=msgspec.structs.replace(DETAILS, licence="MIT"))


def change_author(folder: Path) -> None:
    path = folder / "CITATION.cff"
    path.write_text(path.read_text().replace("Ada", "Eve"))
    seal(folder)


def change_card_title(folder: Path) -> None:
    path = folder / "README.md"
    path.write_text(path.read_text().replace("pretty_name: Shortcuts", "pretty_name: Longcuts"))
    seal(folder)


def remove_citation(folder: Path) -> None:
    (folder / "CITATION.cff").unlink()
    files = read_manifest(folder).files
    reseal(folder, files=tuple(file for file in files if file.path != "CITATION.cff"))


def set_script_homepage(folder: Path) -> None:
    seal(folder, details=msgspec.structs.replace(DETAILS, homepage="javascript:alert(1)"))


@pytest.mark.parametrize(
    "forge",
    [
        remove_details,
        change_licence,
        change_author,
        change_card_title,
        remove_citation,
        set_script_homepage,
    ],
)
def test_changed_or_missing_detail_is_reported(
    tmp_path: Path, forge: Callable[[Path], None]
) -> None:
    release = build_with_details(tmp_path, DETAILS)
    forge(release)
    with pytest.raises(GateError) as caught:
        check_release(release)
    assert any("details" in finding for finding in caught.value.findings)


@pytest.mark.parametrize(
    "details",
    [
        SetDetails(name="Team Set"),
        SetDetails(title="two\nlines"),
        SetDetails(title=" "),
        SetDetails(homepage="ftp://example.org"),
        SetDetails(homepage="https://user:word@example.org"),
        SetDetails(authors=("ben@example.org",)),
        SetDetails(authors=("",)),
        SetDetails(description="x" * 3000),
    ],
)
def test_invalid_details_have_faults(details: SetDetails) -> None:
    assert list(details_faults(details))
