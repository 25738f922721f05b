"""A check that Chromium and its driver are installed and work."""

import os
import subprocess
import tempfile
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs, finding

_TIMEOUT = 60.0  # seconds
# No sandbox: an empty page contains no code that could do harm.
_BLANK = ["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"]


def look(needs: Needs) -> Iterator[Finding]:
    """Check that Chromium and its driver are on PATH and that Chromium can show an empty page."""
    from scrapers.http.chromium import browser_paths

    paths = browser_paths()
    yield finding(
        "Chromium",
        "crawling sites whose pages need a browser",
        ok=f"{paths[0]} starts" if paths else "",
        fault=_fault(paths[0]) if paths else "chromium or chromedriver is not on PATH",
        mend="apt-get install chromium chromium-driver",
        missing=not paths,
        needed="browser" in needs.extras,
    )


def _fault(browser: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="benchloom-", ignore_cleanup_errors=True) as profile:
        try:
            done = subprocess.run(  # noqa: S603  a program that was found by its name on PATH
                [browser, f"--user-data-dir={profile}", *_BLANK],
                capture_output=True,
                # Files that the browser leaves behind are removed with its profile.
                env=os.environ | {"TMPDIR": profile},
                timeout=_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{browser} did not show an empty page within {_TIMEOUT:.0f} s"
        except OSError as error:
            return f"{browser}: {error.strerror}"
    if done.returncode or b"<html>" not in done.stdout:
        return f"{browser} ended with exit code {done.returncode} without showing a page"
    return None
