"""Tests of pages in a browser at phone and desk width: no script runs, and nothing is cut off."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from selenium import webdriver

from tests.support.browser import resize, start_browser
from tests.support.pages.rules import save_screenshot

PAGES = (
    "report.html",
    "sample/shortcuts.html",
    "sample/planning_paths.html",
    "sample/index.html",
)
PHONE, DESK = 390, 1280
"""Widths in pixels; `tests/contracts/test_pages` opens every page in both, light or dark."""


@pytest.fixture(scope="module")
def release(described_release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sample release, to which the tests add pages."""
    return shutil.copytree(described_release, tmp_path_factory.mktemp("release") / "0.1.0")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with start_browser(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def copy_without_policy(page: Path) -> Path:
    """Copy a page without its content security policy, so that scripts could run."""
    text, count = re.subn(
        r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8")
    )
    assert count
    copy = page.with_name(f"unguarded-{page.name}")
    copy.write_text(text, encoding="utf-8")
    return copy


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_a_phone_and_runs_no_planted_script(
    browser: webdriver.Chrome, release: Path, name: str
) -> None:
    resize(browser, PHONE)
    page = copy_without_policy(release / name)
    try:
        browser.get(page.as_uri())
    finally:
        page.unlink()
    root = browser.find_element("tag name", "html")
    assert root.get_property("clientWidth") == PHONE
    assert root.get_property("scrollWidth") == PHONE, "it scrolls sideways"
    assert "benchloom 0.1.0" in browser.title  # The planted scripts would change it.


def test_report_is_dark_text_on_light_with_blue_plots(
    browser: webdriver.Chrome, release: Path, tmp_path: Path
) -> None:
    resize(browser, DESK)
    browser.get((release / "report.html").as_uri())
    with Image.open(save_screenshot(browser, tmp_path / "report.png", most=5000)) as image:
        pixels = np.asarray(image.convert("RGB")) / 255
    assert pixels.shape[1] == DESK
    assert pixels.shape[0] > 2000
    light = pixels.mean(axis=2)
    assert np.mean(light > 0.95) > 0.6
    assert np.mean(light < 0.35) > 0.005
    blue = np.abs(pixels - np.array([0x22, 0x62, 0x8F], dtype=np.float32) / 255).max(axis=2) < 0.02
    assert np.mean(blue) > 0.005
