"""Pages in a real browser at the width of a phone and of a desk: nothing runs, nothing is cut."""

import re
import shutil
from pathlib import Path

import matplotlib.image
import numpy as np
import pytest

from tests.support.chromium import page_after_scripts, screenshot

PAGES = (
    "report.html",
    "sample/shortcuts.html",
    "sample/planning_paths.html",
    "catalogue/index.html",
)


@pytest.fixture(scope="module")
def release(described_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, beside whose pages probes are laid."""
    return shutil.copytree(described_release, tmp_path_factory.mktemp("release") / "0.1.0")


def with_probe(page: Path, probe: str) -> Path:
    """A copy of a page beside it that may run one script of ours."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text())
    copy = page.with_name(f"probe-{page.name}")
    copy.write_text(text.replace("</body>", f"<script>{probe}</script></body>"))
    return copy


@pytest.mark.parametrize("width", [420, 1200])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_and_nothing_of_strangers_runs(release: Path, name: str, width: int) -> None:
    probe = with_probe(
        release / name,
        "const root = document.documentElement;"
        "root.dataset.widths = root.scrollWidth + ' of ' + root.clientWidth",
    )
    try:
        page = page_after_scripts(probe.as_uri(), width)
    finally:
        probe.unlink()
    found = re.search(r'data-widths="(\d+) of (\d+)"', page)
    assert found is not None
    assert int(found[2]) <= max(width, 500)  # The browser's own narrowest window is 500 wide.
    assert int(found[1]) <= int(found[2])
    title = re.search(r"<title>(.*)</title>", page)
    assert title is not None
    assert "benchloom 0.1.0" in title[1]  # The planted scripts would change it.


@pytest.mark.parametrize("width", [420, 1200])
def test_the_report_is_dark_on_light_with_plots(release: Path, width: int, tmp_path: Path) -> None:
    path = screenshot((release / "report.html").as_uri(), width, 5000, tmp_path / "report.png")
    pixels = matplotlib.image.imread(path)[:, :, :3]
    assert pixels.shape == (5000, width, 3)
    light = pixels.mean(axis=2)
    assert np.mean(light > 0.95) > 0.6
    assert np.mean(light < 0.35) > 0.005
    blue = np.abs(pixels - np.array([0x22, 0x62, 0x8F]) / 255).max(axis=2) < 0.02
    assert np.mean(blue) > 0.005


def test_the_catalogue_is_searched_in_the_page(release: Path) -> None:
    index = (release / "catalogue" / "index.html").as_uri()
    page = page_after_scripts(f"{index}#search=author%207%20music")
    found = page[page.index('id="found"') :]
    assert "Shortcut number 7" in found[: found.index("</ul>")]
    assert "Shortcut number 8" not in found[: found.index("</ul>")]
    assert "1 found." in page
    link = re.search(r'<a href="([^"#]+)#(e\d+)">Shortcut number 7</a>', found)
    assert link is not None
    target = (release / "catalogue" / link[1]).read_text()
    entry = target[target.index(f'<li id="{link[2]}">') :]
    assert "Shortcut number 7" in entry[: entry.index("</h3>")]


def test_the_search_says_when_nothing_is_found(release: Path) -> None:
    index = (release / "catalogue" / "index.html").as_uri()
    assert "0 found." in page_after_scripts(f"{index}#search=zzzz")
