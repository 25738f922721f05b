"""What every page keeps, looked at in the browser, and pictures of pages."""

import base64
from collections.abc import Iterable
from pathlib import Path

from selenium import webdriver

from tests.support.driven import resize
from tests.support.soak import SOAK

WIDTHS = (1200, 420)
VIEWS = tuple((width, dark) for width in WIDTHS for dark in (False, True))
"""Width, and whether it is night."""
SMALLEST_TARGET = 24
"""Pixels of a link that stands by itself, high and wide (WCAG 2.2, 2.5.8)."""
LEAST_CONTRAST = 4.5

_SCRIPT = Path(__file__).with_name("rules.js").read_text(encoding="utf-8")


def broken_rules(
    driver: webdriver.Chrome, address: str, views: Iterable[tuple[int, bool]] = VIEWS
) -> list[str]:
    """What is wrong with a page at the widths of a desk and a phone, by day and by night."""
    messages: list[str] = []
    driver.get(address)
    for width, dark in views:
        resize(driver, width, dark=dark)
        faults = driver.execute_script(_SCRIPT, width < WIDTHS[0], SMALLEST_TARGET, LEAST_CONTRAST)
        where = f"{width} {'dark' if dark else 'light'}"
        messages += [f"{address} ({where}): {fault}" for fault in faults]
    return messages


def views_in_turn(number: int) -> tuple[tuple[int, bool], ...]:
    """Of a page with this number a desk and a phone, one by day and the other by night.

    All four in `make soak`.
    """
    turned = ((width, bool((index + number) % 2)) for index, width in enumerate(WIDTHS))
    return VIEWS if SOAK else tuple(turned)


def opened(driver: webdriver.Chrome) -> None:
    """Open everything that is folded."""
    driver.execute_script("document.querySelectorAll('details').forEach(one => one.open = true)")


def picture(driver: webdriver.Chrome, path: Path, *, most: int = 12_000) -> Path:
    """A PNG of the whole page that is open, at the width the window has."""
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], most), "scale": 1}
    screenshot = driver.execute_cdp_cmd(
        "Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True}
    )
    path.write_bytes(base64.b64decode(screenshot["data"]))
    return path
