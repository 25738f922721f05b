"""A real browser that a test controls, with windows of any width."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.expected_conditions import url_contains
from selenium.webdriver.support.ui import WebDriverWait

from scrapers.http.chromium import browser_paths

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
)


@contextmanager
def start_browser(profile: Path) -> Iterator[webdriver.Chrome]:
    """Start a browser with a new profile; if none is installed, skip the test, or fail it in CI."""
    # Otherwise Selenium Manager looks for drivers on the network and reports usage.
    os.environ["SE_OFFLINE"] = os.environ["SE_AVOID_STATS"] = "true"
    paths = browser_paths()
    if paths is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs chromium and its driver")
        pytest.skip("chromium or its driver is not installed")
    options = Options()
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = paths[0]
    for flag in (*_FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    with webdriver.Chrome(options=options, service=Service(paths[1])) as driver:
        yield driver


def resize(driver: webdriver.Chrome, width: int, height: int = 900, *, dark: bool = False) -> None:
    """Set the size of the window and its colour scheme."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700},
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})


def wait_for_text(driver: webdriver.Chrome, selector: str, text: str) -> None:
    """Wait until the element contains the text, because a click returns before the page is loaded.

    One script finds and reads the element, because an element of one page cannot be read on the
    next. Errors of the driver between two pages are ignored, and the script runs again.
    """
    script = "return document.querySelector(arguments[0])?.innerText ?? ''"
    wait = WebDriverWait(driver, 60, ignored_exceptions=[WebDriverException])
    wait.until(lambda page: text in page.execute_script(script, selector))


def wait_for_address(driver: webdriver.Chrome, part: str) -> None:
    """Wait until the address of the page contains `part`, because sending a form does not wait."""
    WebDriverWait(driver, 60).until(url_contains(part))
