"""Chromium and its driver."""

import os
import subprocess
import tempfile
from collections.abc import Iterator

from flows.doctor.base import Finding, Needs

_SERVES = "crawling sites that only a browser shows"
_INSTALL = "apt-get install chromium chromium-driver"
_LONGEST = 60.0
_BLANK = ["--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"]
"""Of a page of nobody there is nothing to be protected from."""


def look(needs: Needs) -> Iterator[Finding]:
    """Whether both are on PATH, and an empty page can be shown."""
    from scrapers.http.chromium import browser_paths

    needed = "browser" in needs.extras
    paths = browser_paths()
    if paths is None:
        yield Finding(
            name="Chromium",
            state="missing",
            told="chromium or chromedriver is not on PATH",
            serves=_SERVES,
            mend=_INSTALL,
            needed=needed,
        )
        return
    fault = _fault(paths[0])
    yield Finding(
        name="Chromium",
        state="fault" if fault else "ok",
        told=fault or f"{paths[0]} starts",
        serves=_SERVES,
        mend=_INSTALL if fault else None,
        needed=needed,
    )


def _fault(browser: str) -> str | None:
    with tempfile.TemporaryDirectory(prefix="benchloom-", ignore_cleanup_errors=True) as profile:
        try:
            done = subprocess.run(  # noqa: S603  a program that was found by its name on PATH
                [browser, f"--user-data-dir={profile}", *_BLANK],
                capture_output=True,
                # What it forgets to remove goes with its profile.
                env=os.environ | {"TMPDIR": profile},
                timeout=_LONGEST,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"{browser} shows no page within {_LONGEST:.0f} s"
        except OSError as error:
            return f"{browser}: {error.strerror}"
    if done.returncode or b"<html>" not in done.stdout:
        return f"{browser} ends with {done.returncode} and shows no page"
    return None
