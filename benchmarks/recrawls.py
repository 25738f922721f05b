"""This benchmark compares a rebuild after a second crawl of a site with a full rebuild.

    python -m benchmarks.recrawls COUNT [COUNT...]

prints the processor seconds of both, for a site with COUNT entries that has grown by 1 % since the
first crawl. The rebuild reads captures of pages, records and files, and builds a release.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks._pace import pace
from benchmarks._processor import Usage, usage_of
from benchmarks.captured_worlds import write_captures

COUNT = 8_000
_CONFIG = """workers = 2
[sources]
captures = "captures"
[generate]
steps = ["query"]
writer = "template"
"""


def ratios() -> list[tuple[str, float, str]]:
    """Return the time of a rebuild after a second crawl, relative to a full rebuild."""
    full, again = measured(COUNT)
    label = f"rebuild after a second crawl relative to a full rebuild, {COUNT} entries"
    return [(label, again.seconds / full.seconds, "<= 0.25")]


def measured(count: int) -> tuple[Usage, Usage]:
    """Return the time and memory of a full rebuild, and of a rebuild after the second crawl."""
    with TemporaryDirectory(prefix="benchloom-") as name:
        folder = Path(name)
        captures, config = folder / "captures", folder / "rebuild.toml"
        write_captures(count, captures, runs=2)
        config.write_text(_CONFIG)
        with _apart(captures, folder / "later"):
            _rebuilt(config, folder / "old")
        again = _rebuilt(config, folder / "old")
        return _rebuilt(config, folder / "fresh"), again


@contextmanager
def _apart(captures: Path, later: Path) -> Iterator[None]:
    """Move the captures of the second crawl to the folder `later` while the block runs."""
    moved = {path: later / path.relative_to(captures) for path in captures.rglob("*-00002.*")}
    for path, target in moved.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
    yield
    for path, target in moved.items():
        target.rename(path)


def _rebuilt(config: Path, workspace: Path) -> Usage:
    return usage_of(
        ["flows.cli", "rebuild", "--config", str(config), "--workspace", str(workspace)]
    )


def main() -> None:
    """Print the times of both rebuilds for each number of entries on the command line."""
    for count in map(int, sys.argv[1:]):
        with pace() as meanwhile:
            full, again = measured(count)
        timings = (
            f"full rebuild {full.seconds:.1f} s, after the second crawl {again.seconds:.1f} s, "
            f"ratio {again.seconds / full.seconds:.3f}"
        )
        peak = max(full.peak_mib, again.peak_mib)
        sys.stdout.write(
            f"{count} entries: {timings}, peak memory {peak:.0f} MiB, pace {meanwhile}\n"
        )


if __name__ == "__main__":
    main()
