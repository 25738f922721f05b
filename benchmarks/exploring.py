"""This benchmark measures `benchloom explore` with a release of 20,000 invented shortcuts.

    python -m benchmarks.exploring RELEASE

prints the figures for another release.
"""

import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx
import msgspec

from benchmarks._processor import peak_mib
from benchmarks.growth import Pipeline
from benchmarks.worlds import write_world

SHORTCUTS = 20_000
_FILTERED = (
    "/tables/shortcuts?column=level&relation=is&value=3",
    "/tables/shortcuts?column=split&relation=is&value=test&sort=name",
    "/tables/shortcuts?q=bade",
    "/tables/shortcuts?uses=is.workflow.actions.conditional",
    "/tables/listings?q=bade",
)
_OTHERS = (
    "/search?q=bade",
    "/api?name=is.workflow.actions.gettext",
    "/app?name=is.workflow.actions",
)
_ROUNDS = 3


def ratios() -> list[tuple[str, float, str]]:
    """Return the times of responses, and the peak memory of the server after all of them."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        write_world(SHORTCUTS, folder / "world")
        pipeline = Pipeline(folder / "world", folder / "work")
        release = folder / "releases" / "0.1.0"
        pipeline.release([pipeline.joined(), pipeline.plans(), pipeline.listings()], release)
        return measured(release)


def measured(folder: Path) -> list[tuple[str, float, str]]:
    """Start the explorer with a release, and return the times of its responses and its memory."""
    command = [sys.executable, "-m", "flows.cli", "explore", str(folder), "--no-token", "--json"]
    started = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            startup = msgspec.json.decode(server.stdout.readline() if server.stdout else b"{}")
            ready = time.perf_counter() - started
            with httpx.Client(base_url=startup["address"], timeout=60) as client:
                first = _seconds(client, "/")
                rows = _seconds(client, "/tables/shortcuts")
                other_seconds = [
                    _seconds(client, path) for path in _OTHERS
                ]  # the last page waits for the index of uses
                filtered = {
                    path: median(_seconds(client, path) for _ in range(_ROUNDS))
                    for path in _FILTERED
                }
            peak = peak_mib(server.pid)
        finally:
            server.terminate()
    slowest = max(filtered, key=lambda path: filtered[path])
    return [
        ("start of the command until it prints its address, s", ready, "none"),
        ("start page, s", first, "<= 1"),
        ("first page of shortcuts, s", rows, "<= 1"),
        ("median of filtered pages, ms", 1000 * median(filtered.values()), "<= 300"),
        (f"slowest filtered page ({slowest}), ms", 1000 * filtered[slowest], "<= 300"),
        ("slowest of the pages of search, an API and an app, s", max(other_seconds), "none"),
        ("peak memory, MiB", peak, "<= 500"),
    ]


def _seconds(client: httpx.Client, path: str) -> float:
    before = time.perf_counter()
    client.get(path).raise_for_status()
    return time.perf_counter() - before


if __name__ == "__main__":
    for figure in measured(Path(sys.argv[1])):
        print(*figure)
