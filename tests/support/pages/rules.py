"""Check in a browser the rules that every page must follow, and take screenshots."""

import base64
from collections.abc import Iterable
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.support.browser import resize
from tests.support.soak import SOAK

WIDTHS = (1280, 390)
VIEWS = tuple((width, dark) for width in WIDTHS for dark in (False, True))
"""Width of the window, and whether its colour scheme is dark."""
SMALLEST_TARGET = 24
"""Smallest height and width of a link outside a sentence, in pixels (WCAG 2.2, 2.5.8)."""
LEAST_CONTRAST = 4.5

_SCRIPT = Path(__file__).with_name("rules.js").read_text(encoding="utf-8")
_FOCUS = Path(__file__).with_name("focus.js").read_text(encoding="utf-8")


def broken_rules(
    driver: webdriver.Chrome, address: str, views: Iterable[tuple[int, bool]] = VIEWS
) -> list[str]:
    """Return the faults of a page, by default at two widths, light and dark."""
    messages: list[str] = []
    console_faults(driver)  # discards the messages of earlier pages
    driver.get(address)
    messages += [f"{address}: {fault}" for fault in console_faults(driver)]
    for width, dark in views:
        resize(driver, width, dark=dark)
        faults = driver.execute_script(_SCRIPT, width < WIDTHS[0], SMALLEST_TARGET, LEAST_CONTRAST)
        view = f"{width} {'dark' if dark else 'light'}"
        messages += [f"{address} ({view}): {fault}" for fault in faults]
    return messages


def console_faults(driver: webdriver.Chrome) -> list[str]:
    """Return the errors in the console, except the status of an error page."""
    return [
        entry["message"]
        for entry in driver.get_log("browser")  # type: ignore[no-untyped-call]  # Selenium has no types for it
        if entry["level"] == "SEVERE" and not entry["message"].startswith(driver.current_url)
    ]


def keyboard_faults(driver: webdriver.Chrome, address: str) -> list[str]:
    """Return the parts of a page that the Tab key does not reach or does not highlight."""
    driver.get(address)
    count = driver.execute_script(_FOCUS)
    for start in range(0, count + 3, 50):
        keys = ActionChains(driver, duration=0)
        keys.send_keys(*[Keys.TAB] * min(50, count + 3 - start))
        keys.perform()
    faults = driver.execute_script("return focusFaults()")
    return [f"{address}: {fault}" for fault in faults]


def views_of_page(number: int) -> tuple[tuple[int, bool], ...]:
    """Return two views of the page with this number: wide and narrow, one light and one dark.

    `make soak` uses all four views.
    """
    alternating_views = ((width, bool((index + number) % 2)) for index, width in enumerate(WIDTHS))
    return VIEWS if SOAK else tuple(alternating_views)


def open_details(driver: webdriver.Chrome) -> None:
    """Open all `details` elements of the page."""
    driver.execute_script(
        "document.querySelectorAll('details').forEach(details => details.open = true)"
    )


def save_screenshot(driver: webdriver.Chrome, path: Path, *, most: int = 12_000) -> Path:
    """Write a PNG of the whole page at the width of the window and return its path."""
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
    screenshot = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True}
    )
    path.write_bytes(base64.b64decode(screenshot["data"]))
    return path
