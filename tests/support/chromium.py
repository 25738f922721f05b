"""A headless browser for tests: screenshots, and pages as they stand after their scripts ran."""

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
    "--virtual-time-budget=5000",
)


def chromium() -> str:
    """The browser; a machine without one skips the test, CI fails it."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs chromium: apt-get install chromium")
        pytest.skip("chromium is not installed")
    return path


def _run(arguments: list[str]) -> str:
    with TemporaryDirectory(prefix="benchloom-chromium-", ignore_cleanup_errors=True) as profile:
        command = [chromium(), *_FLAGS, f"--user-data-dir={profile}", *arguments]
        answer = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=90, encoding="utf-8"
        )
    return answer.stdout


def page_after_scripts(address: str, width: int = 1200) -> str:
    """The markup of a page after its scripts ran."""
    return _run([f"--window-size={width},900", "--dump-dom", address])


def screenshot(address: str, width: int, height: int, path: Path) -> Path:
    """A PNG of a page."""
    _run([f"--window-size={width},{height}", f"--screenshot={path}", address])
    return path
