"""Check that every page follows the page rules in a browser, light and dark, wide and narrow."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver

from benchloom.core.plain_words import ABSENT
from benchloom.release import read_manifest
from tests.contracts.test_documents import dead_links
from tests.support.browser import resize, start_browser
from tests.support.pages.kinds import every_page, release_pages
from tests.support.pages.rules import broken_rules, keyboard_faults, views_of_page
from tests.support.soak import samples

HIGHEST_REPORT = 6300
"""Maximum height in pixels of a report at desktop width."""
OTHER_WORDS = re.compile(r">\s*(null|None|n/a|N/A|-|\u2013|\u2014|\(empty\)|\(no \w+\))\s*<")
"""Other ways of writing a missing value than the agreed word."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with start_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


@pytest.fixture(scope="module", params=["demo_release", "described_release"])
def release(request: pytest.FixtureRequest) -> Path:
    """Return the demo release, or a release with hostile rows."""
    return Path(request.getfixturevalue(request.param))


@pytest.mark.long
def test_every_page_follows_the_rules(
    browser: webdriver.Chrome, demo_release: Path, tmp_path: Path
) -> None:
    with every_page(demo_release, tmp_path) as pages:
        # All pages of tables use two templates, so most tables are checked at phone width only.
        tables = sorted(read_manifest(demo_release).tables())
        alike = {
            page
            for table in tables[samples(2, len(tables)) :]
            for page in (f"explore-{table}", f"sample/{table}.html")
        }
        faults = [
            fault
            for number, (name, address) in enumerate(pages.items())
            for fault in (
                *broken_rules(browser, address, views_of_page(number)[name in alike :]),
                *(() if name in alike else keyboard_faults(browser, address)),
            )
        ]
    assert {name.split("/")[0].split("-")[0] for name in pages} >= {
        "report.html", "sample", "overlap.html", "import", "board.html", "explore",
        "review", "reviewed",
    }  # fmt: skip
    assert faults == []


@pytest.mark.long
def test_hostile_rows_break_no_page(browser: webdriver.Chrome, described_release: Path) -> None:
    pages = release_pages(described_release)
    assert [
        fault
        for number, address in enumerate(pages.values())
        for fault in broken_rules(browser, address, views_of_page(number))
    ] == []


def test_titles_and_descriptions_identify_pages(release: Path) -> None:
    pages_by_head: dict[str, str] = {}
    for page in release.rglob("*.html"):
        head = page.read_text(encoding="utf-8").partition("</head>")[0]
        (title,) = re.findall(r"<title>([^<]+)</title>", head)
        (description,) = re.findall(r'<meta name="description" content="([^"]+)">', head)
        assert title not in description
        pages_by_head.setdefault(f"{title} {description}", page.name)
    pages = [page for page in release.rglob("*.html") if page.parent.name != "tasks"]
    assert len(pages_by_head) >= len(pages)


def test_links_of_the_demo_lead_to_existing_targets(demo_release: Path) -> None:
    assert dead_links(demo_release) == []


def test_missing_values_are_written_with_one_word(release: Path) -> None:
    other_words = {
        f"{page.name}: {match.group()}"
        for page in release.rglob("*.html")
        for match in OTHER_WORDS.finditer(page.read_text(encoding="utf-8"))
    }
    assert other_words == set()
    assert f">{ABSENT}<" in (release / "sample" / "listings.html").read_text(encoding="utf-8")


def test_sample_index_shows_every_table(release: Path) -> None:
    index = (release / "sample" / "index.html").read_text(encoding="utf-8")
    for folder in release.iterdir():
        if not list(folder.glob("*.parquet")):
            continue
        assert f'<section id="{folder.name}">' in index
        page = (release / "sample" / f"{folder.name}.html").read_text(encoding="utf-8")
        assert 'class="row"' in page or "no rows in this release" in page or "tasks/1.html" in page


def test_report_is_short_and_begins_with_its_figures(
    browser: webdriver.Chrome, demo_release: Path
) -> None:
    resize(browser, 1200)
    browser.get((demo_release / "report.html").resolve().as_uri())
    tiles = browser.find_elements("css selector", ".headline dd")
    assert len(tiles) >= 5
    labels = [label.text for label in browser.find_elements("css selector", ".headline dt")]
    assert "texts that are kept" in labels
    assert not {"rows", "kept"} & set(labels)
    assert max(tile.location["y"] for tile in tiles) < 300
    assert page_height(browser) < HIGHEST_REPORT


@pytest.mark.real_data
def test_report_of_real_inputs_is_short(browser: webdriver.Chrome, rebuilt_workspace: Path) -> None:
    (report,) = rebuilt_workspace.glob("releases/*/report.html")
    resize(browser, 1200)
    browser.get(report.resolve().as_uri())
    assert page_height(browser) < HIGHEST_REPORT


def page_height(browser: webdriver.Chrome) -> int:
    return int(browser.execute_script("return document.documentElement.scrollHeight"))
