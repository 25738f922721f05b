"""This module fetches app bundles with the command `ipatool`, if the operator has installed it.

The operator logs in with `ipatool auth login`, so benchloom knows neither accounts nor passwords.
"""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec

from benchloom.core.errors import RunError
from benchloom.core.records import App

COMMAND = "ipatool"
SECONDS_PER_APP = 1800
_MESSAGE_CHARACTERS = 300


class FetchedApp(msgspec.Struct, frozen=True):
    """The result of fetching an app.

    `outcome` is fetched, present (fetched before), failed or skipped; `message` is the reason.
    """

    app: str
    outcome: str
    message: str = ""


class AppsReport(msgspec.Struct, frozen=True, kw_only=True):
    """The report that `benchloom apps` prints.

    `missing` counts the apps without definitions, `apps` lists the most important of them, and
    `fetched` the downloads.
    """

    command: str
    missing: int
    apps: list[App]
    fetched: list[FetchedApp]


def report_lines(report: AppsReport) -> list[str]:
    """Return the lines of text that `benchloom apps` prints."""
    heading = "shortcuts that it would complete, shortcuts that use it, app"
    lines = [f"{report.missing} apps lack definitions ({heading}):"]
    for app in report.apps:
        marks = [word for word in ("paid", "legacy", "unavailable") if getattr(app, word)]
        marked = f" [{', '.join(marks)}]" if marks else ""
        link = f"  {app.store_link}" if app.store_link else ""
        lines.append(f"{app.unlocks:6d} {app.shortcuts:6d}  {app.app}{marked}{link}")
    lines += [
        f"{fetched_app.app}: {fetched_app.outcome} {fetched_app.message}".rstrip()
        for fetched_app in report.fetched
    ]
    return lines


def find_ipatool() -> str:
    """Return the path of the command `ipatool`; raise RunError if it is not on PATH."""
    path = shutil.which(COMMAND)
    if path is None:
        raise RunError(
            f"'{COMMAND}' is not on PATH; install it, log in, and run the same command again"
        )
    return path


def fetch_apps(
    apps: Sequence[App], folder: Path, *, command: str, seconds: float = SECONDS_PER_APP
) -> list[FetchedApp]:
    """Download apps into `folder` as `<app>.ipa`, one after the other; return the results.

    `command` is the path of ipatool, and `seconds` the maximum time for an app. Paid apps and apps
    that are not in the App Store are skipped. If an app fails, the remaining apps are still
    downloaded.
    """
    folder.mkdir(parents=True, exist_ok=True)
    return [_fetch(app, folder, command, seconds) for app in apps]


def _fetch(app: App, folder: Path, command: str, seconds: float) -> FetchedApp:
    if app.paid or app.unavailable or app.store_link is None:
        return FetchedApp(app.app, "skipped", "paid, unavailable, or not in the App Store")
    if "/" in app.app or app.app.startswith((".", "-")):
        return FetchedApp(app.app, "skipped", "not an identifier")
    final = folder / f"{app.app}.ipa"
    if final.is_file():
        return FetchedApp(app.app, "present")
    partial = folder / f".tmp-{app.app}.ipa"
    arguments = ["download", "--bundle-identifier", app.app, "--output", str(partial)]
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own command, no shell
            [command, *arguments, "--purchase", "--non-interactive"],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode or not partial.is_file():
            message = " ".join((done.stderr or done.stdout).split())[:_MESSAGE_CHARACTERS]
            return FetchedApp(app.app, "failed", message or f"exit code {done.returncode}")
        partial.replace(final)
    except subprocess.TimeoutExpired:
        return FetchedApp(app.app, "failed", f"took longer than {seconds:g} s")
    except OSError as error:
        return FetchedApp(app.app, "failed", error.strerror or type(error).__name__)
    finally:
        partial.unlink(missing_ok=True)
    return FetchedApp(app.app, "fetched")
