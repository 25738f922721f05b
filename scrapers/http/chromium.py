"""This module finds chromium and its driver on this machine."""

import shutil

BROWSER_NAMES = ("chromium", "chromium-browser")
DRIVER_NAMES = ("chromedriver",)


def browser_paths() -> tuple[str, str] | None:
    """Return the paths of chromium and its driver on PATH, or None if one is missing."""
    browser = next((path for name in BROWSER_NAMES if (path := shutil.which(name))), None)
    driver = next((path for name in DRIVER_NAMES if (path := shutil.which(name))), None)
    return (browser, driver) if browser and driver else None
